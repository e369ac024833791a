"""What PTDaemon replies: identity of the meter, ranges, and summaries of a measurement.

Source: replies of PTDaemon 1.9 to 1.11 as server.json records them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from mlcheck.power.session import Message

_VERSION = re.compile(r"version=(?P<version>.+?)-")
_BUILT = re.compile(r"version=[^,]*-(\d{4})(\d{2})(\d{2})(?:,|$)")
AUTO = "Auto"


@dataclass(frozen=True, slots=True)
class Identity:
    """Reply to Identify. Empty texts and None: it does not say."""

    model: str
    version: str
    built: date | None


def identity(meter: Sequence[Message]) -> Identity | None:
    """Return who the meter says it is; None: it was not asked, or said nothing."""
    reply = next((each.reply for each in meter if each.command == "Identify"), "")
    if not reply:
        return None
    version, built = _VERSION.search(reply), _BUILT.search(reply)
    return Identity(
        model=reply.split(",")[0],
        version=version["version"] if version else "",
        built=_date(built) if built else None,
    )


def _date(found: re.Match[str]) -> date | None:
    try:
        return date(*(int(part) for part in found.groups()))
    except ValueError:
        return None


def first_ranges(meter: Sequence[Message]) -> tuple[str, str] | None:
    """Return the ranges of current and voltage that were set before the session.

    ``Ranges,AUTO,AMPS,AUTO,VOLTS``: AUTO is 0 where a range is fixed. None: the third message is
    no such reply.
    """
    reply = meter[2].reply.split(",") if len(meter) > 2 else []
    found = []
    for at in (1, 3):
        try:
            fixed = reply[at] == "0" and float(reply[at + 1]) > 0
        except (IndexError, ValueError):
            return None
        found.append(reply[at + 1] if fixed else AUTO)
    return found[0], found[1]


@dataclass(frozen=True, slots=True)
class Phase:
    """The messages of one measurement: the ranges set for it, its mark, and what followed it.

    ``amps`` and ``volts`` None: no number is set.
    """

    start: Message
    mark: str
    amps: float | None
    volts: float | None
    after: tuple[Message, ...]


def phases(meter: Sequence[Message]) -> Iterator[Phase]:
    """Yield the measurements of a session, in order: ``Go,INTERVAL,RAMPUP,MARK``."""
    ranges: dict[str, str] = {}
    starts = [at for at, message in enumerate(meter) if message.command.startswith("Go,")]
    for at, message in enumerate(meter):
        name, _, value = message.command.rpartition(",")
        if name in ("SR,A", "SR,V"):
            ranges[name] = value
        if at in starts:
            end = next((later for later in starts if later > at), len(meter))
            yield Phase(
                start=message,
                mark=message.command.split(",", 3)[-1] if message.command.count(",") > 2 else "",
                amps=_number(ranges.get("SR,A")),
                volts=_number(ranges.get("SR,V")),
                after=tuple(meter[at + 1 : end]),
            )


@dataclass(frozen=True, slots=True)
class Summary:
    """Reply to Watts or Uncertainty: mean, smallest and largest of n samples, and counts of them.

    Of ``Watts,AVG,MIN,MAX,N,BAD,GOOD`` counts are (BAD, GOOD), of ``Uncertainty,…,N,ABOVE,BELOW,
    UNKNOWN`` the samples above the limit, below it, and without a known uncertainty.
    """

    mean: float
    least: float
    most: float
    samples: int
    counts: tuple[int, ...]


def summary(messages: Sequence[Message], command: str) -> Summary | None:
    """Return the last summary of a measurement; None: there is none that can be read."""
    replies = [each.reply for each in messages if each.command == command]
    cells = replies[-1].split(",") if replies else []
    try:
        mean, least, most = (float(cell) for cell in cells[1:4])
        samples, *counts = (int(cell) for cell in cells[4:])
    except ValueError:
        return None
    if cells[0] != command or not math.isfinite(mean):
        return None
    return Summary(mean, least, most, samples, tuple(counts))


def _number(text: str | None) -> float | None:
    try:
        value = float(text) if text else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) else None
