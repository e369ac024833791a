"""The comparison in a browser: chosen systems, baseline, what differs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.report.browsing import ROUND, downloaded, fragment
from tests.report.conftest import EVIL

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


@pytest.fixture
def versus(opened: Page, site: Path) -> Page:
    """The comparison."""
    opened.goto(f"{site.as_uri()}/{ROUND}/compare.html")
    return opened


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


def test_cards_on_a_phone(versus: Page) -> None:
    versus.set_viewport_size({"width": 390, "height": 844})
    versus.select_option("select[name=per]", "node")  # the script has written the tables
    for name in ("results", "facts"):
        cells = versus.locator(f"#{name} tbody td")
        assert cells.count() > 2
        for cell in cells.all():
            box = cell.bounding_box()
            assert cell.get_attribute("data-l")
            assert box
            assert box["x"] + box["width"] <= 390
    assert (
        versus.locator("#results").evaluate("table => getComputedStyle(table).display") == "block"
    )
