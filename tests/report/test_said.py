"""What pages say: headings of cells, evidence, citation, reasons for what is empty, counts."""

from __future__ import annotations

import json
from pathlib import Path

from mlcheck_report import render
from tests.report.conftest import Rows, Write, offer
from tests.report.documents import pages, parsed

ROUND = "inference-v5.1"


def test_cells_of_cards_say_what_they_are(site: Path) -> None:
    """On phones a row is a card: the heading stands before each cell."""
    cards = 0
    for page in pages(site):
        inside, head = False, False
        for tag, attributes in parsed(page).tags:
            classes = (attributes.get("class") or "").split()
            if tag == "table":
                inside = "cards" in classes and "facts" not in classes  # these speak for themselves
                cards += inside
            head = {"thead": True, "tbody": False, "tfoot": False}.get(tag, head)
            if tag == "td" and inside and not head and page.name != "index.html":
                assert attributes.get("data-l") or cards_last(attributes), page.name
    assert cards > 20


def cards_last(attributes: dict[str, str | None]) -> bool:
    return not attributes  # an empty cell, or one of links only


def test_the_open_page_is_marked(site: Path) -> None:
    for name in ("index.html", "search.html", f"{ROUND}/all.html", f"{ROUND}/findings.html"):
        marked = [a["href"] for _, a in parsed(site / name).tags if "aria-current" in a]
        assert len(marked) == 1
        assert marked[0] is not None
        assert marked[0].endswith(name)
    assert "aria-current" not in (site / ROUND / "results" / "aa01.html").read_text()


def test_scenarios_with_most_results_come_first(site: Path) -> None:
    text = parsed(site / ROUND / "index.html").text
    assert "Benchmark Offline SingleStream Server" in text.partition("Closed division")[2]


def test_an_offer_of_any_scenario_is_met_by_each(rows: Rows, write: Write, tmp_path: Path) -> None:
    rows["offers"] += [offer("resnet", "") | {"scenario": None}]
    render(write(rows), out=tmp_path / "site")
    text = parsed(tmp_path / "site" / ROUND / "index.html").text
    assert "Benchmark Offline SingleStream Server" in text.partition("Closed division")[2]


def test_result_page_tells_the_evidence(site: Path) -> None:
    text = parsed(site / ROUND / "results" / "aa01.html").text
    assert "rank 1 of 2; higher is better" in text
    assert "1,000 samples/s logged 1000.0 as logged; primary" in text
    assert "per accelerator 125.0 samples/s ÷ 8 accelerators" in text
    assert "✓ met: target >= 75.7, margin +1.06 %" in text
    assert "log-aa01.txt:33" in text
    assert "7" * 64 in text
    assert "shared by 2 results" in text
    link = parsed(site / ROUND / "results" / "aa01.html").all("a", "href")
    assert (
        "https://github.com/mlcommons/results/blob/0123456789abcdef/"
        "closed/acme/box/resnet/Offline/log-aa01.txt#L33"
    ) in link
    measured = parsed(site / ROUND / "results" / "aa02.html").text
    assert "1,200 mJ/query average 300.0 W; 0.8300 samples/J; analyzer; ✓ valid" in measured
    assert "per accelerator \N{EN DASH} a time is not divided" in measured
    unjudged = parsed(site / ROUND / "results" / "aa04.html").text
    assert "INF341 not-evaluable: the log does not say" in unjudged
    assert "no value" in unjudged
    raw = json.loads((site / ROUND / "results" / "aa01.json").read_bytes())
    assert raw["metrics"][0]["value_raw"] == "1000.0 as logged"
    assert raw["provenance"][0]["line"] == 33


def test_a_shared_rank_is_called_so(rows: Rows, write: Write, tmp_path: Path) -> None:
    rows["metrics"][3]["value"] = 1000.0  # as that of aa01
    render(write(rows), out=tmp_path / "site")
    folder = tmp_path / "site" / ROUND / "results"
    assert "rank 1 of 2, shared by 2; higher" in parsed(folder / "aa05.html").text
    assert "not ranked; 2 others are" in parsed(folder / "aa03.html").text
    assert "rank 1 of 1; higher" in parsed(folder / "aa07.html").text


def test_result_page_says_how_to_cite(site: Path) -> None:
    text = parsed(site / ROUND / "results" / "aa01.html").text
    assert (
        "acme has an unverified result of 1,000 samples/s in the MLPerf® Inference v5.1 resnet "
        "Offline benchmark with box server (8 \N{MULTIPLICATION SIGN} H100). [1]"
    ) in text
    assert "Unverified MLPerf® v5.1 Inference Closed resnet Offline, available. Retrieved" in text
    assert "Result not verified by MLCommons Association. The MLPerf name and logo are" in text


def test_empty_cells_say_why(site: Path) -> None:
    text = parsed(site / ROUND / "index.html").text
    closed = text.partition("Closed division")[2].partition("Open division")[0]
    assert "bert no result not in this round" in closed
    box = next(p for p in (site / ROUND / "systems").iterdir() if p.name.startswith("acme-box"))
    missing = parsed(box).text.partition("Not measured")[2]
    assert "bert Offline benchmark not entered" in missing
    assert "resnet Server no result of this scenario, though the round requires it" in missing


def test_review_counts(site: Path) -> None:
    text = parsed(site / ROUND / "findings.html").text
    # results, invalid, errors, warnings, notes, waived, not evaluable, skipped, outliers
    assert "acme 4 1 1 1 0 1 1 1 0" in text
    assert "beta 2 0 0 0 0 0 0 0 0" in text
    assert "1 rule could not be judged" in text


def test_mixed_system_is_under_each_accelerator_and_apart(
    rows: Rows, write: Write, tmp_path: Path
) -> None:
    rows["systems"][0]["accelerator"] = "H100 (x4), L4 (x4)"
    render(write(rows), out=tmp_path / "site")
    for name in ("h100", "l4"):
        (page,) = [
            p
            for p in (tmp_path / "site" / "accelerators").iterdir()
            if p.name.startswith(f"{name}-")
        ]
        ranked, _, apart = parsed(page).text.partition("Systems that have other accelerators")
        assert "acme: box server, resnet Offline" in apart
        assert "1,000" not in ranked
    result = parsed(tmp_path / "site" / ROUND / "results" / "aa01.html").text
    assert "per accelerator \N{EN DASH} the system has several kinds of accelerators" in result


def test_what_is_no_number_is_called_so(rows: Rows, write: Write, tmp_path: Path) -> None:
    rows["metrics"][0]["value"] = float("nan")
    rows["power"][0]["efficiency"] = float("inf")
    render(write(rows), out=tmp_path / "site")
    page = parsed(tmp_path / "site" / ROUND / "results" / "aa01.html")
    assert "throughput not a number samples/s" in page.text
    raw = json.loads((tmp_path / "site" / ROUND / "results" / "aa01.json").read_bytes())
    assert raw["metrics"][0]["value"] is None
