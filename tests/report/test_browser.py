"""The site in a browser, from disk: what a reader does with it."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mlcheck_report import render
from tests.report.conftest import EVIL, Rows, Write
from tests.report.documents import pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
ROUND = "inference-v5.1"
SHOWN = "tr[data-i]:visible"


@pytest.fixture
def site(rows: Rows, write: Write, tmp_path: Path) -> Path:
    render(write(rows), out=tmp_path / "site")
    return tmp_path / "site"


@pytest.fixture
def opened(browser: Browser, site: Path) -> Iterator[Page]:
    """A page of the site; what it logged or asked for is checked when the test is over."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    logged: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: logged.append(message.text))
    page.on("pageerror", lambda error: logged.append(str(error)))
    page.on("dialog", lambda dialog: logged.append(dialog.message))
    page.on("request", lambda request: asked.append(request.url))
    yield page
    page.close()
    assert logged == []
    own = (site.as_uri(), "data:", "blob:", "about:")
    assert [url for url in asked if not url.startswith(own)] == []


@pytest.fixture
def page(opened: Page, site: Path) -> Page:
    """All results of the round."""
    opened.goto(f"{site.as_uri()}/{ROUND}/all.html")
    return opened


@pytest.fixture
def versus(opened: Page, site: Path) -> Page:
    """The comparison."""
    opened.goto(f"{site.as_uri()}/{ROUND}/compare.html")
    return opened


def fragment(page: Page) -> str:
    return page.url.partition("#")[2]


def order(page: Page, section: int = 0) -> list[str | None]:
    lines = page.locator(".board").nth(section).locator("tr[data-i]").all()
    return [line.get_attribute("data-i") for line in lines]


# What the focused element is known by.
FOCUSED = """(({name, className, type, parentElement}) =>
  name || className || parentElement.dataset?.k || type || "")(document.activeElement)"""

# leaderboards


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


def downloaded(page: Page, name: str, folder: Path) -> Path:
    with page.expect_download() as download:
        page.click(f"button[name={name}]")
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


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


# comparison


def test_script_and_build_agree_on_the_example(versus: Page, browser: Browser, site: Path) -> None:
    with_script = versus.locator("#comparison").inner_text()
    context = browser.new_context(
        java_script_enabled=False, viewport={"width": 1280, "height": 900}
    )
    plain = context.new_page()
    plain.goto(f"{site.as_uri()}/{ROUND}/compare.html")
    assert plain.locator("#comparison").inner_text() == with_script
    context.close()
    assert fragment(versus) == ""


def test_choose_systems_baseline_and_mode(versus: Page) -> None:
    options = versus.locator("#systems option").evaluate_all("all => all.map(o => o.value)")
    cpu = next(text for text in options if "cpu server" in text)
    versus.fill("input[name=add]", cpu)
    assert versus.locator("#chosen li").count() == 3
    state = fragment(versus)
    assert re.fullmatch(r"s=([0-9a-f]{8},){2}[0-9a-f]{8}", state)
    versus.select_option("select[name=base]", index=1)
    versus.select_option("select[name=per]", "node")
    assert "÷ number of nodes" in versus.locator("#formula").inner_text()
    assert "Baseline: " + EVIL[1] in versus.locator("#results caption").inner_text()
    assert "base=" in fragment(versus)
    versus.locator("#chosen button").first.click()
    assert versus.locator("#chosen li").count() == 2
    versus.go_back()
    assert versus.locator("#chosen li").count() == 3


def test_rows_shared_by_all(versus: Page) -> None:
    before = versus.locator("#results tbody tr").count()
    options = versus.locator("#systems option").evaluate_all("all => all.map(o => o.value)")
    versus.fill("input[name=add]", next(text for text in options if "cpu server" in text))
    versus.select_option("select[name=rows]", "shared")
    assert versus.locator("#results tbody tr").count() < before


def test_comparison_as_data(versus: Page, tmp_path: Path) -> None:
    data = json.loads(downloaded(versus, "json", tmp_path).read_text(encoding="utf-8"))
    best = [row for row in data["results"] if row["scenario"] == "SingleStream"]
    assert [row["ratio_to_baseline_derived"] for row in best] == [1, 2]
    assert downloaded(versus, "csv", tmp_path).read_text(encoding="utf-8").startswith("suite,round")


def test_difference_is_marked_by_more_than_colour(versus: Page) -> None:
    row = versus.locator("#facts tr", has_text="Submitter")
    assert row.inner_text().startswith("≠")


# other pages


def test_search_of_the_site(opened: Page, site: Path) -> None:
    opened.goto(f"{site.as_uri()}/search.html")
    opened.fill("input[name=q]", "box")
    assert opened.locator(".entries li:visible").all_inner_texts() == [
        "box server acme, closed, inference v5.1"
    ]
    assert fragment(opened) == "q=box"


def test_tables_of_findings_sort(opened: Page, site: Path) -> None:
    opened.goto(f"{site.as_uri()}/{ROUND}/findings.html")
    table = opened.locator("table.sortable").first
    table.get_by_role("button", name="Errors").click()
    assert table.locator("tbody th").first.inner_text() == "acme"
    assert table.locator("thead th").nth(3).get_attribute("aria-sort") == "descending"


def test_citation_has_the_day(opened: Page, site: Path) -> None:
    opened.goto(f"{site.as_uri()}/{ROUND}/results/aa01.html")
    assert re.search(r"on \d{4}-\d\d-\d\d\. MLPerf result ID", opened.locator("#cite").inner_text())
    assert opened.get_by_role("button", name="Copy citation").is_visible()


@pytest.mark.parametrize(("kind", "begins"), [("SVG", b"<svg"), ("PNG", b"\x89PNG")])
def test_charts_can_be_downloaded(
    opened: Page, site: Path, tmp_path: Path, kind: str, begins: bytes
) -> None:
    (board,) = (site / ROUND / "boards").glob("resnet-offline-*")
    opened.goto(board.as_uri())
    with opened.expect_download() as download:
        opened.locator("figure.chart").first.get_by_role("button", name=kind).click()
    path = tmp_path / "chart"
    download.value.save_as(path)
    content = path.read_bytes()
    assert content.startswith(begins)
    if kind == "SVG":
        assert b"not verified by MLCommons" in content
        assert b"Ranking: resnet Offline" in content
        assert b"class=" not in content
        assert b"<script" not in content
        opened.goto(path.rename(site / "chart.svg").as_uri())
        assert opened.locator("rect").count() > 2


@pytest.mark.parametrize("width", [390, 800])
def test_no_page_scrolls_sideways(browser: Browser, site: Path, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 844})
    wide = []
    for path in pages(site):
        page.goto(path.as_uri())
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        if page.evaluate("document.documentElement.scrollWidth") > width:
            wide.append(path.name)
    page.close()
    assert wide == []


def test_all_is_there_without_script(browser: Browser, site: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site.as_uri()}/{ROUND}/all.html")
    assert page.locator(SHOWN).count() == 8
    assert not page.locator("#filters").is_visible()
    page.locator("tr[data-i='0'] th a").click()
    page.wait_for_url("**/results/aa01.html")
    assert "1,000 samples/s" in page.locator("main").inner_text()
    for name in ("search.html", f"{ROUND}/compare.html", "history/index.html"):
        page.goto(f"{site.as_uri()}/{name}")
        assert page.locator("main a").count() > 2
        assert not page.locator("form:visible").count()
    context.close()


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


def test_a_round_served_from_a_sub_path(browser: Browser, site: Path) -> None:
    """The policy lets its own files in over HTTP as well, below any path."""
    import functools
    import threading
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    handler = functools.partial(Quiet, directory=str(site.parent))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page()
        logged: list[str] = []
        page.on("console", lambda message: logged.append(message.text))
        page.goto(f"http://127.0.0.1:{server.server_port}/site/{ROUND}/all.html#division=open")
        assert page.locator(SHOWN).count() == 2
        assert logged == []
        page.close()
        server.shutdown()
