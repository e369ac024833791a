"""Small JSON documents and texts written by people: bytes -> value with its place, or why not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mlcheck.tree import Tree, Unreadable, join

LARGEST_DOCUMENT = 4 << 20  # bytes; descriptions are a few KiB


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A JSON object, or the reason why there is none.

    Attributes:
        fields: the object; empty if ``problem`` is set.
        problem: what is wrong, with ``line`` as its place (0: the whole file).
        byte_order_mark: the file starts with one, which strict readers refuse.
        lines: names from the outermost to a member -> its line, where the reader kept them.
    """

    path: str
    text: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    problem: str | None = None
    line: int = 0
    byte_order_mark: bool = False
    lines: Mapping[tuple[str, ...], int] = field(default_factory=dict)

    def line_of(self, name: str) -> int:
        """Return the line of the first member of that name; 0: it is not there as plain text."""
        found = re.search(re.escape(json.dumps(name)) + r"\s*:", self.text)
        return self.text.count("\n", 0, found.start()) + 1 if found else 0

    def line_at(self, names: Sequence[str]) -> int:
        """Return the line of a member of a member, by the names that lead to it; 0: not found."""
        if self.lines:
            return self.lines.get(tuple(names), 0)
        position = 0
        for name in names:  # in JSON a member stands after the name of the object that holds it
            found = re.compile(re.escape(json.dumps(name)) + r"\s*:").search(self.text, position)
            if found is None:
                return 0
            position = found.start()
        return self.text.count("\n", 0, position) + 1 if names else 0

    def at(self, names: Sequence[str]) -> Any:
        """Return a member of a member; None: it is not there, or null."""
        value: Any = self.fields
        for name in names:
            value = value.get(name) if isinstance(value, dict) else None
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonText:
    """Whatever a JSON file holds, or the reason why it cannot be read, with its line."""

    path: str
    text: str = ""
    value: Any = None
    problem: str | None = None
    line: int = 0
    byte_order_mark: bool = False


def read_json_text(tree: Tree, path: str) -> JsonText:
    """Read a JSON file of whatever shape. Never raises, whatever the bytes."""
    raw = tree.read(path, LARGEST_DOCUMENT)
    if isinstance(raw, Unreadable):
        return JsonText(path=path, problem=raw.reason)
    mark = raw.startswith(b"\xef\xbb\xbf")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as err:
        line = raw.count(b"\n", 0, err.start) + 1
        return JsonText(path=path, problem=f"not UTF-8 at byte {err.start}", line=line)
    try:
        value = json.loads(text)
    except json.JSONDecodeError as err:
        return JsonText(path=path, text=text, problem=err.msg.lower(), line=err.lineno)
    except (ValueError, RecursionError) as err:  # a number of 5000 digits, 100,000 brackets
        return JsonText(path=path, text=text, problem=str(err)[:100])
    return JsonText(path=path, text=text, value=value, byte_order_mark=mark)


def read_document(tree: Tree, path: str) -> Document:
    """Read a JSON object. Never raises, whatever the bytes."""
    read = read_json_text(tree, path)
    if read.problem:
        return Document(path=path, text=read.text, problem=read.problem, line=read.line)
    if not isinstance(read.value, dict):
        kind = type(read.value).__name__
        return Document(path=path, text=read.text, problem=f"a {kind}, not an object", line=1)
    return Document(
        path=path, text=read.text, fields=read.value, byte_order_mark=read.byte_order_mark
    )


def document_in(tree: Tree, folder: str, name: str) -> Document | None:
    """Read a JSON document of a folder; None: it is not there."""
    here = tree.folder(folder)
    return read_document(tree, join(folder, name)) if here and name in here.files else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Lines of a text file. Bytes that are not UTF-8 are replaced and counted as ``stray``."""

    path: str
    lines: tuple[str, ...] = ()
    problem: str | None = None
    stray: int = 0  # line of the first byte that is not UTF-8; 0: none

    def numbered(self) -> Iterator[tuple[int, str]]:
        """Yield line number and line."""
        return enumerate(self.lines, 1)


def read_text(tree: Tree, path: str) -> Text:
    """Read a small text file. Never raises."""
    raw = tree.read(path, LARGEST_DOCUMENT)
    if isinstance(raw, Unreadable):
        return Text(path=path, problem=raw.reason)
    stray = 0
    try:
        text = raw.decode()
    except UnicodeDecodeError as err:
        stray = raw.count(b"\n", 0, err.start) + 1
        text = raw.decode("utf-8", "replace")
    return Text(path=path, lines=tuple(text.split("\n")), stray=stray)
