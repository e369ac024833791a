"""Read the description of a system, ``systems/SYSTEM.json``, and what it says of the device.

Descriptions are written by hand. One that is no JSON only because of commas before closing brackets
is read all the same, so that the device is known; that it is none stays a finding.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mlcheck.documents import Document, read_document
from mlcheck.suites.mobile.facts import Facts, plain
from mlcheck.suites.mobile.values import text
from mlcheck.tree import Tree

_STRING_OR_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])', re.DOTALL)
_NOTHING = {"", "na", "none"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """A description as it was read.

    Attributes:
        document: as strict readers see it.
        fields: all that could be read, also where the document is no JSON; empty: nothing.
        twice: names that one object gives twice; only the last value of them counts.
        stated: facts by the names of the rule file.
    """

    document: Document
    fields: Mapping[str, Any] = field(default_factory=dict)
    twice: tuple[str, ...] = ()
    stated: Mapping[str, str] = field(default_factory=dict)

    @property
    def mended(self) -> bool:
        """Whether it could be read only without its stray commas."""
        return bool(self.document.problem) and bool(self.fields)


def read_description(tree: Tree, path: str, facts: Facts) -> Description:
    """Read a description. Never raises, whatever the bytes."""
    document = read_document(tree, path)
    fields = document.fields or _without_stray_commas(document.text)
    return Description(
        document=document,
        fields=fields,
        twice=tuple(_given_twice(document.text)) if fields else (),
        stated=stated(fields, facts),
    )


def _without_stray_commas(source: str) -> Mapping[str, Any]:
    cleaned = _STRING_OR_COMMA.sub(lambda m: "" if m[0] == "," else m[0], source)
    try:
        value = json.loads(cleaned)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _given_twice(source: str) -> Iterator[str]:
    found: list[str] = []

    def pairs(given: list[tuple[str, Any]]) -> dict[str, Any]:
        names = Counter(name for name, _ in given)
        found.extend(name for name, times in names.items() if times > 1)
        return dict(given)

    cleaned = _STRING_OR_COMMA.sub(lambda m: "" if m[0] == "," else m[0], source)
    try:
        json.loads(cleaned, object_pairs_hook=pairs)
    except (ValueError, RecursionError):
        return
    yield from found


def members(fields: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the facts of a description, plain or in groups."""
    for name, value in fields.items():
        if isinstance(value, Mapping):
            yield from value.items()
        else:
            yield name, value


def stated(fields: Mapping[str, Any], facts: Facts) -> dict[str, str]:
    """Return what a description states, by the names of the rule file."""
    given: dict[str, str] = {}
    for name, value in members(fields):
        said = " ".join((text(value) or "").split())
        if plain(said) not in _NOTHING:
            given.setdefault(plain(str(name)), said)
    found = {}
    for fact, names in facts.description["names"].items():
        known = next((given[plain(name)] for name in names if plain(name) in given), None)
        if known:
            found[fact] = known
    return found
