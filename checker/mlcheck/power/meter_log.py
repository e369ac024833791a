"""Read the log of the meter's software, ``ptd_logs.txt``: its errors and warnings, all of them.

Lines are ``MM-DD-YYYY HH:MM:SS.mmm: TEXT``; a header and some continuations carry no time.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from enum import StrEnum

import msgspec

from mlcheck.power.integrate import Window
from mlcheck.power.samples import time_ms
from mlcheck.tree import Unreadable

_STAMP = re.compile(r"\d\d-\d\d-\d{4} \d\d:\d\d:\d\d.\d\d\d")
_CHECKING = re.compile(r"Uncertainty checking for Yokogawa\S+ is activated")
_WANTED = re.compile(r"WARNING:|ERROR:|Go with mark|Completed test|Uncertainty checking for ")


class Level(StrEnum):
    """How the meter's software calls a line."""

    WARNING = "WARNING"
    ERROR = "ERROR"


_LEVELS = {"WARNING:": Level.WARNING, "ERROR:": Level.ERROR}  # a warning is read first


class Line(msgspec.Struct, frozen=True, gc=False):
    """A line of interest. ``time``: as its clock showed it, in ms since 1970; None: no time."""

    number: int
    time: float | None
    text: str


class Complaint(msgspec.Struct, frozen=True, gc=False):
    """An error or a warning: its level, and the text behind that word."""

    line: int
    time: float | None
    level: Level
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterLog:
    """What the software of a meter logged.

    Attributes:
        starts: lines ``Go with mark 'MARK'``, in order, as (mark, line).
        ends: lines ``Completed test``.
        checking: lines that say that uncertainty is checked.
        complaints: errors and warnings in order; of a line with both the warning comes first.
        not_text: the file is not UTF-8.
    """

    path: str
    starts: tuple[tuple[str, Line], ...] = ()
    ends: tuple[Line, ...] = ()
    checking: tuple[Line, ...] = ()
    complaints: tuple[Complaint, ...] = ()
    not_text: bool = False
    problem: str | None = None

    def span(self, mark: str) -> Window | None:
        """Return when the measurement with a mark began and ended, as the clock showed it.

        None: one of the two is not logged.
        """
        for named, line in self.starts:
            if named == mark and line.time is not None:
                later = (end for end in self.ends if end.number > line.number)
                end = next(later, None)
                if end is None or end.time is None:
                    return None
                return Window(begin_ms=line.time, end_ms=end.time)
        return None


def meter_log(path: str, raw: bytes | Unreadable) -> MeterLog:
    """Return what a log holds. Never raises."""
    if isinstance(raw, Unreadable):
        return MeterLog(path=path, problem=raw.reason)
    starts: list[tuple[str, Line]] = []
    ends: list[Line] = []
    checking: list[Line] = []
    complaints: list[Complaint] = []
    text = raw.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    for number, whole in enumerate(text.split("\n"), 1):
        if not _WANTED.search(whole):
            continue
        line = _line(number, whole)
        for word, level in _LEVELS.items():
            found = whole.partition(word)[2]
            if found:
                complaints.append(Complaint(number, line.time, level, found.strip()))
        message = line.text.strip()
        if message.startswith(": Go with mark '") and message.endswith("'"):
            starts.append((message[16:-1], line))
        elif message == ": Completed test":
            ends.append(line)
        if _CHECKING.search(whole):
            checking.append(line)
    return MeterLog(
        path=path,
        starts=tuple(starts),
        ends=tuple(ends),
        checking=tuple(checking),
        complaints=tuple(complaints),
        not_text=_not_text(raw),
    )


def _line(number: int, whole: str) -> Line:
    stamp = _STAMP.match(whole)
    if stamp is None:
        return Line(number, None, whole)
    return Line(number, _time(stamp[0]), whole[stamp.end() :])


@functools.lru_cache(8)  # the lines about one sample follow each other with one time
def _time(stamp: str) -> float | None:
    try:
        return time_ms(stamp)
    except ValueError:  # such as month 13
        return None


def _not_text(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return True
    return False
