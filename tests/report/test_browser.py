"""The page in a browser, from disk."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mlcheck_report import render

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Rows = dict[str, list[dict[str, Any]]]
Write = Callable[..., Path]

pytestmark = pytest.mark.browser
SHOWN = "tr[data-i]:visible"
CHROMIUM = Path("/usr/bin/chromium")  # else the one that playwright has installed itself


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        path = str(CHROMIUM) if CHROMIUM.exists() else None
        try:
            started = playwright.chromium.launch(
                executable_path=path, args=["--no-sandbox", "--disable-gpu"]
            )
        except api.Error as err:
            pytest.skip(f"no Chromium: {err.message.splitlines()[0]}")
        yield started
        started.close()


@pytest.fixture
def address(rows: Rows, write: Write, tmp_path: Path) -> str:
    return render(write(rows), tmp_path / "out")[1].as_uri()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """The page, opened; what it logged or asked for is checked when the test is over."""
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    logged: list[str] = []
    asked: list[str] = []
    opened.on("console", lambda message: logged.append(message.text))
    opened.on("pageerror", lambda error: logged.append(str(error)))
    opened.on("dialog", lambda dialog: logged.append(dialog.message))
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(address)
    yield opened
    opened.close()
    assert logged == []
    assert {url.partition("#")[0] for url in asked if not url.startswith(("data:", "blob:"))} <= {
        address
    }


def fragment(page: Page) -> str:
    return page.url.partition("#")[2]


def order(page: Page, section: int = 0) -> list[str | None]:
    lines = page.locator(".board").nth(section).locator("tr[data-i]").all()
    return [line.get_attribute("data-i") for line in lines]


@pytest.mark.parametrize(
    ("name", "value", "left"),
    [
        ("division", "open", 2),
        ("type", "edge", 2),
        ("availability", "preview", 2),
        ("scenario", "SingleStream", 2),
        ("scenario", "none", 1),
        ("submitter", "acme", 4),
        ("accelerator", "</script><script>alert(3)</script>", 2),
        ("verdict", "policy", 7),
        ("verdict", "official", 7),
        ("verdict", "differ", 2),
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


def test_switch_to_per_accelerator(page: Page) -> None:
    assert page.locator("tr[data-i='0'] td.v").inner_text().strip() == "1,000"
    page.check("input[name=per][value=accelerator]")
    assert page.locator("tr[data-i='0'] td.v").inner_text().strip() == "125.0"
    assert order(page) == ["1", "0", "2"]  # 200 before 125, what is undefined last
    assert page.locator("tr[data-i='2'] td.v").inner_text().strip() == "n/a"
    assert "not an official MLPerf® metric" in page.locator("#formula").inner_text()
    assert fragment(page) == "per=accelerator"


def test_view_survives_in_the_address(page: Page, address: str) -> None:
    page.select_option("select[name=submitter]", "acme")
    page.select_option("select[name=division]", "closed")
    page.locator("th[data-k=name] button").first.click()
    page.locator(SHOWN).first.get_by_role("link").click()
    state = fragment(page)
    assert state == "division=closed&r=aa01&sort=name&submitter=acme"
    page.goto("about:blank")
    page.goto(f"{address}#{state}")
    assert page.locator(SHOWN).count() == 4
    assert page.locator("th[data-k=name]").first.get_attribute("aria-sort") == "ascending"
    assert page.locator(".open #r-aa01").is_visible()
    assert fragment(page) == state


def test_unknown_state_is_ignored(page: Page, address: str) -> None:
    page.goto(f"{address}#division=moon&sort=%3Cb%3E&r=zz&verdict=%25")
    assert page.locator(SHOWN).count() == 8


def test_details_open_under_their_row(page: Page) -> None:
    link = page.locator("tr[data-i='0'] th a")
    link.click()
    assert link.get_attribute("aria-expanded") == "true"
    card = page.locator("tr[data-i='0'] + tr.open #r-aa01")
    assert "1000.0 as logged" in card.inner_text()
    assert "TensorRT" in card.inner_text()  # all facts of the system came along
    assert "MLPerf® Inference v5.1, closed division, resnet, Offline" in card.inner_text()
    place = card.locator("a", has_text="log-aa01.txt:33").first
    assert place.get_attribute("href") == (
        "https://github.com/mlcommons/results/blob/0123456789abcdef/"
        "closed/acme/box/resnet/Offline/log-aa01.txt#L33"
    )
    link.click()
    assert page.locator("tr.open").count() == 0
    assert page.locator(".cards #r-aa01").count() == 1


def test_link_to_a_result_opens_it(page: Page, address: str) -> None:
    page.select_option("select[name=division]", "open")
    page.goto(f"{address}#r-aa03")
    assert page.locator(".open #r-aa03").is_visible()


def test_csv_is_what_is_shown(page: Page, tmp_path: Path) -> None:
    page.select_option("select[name=scenario]", "Offline")
    with page.expect_download() as download:
        page.click("button[name=csv]")
    path = tmp_path / "shown.csv"
    download.value.save_as(path)
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [line["id"] for line in lines] == ["aa01", "aa05", "aa03", "aa07"]
    assert lines[0]["result"] == "1000"
    assert lines[0]["result_unit"] == "samples/s"
    assert lines[0]["per_accelerator_derived"] == "125"
    assert lines[2]["accuracy_margin_percent"].startswith("-7.5")  # a number stays one
    assert lines[3]["system"].startswith("'=HYPERLINK(")
    assert lines[1]["submitter"] == "<script>alert(1)</script>"


@pytest.mark.parametrize("width", [390, 800])
def test_small_screens_do_not_scroll_sideways(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.locator("tr[data-i='0'] th a").click()
    for part in page.locator("details:visible").all():
        part.evaluate("node => { node.open = true; }")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [390, 800])
def test_the_list_of_rounds_fits_small_screens(browser: Browser, address: str, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 844})
    page.goto(address.rpartition("/")[0] + "/index.html")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_all_is_there_without_script(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    assert page.locator(SHOWN).count() == 8
    assert not page.locator("#filters").is_visible()
    assert not page.locator("#r-aa01").is_visible()
    page.locator("tr[data-i='0'] th a").click()
    page.locator("#r-aa01").wait_for(state="visible")
    context.close()
