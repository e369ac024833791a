"""Read the samples of a power meter: ``spl.txt``, as PTDaemon writes it.

A line is ``Time,MM-DD-YYYY HH:MM:SS.mmm,Watts,W,Volts,V,Amps,A,PF,P,Mark,NAME``, after which the
channels of the meter may follow, each ``ChN,Watts,W,Volts,V,Amps,A,PF,P``. Time stamps carry no
zone: :mod:`mlcheck.power.clocks` says what they mean.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec

from mlcheck.power.integrate import Samples
from mlcheck.tree import Unreadable

TIME_FORMAT = "%m-%d-%Y %H:%M:%S.%f"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NAMES = ["Volts", "Amps", "PF", "Mark"]
_CHANNEL = 9  # cells of a channel: its name, and four pairs


class Reading(msgspec.Struct, frozen=True, gc=False):
    """One sample: watts, volts, amperes, power factor, mark; watts and amperes by channel.

    What is not there or no number is nan. ``line`` is that of the log.
    """

    line: int
    watts: float
    volts: float
    amps: float
    power_factor: float
    mark: str
    channel_watts: tuple[float, ...] = ()
    channel_amps: tuple[float, ...] = ()

    @property
    def largest_amps(self) -> float:
        """The current of the channel with the most; of one channel its own. May be nan."""
        if not self.channel_amps:
            return self.amps
        return max((amps for amps in self.channel_amps if amps == amps), default=self.amps)


@dataclass(frozen=True, kw_only=True)
class SampleLog:
    """n readings in file order.

    Attributes:
        times_ms: clock readings in ms since 1970, as if they were UTC.
        watts: may hold nan and infinity, if the meter wrote them.
        readings: all that the meter read.
        torn_line: the first sample without a time and a number of watts; 0: none.
        stray_line: the first line that is no sample; 0: none.
    """

    path: str
    times_ms: tuple[float, ...] = ()
    watts: tuple[float, ...] = ()
    readings: tuple[Reading, ...] = ()
    torn_line: int = 0
    stray_line: int = 0
    problem: str | None = None

    @functools.cached_property
    def largest_amps(self) -> float | None:
        """The largest current of any channel; None: none is logged."""
        return _largest(reading.largest_amps for reading in self.readings)

    @functools.cached_property
    def largest_volts(self) -> float | None:
        """The largest voltage; None: none is logged."""
        return _largest(reading.volts for reading in self.readings)

    @property
    def unreal_line(self) -> int:
        """The first sample whose watts are no finite number; 0: none."""
        unreal = (each.line for each in self.readings if not math.isfinite(each.watts))
        return next(unreal, 0)

    def samples(self, offset_ms: float = 0) -> Samples:
        """Return the samples in UTC, given how far the clock was ahead of it."""
        return Samples([time - offset_ms for time in self.times_ms], self.watts)


def sample_log(path: str, raw: bytes | Unreadable) -> SampleLog:
    """Return the samples that a log holds. Never raises."""
    if isinstance(raw, Unreadable):
        return SampleLog(path=path, problem=raw.reason)
    times: list[float] = []
    readings: list[Reading] = []
    torn_line = stray_line = 0
    for number, line in enumerate(raw.decode("utf-8", "replace").removesuffix("\n").split("\n"), 1):
        if not line.startswith("Time"):
            stray_line = stray_line or number
            continue
        cells = line.rstrip("\r").split(",")
        try:
            time, watts = time_ms(cells[1]), float(cells[3])
        except (IndexError, ValueError):
            torn_line = torn_line or number
            continue
        times.append(time)
        readings.append(_reading(number, watts, cells))
    return SampleLog(
        path=path,
        times_ms=tuple(times),
        watts=tuple(reading.watts for reading in readings),
        readings=tuple(readings),
        torn_line=torn_line,
        stray_line=stray_line,
    )


def time_ms(text: str) -> float:
    """Return what a clock showed, ``MM-DD-YYYY HH:MM:SS.mmm``, in ms since 1970, as if it was UTC.

    Raises:
        ValueError: it is printed in another way.
    """
    seconds, milliseconds = text[17:19], text[20:]
    if len(text) == 23 and text[16:20:3] == ":." and (seconds + milliseconds).isdecimal():
        minute = _minute_ms(text[:16])  # far faster than to decode each
        if minute is not None and int(seconds) < 60:
            return minute + 1000 * int(seconds) + int(milliseconds)
    return _ms(datetime.strptime(text, TIME_FORMAT))


@functools.lru_cache(64)
def _minute_ms(text: str) -> float | None:
    try:
        return _ms(datetime.strptime(text, TIME_FORMAT[:-6]))
    except ValueError:
        return None


def _ms(shown: datetime) -> float:
    passed = shown.replace(tzinfo=UTC) - _EPOCH
    return passed.days * 86_400_000 + passed.seconds * 1000 + passed.microseconds / 1000


def shown(time: float) -> str:
    """Return a time in ms since 1970 as logs print it."""
    try:
        text = datetime.fromtimestamp(time / 1000, UTC).strftime(TIME_FORMAT)
    except (OverflowError, ValueError, OSError):
        return f"{time:.0f} ms"
    return text[:-3]


def _reading(number: int, watts: float, cells: list[str]) -> Reading:
    """Decode the cells of a line; members may come in any order up to the first channel."""
    if cells[4:12:2] == _NAMES:
        try:
            volts, amps, factor, mark = float(cells[5]), float(cells[7]), float(cells[9]), cells[11]
            channel_watts = tuple(map(float, cells[14::_CHANNEL]))
            channel_amps = tuple(map(float, cells[18::_CHANNEL]))
        except (IndexError, ValueError):
            pass
        else:
            return Reading(number, watts, volts, amps, factor, mark, channel_watts, channel_amps)
    begins = (at for at, cell in enumerate(cells) if at > 3 and cell.startswith("Ch"))
    first = next(begins, len(cells))
    named = dict(zip(cells[4:first:2], cells[5:first:2], strict=False))
    volts, amps, factor = (_number(named.get(name, "")) for name in _NAMES[:3])
    return Reading(
        number,
        watts,
        volts,
        amps,
        factor,
        named.get("Mark", ""),
        tuple(_number(cell) for cell in cells[first + 2 :: _CHANNEL]),
        tuple(_number(cell) for cell in cells[first + 6 :: _CHANNEL]),
    )


def _largest(values: Iterable[float]) -> float | None:
    return max((value for value in values if math.isfinite(value)), default=None)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
