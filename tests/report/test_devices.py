"""The map of devices and tasks: cells, shades, forerunners, software paths, and how it is shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mlcheck.engine import Job, verify
from mlcheck.normalize.write import write_tables
from mlcheck_report import render
from mlcheck_report.ages import age
from mlcheck_report.frames.devices import Devices, devices, heat_map
from mlcheck_report.frames.forerunners import line
from tests.mobile import cases
from tests.report.documents import pages, parsed
from tests.trees import copy_tree

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def row(system: str, value: float | None, **facts: Any) -> dict[str, Any]:
    return {
        "division": "closed",
        "submitter": "Acme",
        "system": system,
        "name": system,
        "soc": "Chip 8 Gen 2",
        "label": "super_resolution",
        "scenario": "SingleStream",
        "unit": "ms",
        "better": "lower",
        "verdict": "valid",
        "value": value,
        "round": "v5.0",
        "backend": "lib",
        "runtime": "SDK",
        "delegate": "NPU",
        "runs_on": "NPU",
    } | facts


def shown(*rows: dict[str, Any], earlier: tuple[dict[str, Any], ...] = ()) -> Devices:
    found = devices(rows, earlier)
    assert found is not None
    return found


def test_no_map_without_a_soc() -> None:
    assert devices([row("a", 1.0, soc=None)]) is None
    assert devices([]) is None


def test_shades_follow_the_share_of_the_best() -> None:
    rows = [row("best", 1.0), row("near", 1.2), row("half", 2.0), row("far", 50.0)]
    steps = {d.system: d.cells[0].step for d in shown(*rows).devices if d.cells[0]}
    assert steps == {"best": 5, "near": 5, "half": 3, "far": 1}


def test_the_best_valid_result_of_a_system_counts() -> None:
    rows = [row("a", 3.0), row("a", 2.0), row("a", 1.0, verdict="invalid")]
    (device,) = shown(*rows).devices
    assert device.cells[0] is not None
    assert device.cells[0].row["value"] == 2.0


def test_a_rate_is_better_if_higher() -> None:
    rate = {"unit": "samples/s", "better": "higher", "scenario": "Offline"}
    rows = [row("a", 100.0, **rate), row("a", 300.0, **rate), row("b", 150.0, **rate)]
    cells = {d.system: d.cells[0] for d in shown(*rows).devices}
    assert cells["a"]
    assert cells["b"]
    assert (cells["a"].row["value"], cells["a"].step, cells["b"].step) == (300.0, 5, 3)


def test_a_task_without_result_is_an_empty_cell() -> None:
    found = shown(row("a", 1.0), row("b", 1.0, label="object_detection"))
    assert [task.label for task in found.tasks] == ["object_detection", "super_resolution"]
    assert [[cell is None for cell in device.cells] for device in found.devices] == [
        [True, False],
        [False, True],
    ]


def test_gain_over_the_soc_before_it() -> None:
    earlier = (
        row("old", 4.0, round="v4.1", soc="Chip 8 Gen 1"),
        row("older", 2.5, round="v4.0", soc="Chip 8 Gen 1"),
        row("other-line", 2.0, round="v4.1", soc="Chip 7 Gen 1"),
        row("same", 2.0, round="v4.1", soc="chip 8 gen 2"),
        row("rival", 2.0, round="v4.1", soc="Chip 8 Gen 1", submitter="Bolt"),
        row("void", 3.0, round="v4.1", soc="Chip 8 Gen 1", verdict="invalid"),
        row("later", 3.0, round="v6.0", soc="Chip 8 Gen 1"),
    )
    found = shown(row("new", 2.0), earlier=earlier)
    cell = found.devices[0].cells[0]
    assert cell
    assert cell.before
    assert (cell.before.round, cell.before.soc, cell.before.gain) == ("v4.1", "Chip 8 Gen 1", 2.0)
    assert found.gains
    assert not shown(row("new", 2.0)).gains


@pytest.mark.parametrize(
    ("soc", "expected"),
    [
        ("Qualcomm Snapdragon 8 Gen 3 Mobile Platform", "qualcomm snapdragon 8"),
        ("Qualcomm Snapdragon 8s Gen 3 Mobile Platform", "qualcomm snapdragon 8s"),
        ("Qualcomm Snapdragon 7 Plus Gen 2 Mobile Platform", "qualcomm snapdragon 7 plus"),
        ("Qualcomm Snapdragon 8 Elite Mobile Platform", "qualcomm snapdragon 8"),
        ("exynos2300", "exynos"),
        ("Exynos 2400", "exynos"),
        ("Chip(TM) X", "chip x"),
        ("", ""),
    ],
)
def test_lines_of_soc(soc: str, expected: str) -> None:
    assert line(soc) == expected


def test_rounds_are_ordered_by_their_numbers() -> None:
    assert age("v4.1") < age("v5.0") < age("v10.0")
    assert age("draft") == ()


def test_software_paths_are_counted() -> None:
    rows = [row("a", 1.0), row("b", None), row("c", 1.0, delegate=None, label="x")]
    first, second = shown(*rows).paths
    assert (first.results, first.systems, first.delegate) == (2, ("a", "b"), "NPU")
    assert (second.results, second.delegate, second.tasks) == (1, None, ("x",))


def test_the_drawing_has_what_the_table_has() -> None:
    old = (row("old", 4.0, round="v4.1", soc="Chip 8 Gen 1", text="4.0", page="old.html"),)
    rows = [
        row("new", 2.0, text="2.000", page="new.html"),
        row("far", 50.0, text="50.00", page="far.html"),
        row("far", 7.0, label="object_detection", text="7.00", page="seen.html"),
    ]
    chart = heat_map(shown(*rows, earlier=old), "source")
    assert {(tile.text, tile.more, tile.step, tile.href) for tile in chart.tiles} == {
        ("2.000", "2.000\N{MULTIPLICATION SIGN} v4.1", 5, "new.html"),
        ("50.00", "0.08000\N{MULTIPLICATION SIGN} v4.1", 1, "far.html"),
        ("7.00", "", 5, "seen.html"),
    }
    at = {tile.href: (tile.x, tile.y) for tile in chart.tiles}
    assert at["far.html"][0] == at["new.html"][0] > at["seen.html"][0]  # by task
    assert at["far.html"][1] == at["seen.html"][1] != at["new.html"][1]  # by device
    assert [word.text for word in chart.words if word.anchor == "middle"] == [
        "object_",
        "detection ms",
        "super_",
        "resolution ms",
    ]
    left, top, right, bottom = chart.box
    assert all(left <= tile.x < right and top <= tile.y < bottom for tile in chart.tiles)


@pytest.fixture
def site(scratch: Path) -> Path:
    """The site of the example, in which one SoC has a hostile name."""
    root = copy_tree(cases.EXAMPLE, scratch / "tree")
    name = {"system.Processor Name": "<script>alert(1)</script> & 8"}
    cases.apply({"file": "closed/Bolt/systems/bolt-b2.json", "set": name}, root)
    report = verify(Job(root=str(root), suite="mobile", round="v5.0"), jobs=1)
    list(write_tables(report, scratch / "tables"))
    render(scratch / "tables", out=scratch / "site")
    return scratch / "site" / "mobile-v5.0"


def test_the_page_says_units_and_escapes(site: Path) -> None:
    text = (site / "devices.html").read_text(encoding="utf-8")
    assert "SingleStream, ms, lower is better" in text
    assert "Offline, samples/s, higher is better" in text
    assert "<script>alert(1)" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; 8" in text
    assert text.count('class="none"') == 2  # Bolt has no stable diffusion, in either table
    assert "no target" in text
    assert "libtflitebackend" in text
    assert text.count('<rect class="h') == 13
    whole = (site / "all.html").read_text(encoding="utf-8")
    assert ">SoC</th>" in whole
    assert "devices.html" in whole


def test_no_official_tool_is_spoken_of_where_there_is_none(site: Path) -> None:
    spoken = {}
    for path in (*pages(site), site.parent / "index.html"):
        text = parsed(path).text.casefold()
        spoken[path.name] = "recorded by the app" in text
        assert "official tool" not in text, path.name
    assert spoken["index.html"]
    assert spoken["all.html"]
    assert all(spoken[path.name] for path in (site / "results").glob("*.html"))
    glossary = parsed(site.parent / "about.html").text
    assert "The suite has no official checker" in glossary
    assert "Valid for the official tool" not in glossary


@pytest.mark.browser
def test_it_fits_a_phone_without_script(browser: Browser, site: Path) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto((site / "devices.html").as_uri())
    box = page.locator("table.map").first.bounding_box()
    region = page.locator("[aria-label='Results by SoC and task']").bounding_box()
    assert box
    assert region
    assert region["width"] <= 390 < box["width"]  # it scrolls in its own region
    assert page.locator("table.map").first.locator("td a").count() == 13
    context.close()
