"""What accelerators a system has: several kinds told apart, notes taken out of the name.

Descriptions have one field for it, so submitters write lists ("A (x32), B (x16)") and limits of
power ("A (450W)") into the name. Nothing is dropped: what is taken out of the name is shown beside.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass

_TIMES = "[xX\N{MULTIPLICATION SIGN}]"
_AFTER = re.compile(
    rf"(?P<name>.+?)(?:\s*\(\s*{_TIMES}\s*(\d{{1,6}})\s*\)|\s{_TIMES}(\d{{1,6}}))\s*"
)
_BEFORE = re.compile(rf"(\d{{1,6}})\s*{_TIMES}\s+(?P<name>.+)")
_LIST = re.compile(r"\s*(?:,|;|\+|&|\band\b)\s*")
_LIMITED = re.compile(
    r"\s*[(\[](?P<note>[^()\[\]]*(?:\b\d+\s?W\b|\bTDP\b|\bTGP\b|\bpower|\bcap\b|\bcapped\b|max-?q)"
    r"[^()\[\]]*)[)\]]",
    re.IGNORECASE,
)
_SUFFIX = re.compile(r"[\s-]+(?P<note>Max-?Q|DLC|\d{2,4}\s?W)$", re.IGNORECASE)
_PREFIX = re.compile(r"(?P<note>virtuali[sz]ed)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of accelerator of a system. `count` None: the name does not say how many."""

    name: str
    count: int | None


@dataclass(frozen=True, slots=True)
class Accelerators:
    """The kinds of accelerators of a system, and what was said of them beside their names."""

    parts: tuple[Part, ...]
    notes: tuple[str, ...]

    @property
    def mixed(self) -> bool:
        """Whether there are several kinds: no figure per accelerator means anything then."""
        return len(self.parts) > 1

    @property
    def names(self) -> tuple[str, ...]:
        """The kinds."""
        return tuple(part.name for part in self.parts)


NOTHING = Accelerators((), ())


@functools.lru_cache(maxsize=4096)
def read(text: str | None) -> Accelerators:
    """Take the name of a description apart; a name that is no list stays one kind."""
    if text is None:
        return NOTHING
    pieces = _LIST.split(text)
    counted = [_counted(piece) for piece in pieces]
    if len(pieces) < 2 or any(piece is None for piece in counted):
        counted = [_counted(text) or Part(text, None)]
    notes: list[str] = []
    parts: dict[str, Part] = {}
    for part in counted:
        assert part is not None
        name, found = _without_notes(part.name)
        notes += [note for note in found if note not in notes]
        parts.setdefault(name.casefold(), Part(name, part.count))
    return Accelerators(tuple(parts.values()), tuple(notes))


def spellings(names: Iterable[str]) -> dict[str, str]:
    """Return for each spelling of a name the one that is used most: HBM3E and HBM3e are one."""
    counts: dict[str, dict[str, int]] = {}
    for name in names:
        of_name = counts.setdefault(name.casefold(), {})
        of_name[name] = of_name.get(name, 0) + 1
    return {
        name: max(of_name, key=lambda spelling: (of_name[spelling], spelling))
        for of_name in counts.values()
        for name in of_name
    }


def _counted(piece: str) -> Part | None:
    after, before = _AFTER.fullmatch(piece), _BEFORE.fullmatch(piece)
    if after:
        return Part(after["name"], int(after[2] or after[3]))
    return Part(before["name"], int(before[1])) if before else None


def _without_notes(name: str) -> tuple[str, list[str]]:
    notes = []
    for pattern in (_LIMITED, _SUFFIX, _PREFIX):
        found = pattern.search(name) if pattern is not _PREFIX else pattern.match(name)
        rest = (name[: found.start()] + name[found.end() :]).strip() if found else ""
        if found and rest:
            notes.append(found["note"].strip())
            name = rest
    return name, notes
