"""Leaderboards in a browser, from disk: filter, sort, normalise, select, export, by keyboard."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mlcheck_report import render
from tests.report.browsing import ROUND, SHOWN, downloaded, fragment
from tests.report.conftest import EVIL, Rows, Write

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture
def page(opened: Page, site: Path) -> Page:
    """All results of the round."""
    opened.goto(f"{site.as_uri()}/{ROUND}/all.html")
    return opened


def order(page: Page, section: int = 0) -> list[str | None]:
    lines = page.locator(".board").nth(section).locator("tr[data-i]").all()
    return [line.get_attribute("data-i") for line in lines]


# What the focused element is known by.
FOCUSED = """(({name, className, type, parentElement}) =>
  name || className || parentElement.dataset?.k || type || "")(document.activeElement)"""


@pytest.mark.parametrize(
    ("name", "value", "left"),
    [
        ("division", "open", 2),
        ("type", "edge", 2),
        ("availability", "preview", 2),
        ("scenario", "SingleStream", 2),
        ("scenario", "none", 1),
        ("submitter", "acme", 4),
        ("accelerator", EVIL[2], 2),
        ("accelerator", "none", 3),
        ("verdict", "policy", 7),
        ("verdict", "official", 7),
        ("verdict", "differ", 2),
        ("power", "measured", 1),
        ("rule", "SYS003", 2),
    ],
)
def test_filter_narrows_the_rows(page: Page, name: str, value: str, left: int) -> None:
    page.select_option(f"select[name={name}]", value)
    assert page.locator(SHOWN).count() == left
    assert page.locator("output").inner_text() == f"{left} of 8 results"
    assert fragment(page).startswith(f"{name}=")


def test_search_and_reset(page: Page) -> None:
    page.fill("input[name=q]", "BOX offline")
    assert page.locator(SHOWN).count() == 1
    page.fill("input[name=q]", "nowhere")
    assert page.locator("#nothing").is_visible()
    page.click("button[type=reset]")
    page.wait_for_function("location.hash === ''")
    assert page.locator(SHOWN).count() == 8


def test_sort_flips(page: Page) -> None:
    head = page.locator("th[data-k=value]").first
    assert order(page) == ["0", "1", "2"]
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert order(page) == ["2", "0", "1"]
    head.get_by_role("button").focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    assert order(page) == ["1", "0", "2"]
    assert fragment(page) == "sort=value"


@pytest.mark.parametrize(
    ("mode", "texts", "unit", "says"),
    [
        ("accelerator", ["200.0", "125.0", "n/a: no number"], "per accelerator", "÷ accelerators"),
        ("node", ["1,000", "800", "2,500"], "per node", "÷ number of nodes"),
        ("watt", ["n/a: no power"] * 3, "per W", "÷ average power"),
    ],
)
def test_normalisation(page: Page, mode: str, texts: list[str], unit: str, says: str) -> None:
    before = page.locator("td.v").all_inner_texts()
    page.check(f"input[name=per][value={mode}]")
    cells = page.locator(".board").first.locator("td.v").all_inner_texts()
    assert sorted(cell.strip() for cell in cells) == sorted(texts)
    assert page.locator(".board .u").first.inner_text().endswith(unit)
    assert "not an official MLPerf® metric" in page.locator("#formula").inner_text()
    assert says in page.locator("#formula").inner_text()
    assert fragment(page) == f"per={mode}"
    page.check("input[name=per][value='']")
    assert page.locator("td.v").all_inner_texts() == before


def test_times_are_not_normalised(page: Page) -> None:
    page.check("input[name=per][value=node]")
    board = page.locator(".group", has_text="SingleStream").first
    assert {text.strip() for text in board.locator("td.v").all_inner_texts()} == {"n/a: a time"}


def test_mixed_systems_have_no_figure_per_accelerator(
    opened: Page, rows: Rows, write: Write, tmp_path: Path
) -> None:
    rows["systems"][0]["accelerator"] = "H100 (x4), L4 (x4)"
    render(write(rows), out=tmp_path / "site")
    opened.goto(f"{(tmp_path / 'site').as_uri()}/{ROUND}/all.html#accelerator=L4&per=accelerator")
    assert opened.locator(SHOWN).count() == 2
    assert opened.locator("tr[data-i='0'] td.v").inner_text().strip() == "n/a: mixed"


def test_view_survives_in_the_address(page: Page, site: Path) -> None:
    page.select_option("select[name=submitter]", "acme")
    page.select_option("select[name=division]", "closed")
    page.locator("th[data-k=name] button").first.click()
    state = fragment(page)
    assert state == "division=closed&sort=name&submitter=acme"
    page.goto("about:blank")
    page.goto(f"{site.as_uri()}/{ROUND}/all.html#{state}")
    assert page.locator(SHOWN).count() == 4
    assert page.locator("th[data-k=name]").first.get_attribute("aria-sort") == "ascending"
    assert fragment(page) == state


def test_back_and_forward(page: Page) -> None:
    page.select_option("select[name=division]", "open")
    page.select_option("select[name=scenario]", "Offline")
    assert page.locator(SHOWN).count() == 1
    page.go_back()
    assert page.locator(SHOWN).count() == 2
    assert page.locator("select[name=scenario]").input_value() == ""
    page.go_back()
    assert page.locator(SHOWN).count() == 8
    page.go_forward()
    assert page.locator(SHOWN).count() == 2


def test_unknown_state_is_ignored(page: Page, site: Path) -> None:
    state = "division=moon&sort=%3Cb%3E&per=x&s=zz,%22&verdict=%25&__proto__=1"
    page.goto(f"{site.as_uri()}/{ROUND}/all.html#{state}")
    assert page.locator(SHOWN).count() == 8


def test_board_of_one_benchmark(opened: Page, site: Path) -> None:
    (board,) = (site / ROUND / "boards").glob("resnet-offline-*")
    opened.goto(board.as_uri())
    assert opened.locator(SHOWN).count() == 3
    assert opened.locator("figure.chart").count() >= 1
    opened.select_option("select[name=submitter]", "acme")
    assert opened.locator(SHOWN).count() == 2
    assert not opened.locator("figure.chart").first.is_visible()  # charts show all rows
    opened.locator("tr[data-i='0'] th a").click()
    opened.wait_for_url("**/results/aa01.html")


def test_select_and_compare(page: Page) -> None:
    compare = page.locator("button[name=compare]")
    assert compare.is_disabled()
    page.locator("tr[data-i='0'] input.pick").check()
    page.locator("tr[data-i='1'] input.pick").check()
    assert compare.inner_text() == "Compare 2 selected"
    assert re.fullmatch(r"s=[0-9a-f]{8},[0-9a-f]{8}", fragment(page))
    page.reload()
    assert page.locator("tr[data-i='0'] input.pick").is_checked()
    compare.click()
    page.wait_for_url("**/compare.html#s=*")
    heads = page.locator("#results thead th a").all_inner_texts()
    assert heads == ["box server", EVIL[1]]


def test_csv_and_json_are_what_is_shown(page: Page, tmp_path: Path) -> None:
    page.select_option("select[name=scenario]", "Offline")
    path = downloaded(page, "csv", tmp_path)
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert path.name == f"{ROUND}.csv"
    assert [line["id"] for line in lines] == ["aa01", "aa05", "aa03", "aa07"]
    assert lines[0]["result"] == "1000"
    assert lines[0]["result_unit"] == "samples/s"
    assert lines[0]["per_accelerator_derived"] == "125"
    assert lines[2]["accuracy_margin_percent"].startswith("-7.5")  # a number stays one
    assert lines[3]["system"].startswith("'=HYPERLINK(")
    assert lines[1]["submitter"] == "<script>alert(1)</script>"
    data = json.loads(downloaded(page, "json", tmp_path).read_text(encoding="utf-8"))
    assert data["view"] == "scenario=Offline"
    assert [row["id"] for row in data["results"]] == ["aa01", "aa05", "aa03", "aa07"]
    assert data["results"][0]["per_node_derived"] == 1000


def test_copy_link(page: Page) -> None:
    page.select_option("select[name=division]", "open")
    page.click("button[name=link]")
    page.locator("button[name=link]", has_text=re.compile("Copied|Not copied")).wait_for()


def test_keyboard_walk(page: Page) -> None:
    """From the top by keyboard alone: skip link, filter, sort, select, compare."""
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.wait_for_function("document.activeElement.id === 'main'")
    seen = []
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(FOCUSED))
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
        if seen[-1] == "pick":
            break
    assert [
        name
        for name in ("q", "division", "per", "csv", "rank", "value", "pick")
        if name not in seen
    ] == []
    page.keyboard.press("Space")
    assert page.locator("button[name=compare]").is_enabled()
