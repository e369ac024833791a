"""The pages as text: nothing lost, nothing let through, the same bytes each time."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from mlcheck_report import render
from mlcheck_report.render import breakable, json_for_html
from mlcheck_report.sources import sources

Rows = dict[str, list[dict[str, Any]]]
Write = Callable[..., Path]


class Document(HTMLParser):
    """What a browser would see: elements with attributes, text, ids."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.scripts: list[str] = []
        self.style = ""
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag
        self.text += " "
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            self.scripts[-1] += data
        elif self._inside == "style":
            self.style += data
        else:
            self.text += data

    def all(self, tag: str, attribute: str) -> list[str]:
        found = [attributes.get(attribute) for name, attributes in self.tags if name == tag]
        return [value for value in found if value is not None]


@pytest.fixture
def document(rows: Rows, write: Write, tmp_path: Path) -> Document:
    _, page = render(write(rows), tmp_path / "out")
    return Document(page.read_text(encoding="utf-8"))


def test_pages_are_named_after_suite_and_round(rows: Rows, write: Write, tmp_path: Path) -> None:
    pages = render(write(rows), tmp_path / "out")
    assert [page.name for page in pages] == ["index.html", "inference-v5.1.html"]
    assert 'href="inference-v5.1.html"' in pages[0].read_text(encoding="utf-8")


def test_every_result_has_a_row_and_details(document: Document, rows: Rows) -> None:
    positions = document.all("tr", "data-i")
    assert positions == [str(place) for place in range(len(rows["results"]))]
    articles = document.all("article", "id")
    assert len(articles) == len(set(articles)) == len(rows["results"])
    assert {f"#{id_}" for id_ in articles} <= set(document.all("a", "href"))


def test_script_data_has_every_result(document: Document, rows: Rows) -> None:
    data = json.loads(document.scripts[0])
    place = 3 + data["fields"].index("id")
    assert sorted(row[place] for row in data["rows"]) == sorted(
        row["id"] for row in rows["results"]
    )


def test_ids_are_unique_and_links_lead_somewhere(document: Document) -> None:
    ids = [attributes["id"] for _, attributes in document.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    anchors = {href[1:] for href in document.all("a", "href") if href and href.startswith("#")}
    assert anchors <= set(ids)


def test_submitted_text_makes_no_elements(document: Document) -> None:
    assert len(document.scripts) == 2
    assert not [tag for tag, _ in document.tags if tag == "img"]
    handlers = [name for _, attributes in document.tags for name in attributes if name[:2] == "on"]
    assert not handlers
    assert not [href for href in document.all("a", "href") if href[:1] != "#" and ":" in href]


def test_submitted_text_is_shown_as_it_is(document: Document) -> None:
    for text in ("<script>alert(1)</script>", '"><img src=x onerror=alert(2)>', "{{ 7 * 7 }}"):
        assert text in document.text


def test_policy_allows_exactly_this_style_and_script(document: Document) -> None:
    policy = next(
        attributes["content"] for tag, attributes in document.tags if "http-equiv" in attributes
    )
    assert policy is not None
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for kind, text in (("style", document.style), ("script", document.scripts[1])):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert not [attributes for _, attributes in document.tags if "style" in attributes]


def test_nothing_is_loaded(document: Document) -> None:
    assert not [tag for tag, attributes in document.tags if "src" in attributes]
    assert document.all("link", "href") == ["data:,"]


def test_same_tables_same_bytes(rows: Rows, write: Write, tmp_path: Path) -> None:
    first = [page.read_bytes() for page in render(write(rows), tmp_path / "a")]
    assert [page.read_bytes() for page in render(write(rows), tmp_path / "b")] == first


def test_order_of_rows_does_not_matter(rows: Rows, write: Write, tmp_path: Path) -> None:
    first = [page.read_bytes() for page in render(write(rows), tmp_path / "a")]
    for name in ("submissions", "systems", "results", "findings"):
        rows[name].reverse()
    assert [page.read_bytes() for page in render(write(rows), tmp_path / "b")] == first


def test_generated_is_shown_when_given(rows: Rows, write: Write, tmp_path: Path) -> None:
    pages = render(write(rows), tmp_path / "out", generated="<on a Monday>")
    for page in pages:
        assert "Generated: &lt;on a Monday&gt;." in page.read_text(encoding="utf-8")


def test_pages_say_whose_they_are(rows: Rows, write: Write, tmp_path: Path) -> None:
    for page in render(write(rows), tmp_path / "out"):
        text = " ".join(page.read_text(encoding="utf-8").split())
        assert "mlcheck is independent of MLCommons. MLPerf® is a trademark" in text
        assert "derived figures are not official MLPerf® metrics" in text


def test_tables_are_labelled(document: Document) -> None:
    tables = sum(tag == "table" for tag, _ in document.tags)
    assert sum(tag == "caption" for tag, _ in document.tags) == tables
    assert all("scope" in attributes for tag, attributes in document.tags if tag == "th")
    assert document.all("html", "lang") == ["en"]


def test_details_tell_the_evidence(document: Document) -> None:
    text = " ".join(document.text.split())
    assert "1,000 samples/s logged 1000.0 as logged" in text
    assert "÷ 8; derived, not official" in text
    assert "✗ missed: target >= 75.7, margin \N{MINUS SIGN}7.53 %" in text
    assert "1,200 mJ/query average 300.0 W; 0.8300 samples/J; analyzer; ✓ valid" in text
    assert "log-aa01.txt:33" in text
    assert "waived: by the chair" in text
    assert "not a benchmark of this round" in text
    assert "no description was found" in text


def test_what_is_no_number_is_called_so(rows: Rows, write: Write, tmp_path: Path) -> None:
    rows["metrics"][0]["value"] = float("nan")
    rows["power"][0]["efficiency"] = float("inf")
    _, page = render(write(rows), tmp_path / "out")
    assert "not a number samples/s" in page.read_text(encoding="utf-8")


def test_json_cannot_end_its_element() -> None:
    text = "</script><!-- & ' \u2028"
    written = json_for_html([text])
    assert not re.search("[<>&'\u2028]", written)
    assert json.loads(written) == [text]


def test_breakable_escapes() -> None:
    assert breakable("a_<b>") == "a_<wbr>&lt;b&gt;"


@pytest.mark.parametrize(
    ("repository", "commit", "base"),
    [
        ("https://github.com/o/n.git", "0" * 40, f"https://github.com/o/n/blob/{'0' * 40}/"),
        ("o/n", "abcdef1", "https://github.com/o/n/blob/abcdef1/"),
        ("javascript:alert(1)//o/n", "0" * 40, None),
        ("https://evil.example/o/n", "0" * 40, None),
        ("../..", "0" * 40, None),
        ("o/n", "main", None),
        (None, None, None),
    ],
)
def test_only_pinned_repositories_are_linked(
    repository: str | None, commit: str | None, base: str | None
) -> None:
    row = {"division": "closed", "submitter": "acme"}
    row_of_table = row | {"source_repository": repository, "source_commit": commit}
    assert sources([row_of_table]).base(row) == base
