"""Drawings as pixels, light and dark, against reviewed ones: places, shapes, colours; not letters.

Letters are hidden, since fonts differ between machines. `--update-golden` rewrites.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mlcheck_report import render
from tests.conftest import GOLDEN
from tests.report.browsing import ROUND
from tests.report.conftest import Rows, Write, power
from tests.report.test_charts import with_sizes

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
DRAWINGS = GOLDEN / "drawings"
KINDS = ("ranking", "scaling", "power", "accuracy", "power-trace")
MOST = 0.0002  # share of pixels that may differ; a mark in another place is twice as many
# Share of the pixels of two PNG files that differ by more than a shade.
DIFFERENCE = """async ([one, other]) => {
  const pixels = async (data) => {
    const image = new Image();
    image.src = "data:image/png;base64," + data;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.getContext("2d").getImageData(0, 0, image.width, image.height);
  };
  const [a, b] = [await pixels(one), await pixels(other)];
  if (a.width !== b.width || a.height !== b.height) return 1;
  let differ = 0;
  for (let at = 0; at < a.data.length; at += 4)
    differ += [0, 1, 2].some((n) => Math.abs(a.data[at + n] - b.data[at + n]) > 24);
  return differ / (a.width * a.height);
}"""


@pytest.fixture
def drawn(rows: Rows, write: Write, tmp_path: Path) -> Path:
    """A site with every kind of drawing; its results differ in size, accuracy and power."""
    with_sizes(rows, [8, 16, 64])
    for place, watts in enumerate((300.0, 900.0, 2000.0)):
        rows["power"].append(power(f"bb{place:02}") | {"average_w": watts})
    for point in rows["power_trace"]:
        point["result_id"] = "bb00"
    render(write(rows), out=tmp_path / "site")
    return tmp_path / "site"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_drawings_look_as_reviewed(
    browser: Browser, drawn: Path, scheme: Any, request: pytest.FixtureRequest
) -> None:
    (board,) = (drawn / ROUND / "boards").iterdir()
    page = browser.new_page(viewport={"width": 1000, "height": 900}, color_scheme=scheme)
    differ = {}
    for kind in KINDS:
        path = drawn / ROUND / "results" / "bb00.html" if kind == "power-trace" else board
        page.goto(path.as_uri())
        page.evaluate("for (const text of document.querySelectorAll('text')) text.remove()")
        figure = page.locator(f"figure[id^=chart-{kind}] .drawing svg").last
        seen = figure.screenshot()
        golden = DRAWINGS / f"{kind}-{scheme}.png"
        if request.config.getoption("--update-golden"):
            DRAWINGS.mkdir(exist_ok=True)
            golden.write_bytes(seen)
        both = [base64.b64encode(png).decode() for png in (seen, golden.read_bytes())]
        page.goto("about:blank")
        share = page.evaluate(DIFFERENCE, both)
        if share > MOST:
            differ[kind] = share
    page.close()
    assert differ == {}


def test_a_mark_in_another_place_is_seen(browser: Browser, drawn: Path) -> None:
    (board,) = (drawn / ROUND / "boards").iterdir()
    page = browser.new_page(viewport={"width": 1000, "height": 900})
    page.goto(board.as_uri())
    figure = page.locator("figure[id^=chart-scaling] .drawing svg")
    before = figure.screenshot()
    page.locator("figure[id^=chart-scaling] .drawing .mark").first.evaluate(
        "mark => mark.setAttribute('transform', 'translate(400 100)')"
    )
    both = [base64.b64encode(png).decode() for png in (before, figure.screenshot())]
    page.goto("about:blank")
    assert page.evaluate(DIFFERENCE, both) > MOST
    page.close()
