"""Links of a site: every relative one leads to a file of the site, every fragment to an id."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from html import unescape

_LINK = re.compile(rb'\s(?:href|src)="([^"]*)"')
_ID = re.compile(rb'\sid="([^"]*)"')
_ELSEWHERE = ("https:", "data:")


def dead_links(files: Mapping[str, bytes]) -> list[tuple[str, str]]:
    """Return page and target of each link that leads nowhere, in the order of the pages.

    Args:
        files: content by path from the root; attributes of pages stand in double quotes.
    """
    ids = {name: set(_ID.findall(text)) for name, text in files.items() if name.endswith(".html")}
    return [
        (name, link)
        for name in ids
        for link in _relative(files[name])
        if not _leads(name, link, files, ids)
    ]


def _relative(text: bytes) -> Iterator[str]:
    for raw in dict.fromkeys(_LINK.findall(text)):
        link = unescape(raw.decode("utf-8", "replace"))
        if not link.startswith(_ELSEWHERE):
            yield link


def _leads(page: str, link: str, files: Mapping[str, bytes], ids: Mapping[str, set[bytes]]) -> bool:
    target, _, fragment = link.partition("#")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target)) if target else page
    if path not in files:
        return False
    # A fragment with "=" is the state of a view, not a place.
    return not fragment or "=" in fragment or fragment.encode() in ids.get(path, set())
