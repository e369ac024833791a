"""Accessibility: axe-core finds nothing by WCAG 2.2 AA, in light and dark, wide and narrow."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.report.axe import axe_core
from tests.report.documents import pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
ROUND = "inference-v5.1"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """async tags => {
  const only = {runOnly: {type: "tag", values: tags}, resultTypes: ["violations"]};
  return (await axe.run(document, only)).violations.map(({id, impact, nodes}) =>
    `${id} (${impact}), ${nodes.length} times: ${nodes[0].html.slice(0, 200)}`);
}"""


def violations(page: Page) -> list[str]:
    found: list[str] = page.evaluate(RUN, TAGS)
    return found


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light")])
def test_no_page_has_violations(browser: Browser, site: Path, width: int, scheme: Any) -> None:
    script = axe_core()
    if script is None:
        pytest.skip("axe-core cannot be had from the npm registry")
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True
    )
    page = context.new_page()
    found = {}
    for path in pages(site):
        page.goto(path.as_uri())
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        page.evaluate(script)
        wrong = violations(page)
        if wrong:
            found[path.relative_to(site).as_posix()] = wrong
    context.close()
    assert found == {}
