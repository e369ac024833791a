"""Submitted text as something that a terminal, a log or a page shows and does not obey."""

from __future__ import annotations


def printable(text: str) -> str:
    """Return a submitted text so that a terminal shows it and does not obey it."""
    shown = text.encode("utf-8", "backslashreplace").decode()
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)
