"""Pages as a parser of HTML sees them."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path


class Document(HTMLParser):
    """Elements with attributes, text, ids."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.inline = ""  # what stands inside script and style elements
        self.data: list[tuple[str, str]] = []  # value and text of <data>
        self._inside = ""
        self.feed(text)
        self.text = " ".join(self.text.split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag
        if tag == "data":
            self.data.append((dict(attrs)["value"] or "", ""))
        self.text += " "

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside in ("script", "style"):
            self.inline += data.strip()
        else:
            self.text += data
        if self._inside == "data":
            value, text = self.data[-1]
            self.data[-1] = (value, text + data)

    def all(self, tag: str, attribute: str) -> list[str]:
        found = [attributes.get(attribute) for name, attributes in self.tags if name == tag]
        return [value for value in found if value is not None]


def parsed(path: Path) -> Document:
    """Return a page of a site."""
    return Document(path.read_text(encoding="utf-8"))


def pages(site: Path) -> list[Path]:
    """Return all pages of a site."""
    return sorted(site.rglob("*.html"))
