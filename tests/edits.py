"""The edits that a case makes to a tree: small, typed, and each insists on changing something.

A case lists them as ``- {do: NAME, path: PATH, …}``. Paths are relative to the case's ``at``; those
that start with ``/`` to the root of the tree. A path of something that is there may be a glob.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from tests.power_folder import add_power, adopt_session, meter_says, rehash, shift_clock
from tests.rounds.moved import moved

SUMMARY = "mlperf_log_summary.txt"


class Place:
    """A tree that is being edited, and the folder that paths are relative to."""

    def __init__(self, root: Path, at: str) -> None:
        self.root = root
        self.at = at

    def path(self, text: str) -> Path:
        """Return where something lies or will lie."""
        inside = text[1:] if text.startswith("/") else f"{self.at}/{text}"
        return self.root / inside.strip("/")

    def found(self, pattern: str) -> list[Path]:
        """Return what a path or glob matches; it has to match something."""
        inside = pattern[1:] if pattern.startswith("/") else f"{self.at}/{pattern}"
        found = sorted(self.root.glob(inside.strip("/")))
        if not found:
            raise ValueError(f"nothing is at {inside}")
        return found

    def rewrite(self, pattern: str, change: Callable[[str], str]) -> None:
        """Change the text of files; bytes that are not UTF-8 survive."""
        for path in self.found(pattern):
            before = path.read_bytes().decode("utf-8", "surrogateescape")
            after = change(before)
            if after == before:
                raise ValueError(f"{path}: nothing changed")
            path.write_bytes(after.encode("utf-8", "surrogateescape"))


class _Edit(
    msgspec.Struct,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="do",
    tag=lambda name: re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower(),
):
    path: str

    def apply(self, place: Place) -> None:
        raise NotImplementedError


# --- files and folders


class Delete(_Edit):
    def apply(self, place: Place) -> None:
        for path in place.found(self.path):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()


class Write(_Edit):
    text: str
    encoding: str = "utf-8"

    def apply(self, place: Place) -> None:
        path = place.path(self.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.text.encode(self.encoding))


class Prepend(_Edit):
    text: str
    encoding: str = "utf-8"

    def apply(self, place: Place) -> None:
        for path in place.found(self.path):
            path.write_bytes(self.text.encode(self.encoding) + path.read_bytes())


class Append(_Edit):
    text: str
    encoding: str = "utf-8"

    def apply(self, place: Place) -> None:
        for path in place.found(self.path):
            path.write_bytes(path.read_bytes() + self.text.encode(self.encoding))


class Replace(_Edit):
    """Put ``by`` where a pattern matches, ``^`` at every line; it has to match so many times."""

    find: str
    by: str
    times: int = 1

    def apply(self, place: Place) -> None:
        def change(text: str) -> str:
            changed, count = re.subn(self.find, self.by, text, flags=re.MULTILINE)
            if count != self.times:
                raise ValueError(f"{self.path}: {self.find} matches {count} times")
            return changed

        place.rewrite(self.path, change)


class Crlf(_Edit):
    def apply(self, place: Place) -> None:
        place.rewrite(self.path, lambda text: text.replace("\n", "\r\n"))


class Truncate(_Edit):
    """Cut files to so many bytes, or stretch them with a hole that takes no room on the disk."""

    bytes: int

    def apply(self, place: Place) -> None:
        for path in place.found(self.path):
            os.truncate(path, self.bytes)


class Copy(_Edit):
    to: str

    def apply(self, place: Place) -> None:
        (path,) = place.found(self.path)
        target = place.path(self.to)
        if path.is_dir():
            shutil.copytree(path, target, dirs_exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


class Move(_Edit):
    to: str

    def apply(self, place: Place) -> None:
        (path,) = place.found(self.path)
        target = place.path(self.to)
        target.parent.mkdir(parents=True, exist_ok=True)
        path.rename(target)


class Rename(_Edit):
    """Give all that matches another name, such as a benchmark in results and measurements."""

    name: str

    def apply(self, place: Place) -> None:
        for path in place.found(self.path):
            path.rename(path.with_name(self.name))


class CopyBeside(_Edit):
    """Copy every folder that matches to another name beside it."""

    name: str

    def apply(self, place: Place) -> None:
        for path in place.found(self.path):
            shutil.copytree(path, path.with_name(self.name))


class Mkdir(_Edit):
    def apply(self, place: Place) -> None:
        place.path(self.path).mkdir(parents=True)


class Link(_Edit):
    to: str

    def apply(self, place: Place) -> None:
        path = place.path(self.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(self.to)


class Fifo(_Edit):
    def apply(self, place: Place) -> None:
        os.mkfifo(place.path(self.path))


# --- JSON documents


class SetJson(_Edit):
    members: dict[str, Any]

    def apply(self, place: Place) -> None:
        _change_json(place, self.path, lambda document: document | self.members)


class DropJson(_Edit):
    names: list[str]

    def apply(self, place: Place) -> None:
        def without(document: dict[str, Any]) -> Mapping[str, Any]:
            if absent := set(self.names) - set(document):
                raise ValueError(f"{self.path} has no {absent}")
            return {name: value for name, value in document.items() if name not in self.names}

        _change_json(place, self.path, without)


def _change_json(
    place: Place, pattern: str, change: Callable[[dict[str, Any]], Mapping[str, Any]]
) -> None:
    def rewritten(text: str) -> str:
        return json.dumps(change(json.loads(text)), indent=2, sort_keys=True) + "\n"

    place.rewrite(pattern, rewritten)


# --- logs of LoadGen


class SetKey(_Edit):
    """Give a key of detail logs another value, and if told, the line of the summary beside it."""

    key: str
    value: Any
    summary: str | None = None

    def apply(self, place: Place) -> None:
        start = re.escape(f'"key": "{self.key}", "value": ')
        Replace(
            path=self.path,
            find=rf'({start}).*?(, "time_ms")',
            by=rf"\g<1>{json.dumps(self.value)}\g<2>",
        ).apply(place)
        for path in place.found(self.path) if self.summary else ():
            shown = self.value if isinstance(self.value, str) else json.dumps(self.value)
            Replace(
                path=f"/{(path.parent / SUMMARY).relative_to(place.root)}",
                find=rf"^(\s*{re.escape(self.summary or '')}\s*[:=]\s*).*$",
                by=rf"\g<1>{shown}",
            ).apply(place)


class DropKey(_Edit):
    key: str

    def apply(self, place: Place) -> None:
        line = rf'^:::MLLOG \{{"key": "{re.escape(self.key)}",.*\n'
        Replace(path=self.path, find=line, by="").apply(place)


class AddEvent(_Edit):
    """Insert an event before the results of detail logs."""

    key: str
    value: Any
    error: bool = False

    def apply(self, place: Place) -> None:
        metadata = {"is_error": self.error, "is_warning": False}
        event = {"key": self.key, "value": self.value, "time_ms": 1.0, "metadata": metadata}
        Replace(
            path=self.path,
            find=r'^(?=:::MLLOG \{"key": "requested_scenario")',
            by=f":::MLLOG {json.dumps(event)}\n".replace("\\", "\\\\"),
        ).apply(place)


class Power(_Edit):
    """Add a power measurement to scenario folders: see :mod:`tests.power_folder`."""

    def apply(self, place: Place) -> None:
        for path in place.found(self.path):
            add_power(place.root, path)


class Rehash(_Edit):
    """Record the hashes of files as they are now, as somebody would who knows of the hashes."""

    def apply(self, place: Place) -> None:
        for path in place.found(self.path):
            rehash(path)


class SetMember(_Edit):
    """Set a member of a JSON document, by a JSON pointer."""

    pointer: str
    value: Any

    def apply(self, place: Place) -> None:
        def change(document: dict[str, Any]) -> Mapping[str, Any]:
            *above, last = self.pointer.removeprefix("/").split("/")
            inner: Any = document
            for name in above:
                inner = (
                    inner[int(name)] if isinstance(inner, list) else inner[name.replace("~1", "/")]
                )
            inner[int(last) if isinstance(inner, list) else last.replace("~1", "/")] = self.value
            return document

        _change_json(place, self.path, change)


class MeterSays(_Edit):
    """Put lines into the log of the meter, so many seconds after the load of testing began."""

    lines: list[str]
    second: float = 300

    def apply(self, place: Place) -> None:
        for path in place.found(self.path):
            meter_says(path, self.lines, self.second)


class AdoptSession(_Edit):
    """Let the power session of a result pretend to be that of another one."""

    of: str

    def apply(self, place: Place) -> None:
        (path,), (other,) = place.found(self.path), place.found(self.of)
        adopt_session(path, other)


class ShiftClock(_Edit):
    """Let the clock that wrote a file show another time, from the first stamp after ``since`` on.

    ``path`` names files; ``since`` is a stamp as logs print it, empty: from the beginning.
    """

    minutes: float
    since: str = ""

    def apply(self, place: Place) -> None:
        for path in place.found(self.path):
            shift_clock(path, self.minutes, self.since)


class ToRound(_Edit):
    """Make the tree one of a round that keeps everything in the scenario folder (from v6.0 on)."""

    round: str
    loadgen: str

    def apply(self, place: Place) -> None:
        moved(place.path(self.path), self.round, self.loadgen)


Edit = (
    Delete
    | Write
    | Prepend
    | Append
    | Replace
    | Crlf
    | Truncate
    | Copy
    | Move
    | Rename
    | CopyBeside
    | Mkdir
    | Link
    | Fifo
    | SetJson
    | DropJson
    | SetKey
    | DropKey
    | AddEvent
    | Power
    | Rehash
    | SetMember
    | MeterSays
    | ShiftClock
    | AdoptSession
    | ToRound
)
