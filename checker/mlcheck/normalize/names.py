"""Names of accelerators and processors: what is written, and the one name that tables show.

The reviewed tables are ``rules/names/*.yaml``. A text is tidied (case, white space, trademark
signs, counts) and looked up as a whole; nothing is guessed. What is not in the table stays as it is
written and is told apart.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlcheck import resources
from mlcheck.overlay import RulesetError
from mlcheck.ruleset import read_yaml, validate

KINDS = ("accelerators", "processors")
_SIGNS = re.compile(r"\((?:r|tm|c)\)|[®™©]", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*[,;&]\s*|\s+(?:\+|/|and)\s+", re.IGNORECASE)
_COUNT = re.compile(r"^\d+\s*x\s+|^\d+x(?=[a-z])|\s*\(\s*x?\s*\d+\s*x?\s*\)$|\s+x\s*\d+$")
_NODE = re.compile(r"\s*\((?:on )?[^()]*node[^()]*\)$|\s*\((?P<of>[^()]*)\)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part that is known by a name."""

    name: str
    vendor: str
    family: str


@dataclass(frozen=True, slots=True)
class Named:
    """What a text names.

    Attributes:
        known: names of the parts in it, in their order, each once.
        unknown: parts of the text that no table has.
    """

    known: tuple[str, ...]
    unknown: tuple[str, ...]

    def text(self, raw: str) -> str:
        """Return one text for all of it: the names, or what was written if one is unknown."""
        return raw if self.unknown else " + ".join(sorted(self.known))


class Names:
    """The names of one kind of part."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Index a document that fits ``schemas/names.schema.json``.

        Raises:
            RulesetError: two parts share a name or an alias.
        """
        self._drop = tuple(re.compile(pattern) for pattern in document["drop"])
        self._parts: dict[str, Part] = {}
        self.parts: dict[str, Part] = {}
        for entry in document["names"]:
            part = Part(name=entry["name"], vendor=entry["vendor"], family=entry["family"])
            self.parts[part.name] = part
            for alias in (part.name, *entry.get("aliases", ())):
                if self._parts.setdefault(_tidy(alias), part) is not part:
                    raise RulesetError(f"rules/names: {alias!r} names two parts")

    def named(self, text: str) -> Named:
        """Return what a text names; several parts may stand in it."""
        whole = self._part(text)
        if whole:
            return Named((whole.name,), ())
        pieces = [piece for piece in _BETWEEN.split(text) if piece.strip()]
        found = {piece: self._part(piece) for piece in pieces}
        known = dict.fromkeys(part.name for part in found.values() if part)
        unknown = [piece.strip() for piece, part in found.items() if part is None]
        if not known:
            return Named((), (text,))
        return Named(tuple(known), tuple(unknown))

    def _part(self, text: str) -> Part | None:
        key = _tidy(text)
        while key not in self._parts:
            shorter = self._shorter(key)
            if shorter == key:
                return None
            key = shorter
        return self._parts[key]

    def _shorter(self, key: str) -> str:
        """Remove one thing that is no part of a name: a count, a node, a trait of the table."""
        for pattern in (_COUNT, *self._drop):
            shorter = pattern.sub("", key).strip()
            if shorter != key:
                return shorter
        node = _NODE.search(key)
        if node and (node["of"] is None or node["of"] in _families()):
            return key[: node.start()].strip()
        return key


@functools.cache
def names(kind: str, root: Path | None = None) -> Names:
    """Return the names of ``accelerators`` or ``processors``.

    Raises:
        RulesetError: the table is wrong.
    """
    return Names(_document(kind, root))


@functools.cache
def _document(kind: str, root: Path | None = None) -> dict[str, Any]:
    path = (root or resources.rules_root()) / "names" / f"{kind}.yaml"
    document = read_yaml(path)
    validate(document, "names", path.name)
    return document


@functools.cache
def _families() -> frozenset[str]:
    """Return the families of accelerators: a processor may name the one whose node it is in."""
    return frozenset(_tidy(entry["family"]) for entry in _document("accelerators")["names"])


def _tidy(text: str) -> str:
    return " ".join(_SIGNS.sub("", text).split()).casefold()
