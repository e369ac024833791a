"""What can go wrong with a store or a question, in words for the person who asked."""

from __future__ import annotations


class AskError(Exception):
    """A question that cannot be answered; the text says why and what to do."""


class StoreError(AskError):
    """The store cannot be read or written; the text says which and why."""


class MissingExtraError(AskError):
    """An optional library is not installed; the text says how to get it."""
