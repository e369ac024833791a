"""Rounds that differ from another round: a list of explicit changes, applied without surprises.

A change is like a JSON Patch operation (RFC 6902) with two additions: ``was``, the value that is
replaced, and ``why``. A typo cannot add a key silently, and an edit of a parent that a child did
not expect is noticed.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any


class RulesetError(Exception):
    """A rule file is wrong. Our mistake, never the submitter's."""


def apply_changes(
    parent: Mapping[str, Any], changes: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return a changed deep copy of ``parent``.

    Raises:
        RulesetError: a path is unknown, ``was`` does not match, or a change alters nothing.
    """
    document = copy.deepcopy(dict(parent))
    for change in changes:
        _apply(document, change)
    return document


def _apply(document: dict[str, Any], change: Mapping[str, Any]) -> None:
    operation, pointer = change["op"], change["path"]
    holder, key = _resolve(document, pointer)
    present = key in holder
    if operation == "add":
        if present:
            raise RulesetError(f"add {pointer}: is there already")
        holder[key] = copy.deepcopy(change["value"])
        return
    if not present:
        raise RulesetError(f"{operation} {pointer}: is not there")
    if operation == "remove":
        del holder[key]
        return
    if holder[key] != change["was"]:
        raise RulesetError(f"replace {pointer}: was {holder[key]!r}, not {change['was']!r}")
    if holder[key] == change["value"]:
        raise RulesetError(f"replace {pointer}: alters nothing")
    holder[key] = copy.deepcopy(change["value"])


def _resolve(document: dict[str, Any], pointer: str) -> tuple[dict[str, Any], str]:
    """Return the mapping that holds the last key of a JSON pointer, and that key."""
    if not pointer.startswith("/"):
        raise RulesetError(f"{pointer!r} is no JSON pointer")
    *way, key = (part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/"))
    holder: Any = document
    for part in way:
        holder = holder.get(part) if isinstance(holder, dict) else None
    if not isinstance(holder, dict):
        raise RulesetError(f"{pointer}: nothing there that could hold {key!r}")
    return holder, key


def differences(old: Any, new: Any, pointer: str = "") -> list[tuple[str, Any, Any]]:
    """List the leaves in which two documents differ, as (pointer, old, new); None: absent."""
    if isinstance(old, dict) and isinstance(new, dict):
        found: list[tuple[str, Any, Any]] = []
        for key in sorted({*old, *new}, key=str):
            step = str(key).replace("~", "~0").replace("/", "~1")
            found += differences(old.get(key), new.get(key), f"{pointer}/{step}")
        return found
    return [] if old == new else [(pointer, old, new)]
