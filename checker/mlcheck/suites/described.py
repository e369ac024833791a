"""Flaws of JSON documents that people write, in whatever suite: unreadable, marked, incomplete."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from mlcheck.documents import Document
from mlcheck.rules import Flaw


def unreadable(
    document: Document | None, what: str, expected: str = "a JSON object"
) -> Iterator[Flaw]:
    """Yield a flaw for a document that is there but cannot be read."""
    if document and document.problem:
        yield Flaw(
            path=document.path,
            line=document.line,
            message=f"{what} cannot be read",
            expected=expected,
            actual=document.problem,
            hint="mend the JSON at this line",
        )


def marked(document: Document | None, what: str) -> Iterator[Flaw]:
    """Yield a flaw for a document that starts with a byte order mark."""
    if document and document.byte_order_mark:
        yield Flaw(
            path=document.path,
            line=1,
            message=f"{what} starts with a byte order mark",
            hint="save it as UTF-8 without one: strict readers refuse it",
        )


def absent(document: Document, names: Iterable[str]) -> Iterator[Flaw]:
    """Yield one flaw per field that a document lacks."""
    for name in names:
        if name not in document.fields:
            yield Flaw(
                path=document.path,
                message=f"field {name} is missing",
                expected=name,
                hint=f'add "{name}"',
            )


def is_blank(value: Any) -> bool:
    """Tell whether a value says nothing: null, an empty text or list."""
    return value is None or value in ([], {}) or (isinstance(value, str) and not value.strip())
