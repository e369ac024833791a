"""Other pages in a browser: search, findings, citation, drawings; no script, narrow, served."""

from __future__ import annotations

import functools
import re
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.report.browsing import ROUND, SHOWN, fragment
from tests.report.documents import pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


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


def test_no_heading_runs_into_the_next(browser: Browser, site: Path) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 844})
    cut = []
    for path in pages(site):
        page.goto(path.as_uri())
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        heads = page.locator("thead th")
        widths = heads.evaluate_all("all => all.map(th => th.scrollWidth - th.clientWidth)")
        cut += [path.name for width in widths if width > 1]
    page.close()
    assert cut == []


def test_a_board_on_paper_is_a_table(browser: Browser, site: Path) -> None:
    """On A4 every column has room for its words; nothing is cut off."""
    page = browser.new_page(viewport={"width": 794, "height": 1123})
    page.emulate_media(media="print")
    page.goto(f"{site.as_uri()}/{ROUND}/all.html")
    table = page.locator(".board").first
    assert table.evaluate("table => getComputedStyle(table).display") == "table"
    for head in table.locator("thead th").all():
        box = head.bounding_box()
        assert box
        assert box["width"] > 25
        assert box["height"] < 60
    assert page.evaluate("document.documentElement.scrollWidth") <= 794
    assert not page.locator("input.pick:visible").count()
    page.close()


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


def test_a_round_served_from_a_sub_path(browser: Browser, site: Path) -> None:
    """The policy lets its own files in over HTTP as well, below any path."""

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
