"""Feeds: what is new has its day, and keeps it."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mlcheck_report import ReportError, render
from tests.report.conftest import Rows, Write

ATOM = "{http://www.w3.org/2005/Atom}"
FIRST, SECOND = date(2025, 9, 9), date(2025, 10, 1)


def entries(site: Path) -> list[tuple[str | None, ...]]:
    feed = ElementTree.parse(site / "feed.xml").getroot()
    assert feed.tag == f"{ATOM}feed"
    return [
        (
            entry.findtext(f"{ATOM}updated"),
            entry.findtext(f"{ATOM}title"),
            entry.findtext(f"{ATOM}summary"),
        )
        for entry in feed.iter(f"{ATOM}entry")
    ]


def test_no_day_no_feed(rows: Rows, write: Write, tmp_path: Path) -> None:
    render(write(rows), out=tmp_path / "site")
    assert not list((tmp_path / "site").glob("feed.*"))
    assert "feed.xml" not in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")


def test_entries_keep_their_day(rows: Rows, write: Write, tmp_path: Path) -> None:
    site = tmp_path / "site"
    render(write(rows), out=site, day=FIRST)
    new = (
        "2025-09-09T00:00:00Z",
        "MLPerf Inference v5.1",
        "8 results of 3 submitters on 5 systems, 7 valid by policy.",
    )
    assert entries(site) == [new]
    assert 'type="application/atom+xml"' in (site / "about.html").read_text(encoding="utf-8")
    first = (site / "feed.xml").read_bytes()
    render(write(rows), out=site, former=site, day=SECOND)
    assert entries(site) == [new]  # nothing has changed
    assert (site / "feed.xml").read_bytes() == first
    rows["metrics"][0]["value"] = 1001.0
    render(write(rows), out=site, former=site, day=SECOND)
    changed = ("2025-10-01T00:00:00Z", "Changed results", "0 came, 0 went, 1 differ in a cell.")
    assert entries(site) == [changed, new]
    items = json.loads((site / "feed.json").read_bytes())["items"]
    assert [item["url"] for item in items] == ["changes.html", "inference-v5.1/index.html"]


def test_entries_of_pages_that_are_gone_go(rows: Rows, write: Write, tmp_path: Path) -> None:
    site = tmp_path / "site"
    render(write(rows), out=site, day=FIRST)
    feed = json.loads((site / "feed.json").read_bytes())
    feed["items"].append(feed["items"][0] | {"id": "x", "url": "https://evil.example/"})
    (site / "feed.json").write_text(json.dumps(feed), encoding="utf-8")
    render(write(rows), out=tmp_path / "next", former=site, day=SECOND)
    assert len(entries(tmp_path / "next")) == 1


@pytest.mark.parametrize(
    "text", ["", "[]", '{"items": [{}]}', '{"items": [{"date_published": "today"}]}']
)
def test_a_feed_that_is_none(rows: Rows, write: Write, tmp_path: Path, text: str) -> None:
    site = tmp_path / "site"
    render(write(rows), out=site, day=FIRST)
    (site / "feed.json").write_text(text, encoding="utf-8")
    with pytest.raises(ReportError, match=r"feed\.json is not the feed"):
        render(write(rows), out=site, former=site, day=SECOND)
