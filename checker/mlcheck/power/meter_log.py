"""Read the log of the meter's software, ``ptd_logs.txt``: its errors and warnings, all of them.

Lines are ``MM-DD-YYYY HH:MM:SS.mmm: TEXT``; a header and some continuations carry no time.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import msgspec

from mlcheck.power.integrate import Window
from mlcheck.power.samples import time_ms
from mlcheck.tree import Unreadable

_STAMP = re.compile(r"\d\d-\d\d-\d{4} \d\d:\d\d:\d\d.\d\d\d")
_STAMPED = 23  # characters
_CHECKING = re.compile(r"Uncertainty checking for Yokogawa\S+ is activated")
_MARKS = ("Go with mark", "Completed test", "Uncertainty checking for ")


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
    """An error or a warning: its level, and the text behind that word.

    ``count``: while the ranges are found, equal complaints about every sample are one, at the first
    of their lines.
    """

    line: int
    time: float | None
    level: Level
    text: str
    count: int = 1


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
    text = raw.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    lines = [_line(text, begin, number) for begin, number, _ in _places(text, _MARKS)]
    messages = [(line, line.text.strip()) for line in lines]
    starts = tuple(
        (message[16:-1], line)
        for line, message in messages
        if message.startswith(": Go with mark '") and message.endswith("'")
    )
    ends = tuple(line for line, message in messages if message == ": Completed test")
    return MeterLog(
        path=path,
        starts=starts,
        ends=ends,
        checking=tuple(line for line in lines if _CHECKING.search(line.text)),
        complaints=tuple(_complaints(text, *_ranging(starts, ends))),
        not_text=_not_text(raw),
    )


def _ranging(starts: Sequence[tuple[str, Line]], ends: Sequence[Line]) -> tuple[int, int]:
    """Return the numbers of the lines between which the ranges are found; 0, 0: nowhere."""
    first = next((line.number for mark, line in starts if mark.endswith("_ranging")), 0)
    last = next((line.number for line in ends if line.number > first), 0)
    return (first, last) if first and last else (0, 0)


def _complaints(text: str, first: int, last: int) -> list[Complaint]:
    """Return complaints in order of their lines; equal ones between two lines only once."""
    words, levels = tuple(_LEVELS), tuple(_LEVELS.values())
    found: list[Complaint] = []
    known: dict[tuple[int, str, bool], int] = {}  # in ranging: place in the list
    counts: dict[int, int] = {}
    for begin, number, n in _places(text, words):
        line = _line(text, begin, number)
        complaint = line.text.partition(words[n])[2].strip()
        if not complaint:
            continue
        if first < number < last:
            place = known.setdefault((n, complaint, line.time is None), len(found))
            counts[place] = counts.get(place, 0) + 1
            if place < len(found):
                continue
        found.append(Complaint(number, line.time, levels[n], complaint))
    for place, count in counts.items():
        found[place] = msgspec.structs.replace(found[place], count=count)
    return found


def _line(text: str, begin: int, number: int) -> Line:
    """Return the line that begins at a place, without its time."""
    end = text.find("\n", begin)
    time = _time(text[begin : begin + _STAMPED])
    rest = begin if time is None else begin + _STAMPED
    return Line(number, time, text[rest : end if end >= 0 else len(text)])


def _places(text: str, words: tuple[str, ...]) -> Iterator[tuple[int, int, int]]:
    """Yield where each line begins that holds a word, its number, and which word it is.

    In order of the lines; of a line with several words in order of ``words``. A log has a hundred
    thousand lines: it is searched as a whole.
    """
    found = set[tuple[int, int]]()
    for n, word in enumerate(words):
        at = text.find(word)
        while at >= 0:
            found.add((text.rfind("\n", 0, at) + 1, n))
            at = text.find(word, at + 1)
    number, before = 1, 0
    for begin, n in sorted(found):
        number += text.count("\n", before, begin)
        before = begin
        yield begin, number, n


@functools.lru_cache(8)  # the lines about one sample follow each other with one time
def _time(stamp: str) -> float | None:
    try:
        return time_ms(stamp) if _STAMP.fullmatch(stamp) else None
    except ValueError:  # such as month 13
        return None


def _not_text(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return True
    return False
