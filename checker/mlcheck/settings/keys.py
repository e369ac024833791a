"""What can be set, in a settings file, by the environment and on the command line."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mlcheck.output.formats import Format
from mlcheck.output.summary import Gate


class SettingsError(Exception):
    """A setting is wrong; the message says which and where."""


class Kind(StrEnum):
    """What a value may be."""

    TEXT = "text"
    CHOICE = "one of"
    FLAG = "true or false"
    NUMBER = "a whole number"
    LIST = "texts"  # add up over all places they are given in, unless the key says otherwise
    REASONED = "texts, or a table of texts with reasons"
    FILE = "a file"


class Stage(StrEnum):
    """How far a submission is built."""

    PERFORMANCE = "performance"
    AUDIT = "audit"
    FINAL = "final"


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One thing that can be set."""

    name: str
    kind: Kind
    about: str
    default: Any = None
    choices: tuple[str, ...] = ()
    adds_up: bool = False
    least: int = 0

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return f"MLCHECK_{self.name.upper().replace('-', '_')}"


_ALL = (
    Key(name="suite", kind=Kind.TEXT, about="suite; found by the folders"),
    Key(name="round", kind=Kind.TEXT, about="round, such as v5.1; found by the logs"),
    Key(name="submitter", kind=Kind.TEXT, about="judge this submitter alone"),
    Key(name="select", kind=Kind.LIST, about="run only rules whose ids begin so", default=()),
    Key(
        name="ignore",
        kind=Kind.LIST,
        about="do not run rules whose ids begin so",
        default=(),
        adds_up=True,
    ),
    Key(
        name="tolerate",
        kind=Kind.REASONED,
        about="run them, but let pass what they find: it is counted and does not fail",
        default=(),
        adds_up=True,
    ),
    Key(
        name="gate",
        kind=Kind.CHOICE,
        about="whose word decides the exit code",
        default=Gate.POLICY.value,
        choices=tuple(Gate),
    ),
    Key(
        name="stage",
        kind=Kind.CHOICE,
        about="how far the submission is built; rules of later stages are not run",
        default=Stage.FINAL.value,
        choices=tuple(Stage),
    ),
    Key(name="partial", kind=Kind.FLAG, about="do not ask for what is not there", default=False),
    Key(name="waivers", kind=Kind.FILE, about="file of waivers"),
    Key(name="baseline", kind=Kind.FILE, about="file of findings that are known"),
    Key(
        name="format",
        kind=Kind.CHOICE,
        about="format on standard output",
        default=Format.TEXT.value,
        choices=tuple(Format),
    ),
    Key(name="output", kind=Kind.LIST, about="FORMAT=FILE to write as well", default=()),
    Key(name="verbose", kind=Kind.FLAG, about="text: every finding", default=False),
    Key(name="statistics", kind=Kind.FLAG, about="text: a line per rule", default=False),
    Key(name="max-findings", kind=Kind.NUMBER, about="show so many, the gravest"),
    Key(name="jobs", kind=Kind.NUMBER, about="processes; one per processor", least=1),
    Key(name="cache", kind=Kind.FLAG, about="keep what was judged for the next run", default=True),
)
KEYS: Mapping[str, Key] = {key.name: key for key in _ALL}
_WORDS = {"true": True, "1": True, "on": True, "yes": True, "false": False, "0": False}
_WORDS |= {"off": False, "no": False}


def read(key: Key, value: Any, where: str) -> Any:
    """Return a value as a key wants it.

    Raises:
        SettingsError: it is of another kind.
    """
    made = _READERS[key.kind](key, value)
    if made is None:
        wanted = key.kind.value
        if key.choices:
            wanted += f" {', '.join(key.choices)}"
        raise SettingsError(f"{where}: {key.name} must be {wanted}, not {value!r}")
    return made


def read_text(key: Key, text: str, where: str) -> Any:
    """Return a value from the text of an environment variable; lists have commas between."""
    if key.kind in (Kind.LIST, Kind.REASONED):
        return read(key, [part.strip() for part in text.split(",") if part.strip()], where)
    if key.kind is Kind.FLAG:
        return read(key, _WORDS.get(text.strip().lower()), where)
    if key.kind is Kind.NUMBER:
        return read(key, int(text) if text.strip().isdecimal() else text, where)
    return read(key, text, where)


def _text(_: Key, value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _choice(key: Key, value: Any) -> str | None:
    return str(value) if value in key.choices else None


def _flag(_: Key, value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _number(key: Key, value: Any) -> int | None:
    fits = isinstance(value, int) and not isinstance(value, bool) and value >= key.least
    return value if fits else None


def _list(_: Key, value: Any) -> tuple[str, ...] | None:
    if isinstance(value, (list, tuple)) and all(isinstance(part, str) for part in value):
        return tuple(value)
    return None


def _reasoned(key: Key, value: Any) -> Mapping[str, str] | tuple[str, ...] | None:
    if isinstance(value, Mapping):
        return dict(value) if all(isinstance(text, str) for text in value.values()) else None
    return _list(key, value)


_READERS: Mapping[Kind, Callable[[Key, Any], Any]] = {
    Kind.TEXT: _text,
    Kind.FILE: _text,
    Kind.CHOICE: _choice,
    Kind.FLAG: _flag,
    Kind.NUMBER: _number,
    Kind.LIST: _list,
    Kind.REASONED: _reasoned,
}


def beside(file: str, path: str) -> str:
    """Return a path of a settings file as seen from here: it is relative to that file."""
    return os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(file)), path))
