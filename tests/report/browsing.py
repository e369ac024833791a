"""What tests in a browser do with a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROUND = "inference-v5.1"
SHOWN = "tr[data-i]:visible"  # the rows of leaderboards that filters leave


def fragment(page: Page) -> str:
    return page.url.partition("#")[2]


def downloaded(page: Page, name: str, folder: Path) -> Path:
    with page.expect_download() as download:
        page.click(f"button[name={name}]")
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path
