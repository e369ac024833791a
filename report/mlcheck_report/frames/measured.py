"""How well a power measurement was made: facts with their units, and its course over time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from mlcheck_report.charts.drawing import Chart, Texts
from mlcheck_report.charts.trace import Reading, trace
from mlcheck_report.frames.ranked import Record
from mlcheck_report.frames.shape import Round
from mlcheck_report.frames.sources import source
from mlcheck_report.numbers import significant

_LARGE = 9999.5  # what four digits cannot show
DASH = "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class Measurement:
    """The quality of one measurement as it is shown; texts, with their units.

    `row` is its result.
    """

    row: Record
    power: Record

    @property
    def meter(self) -> str:
        """Model and software of the meter."""
        return ", ".join(filter(None, (self.power["meter"], self.power["method"])))

    @property
    def average(self) -> str:
        """Average power in the window."""
        return _with(self.power["average_w"], "W")

    @property
    def energy(self) -> str:
        """Energy inside the window."""
        value, prefix = self.power["energy_j"], ""
        for larger in ("k", "M", "G"):
            if value is not None and abs(value) >= _LARGE:
                value, prefix = value / 1000, larger
        return _with(value, f"{prefix}J")

    @property
    def seconds(self) -> float | None:
        """Length of the window."""
        begin, end = self.power["begin_ms"], self.power["end_ms"]
        return None if begin is None or end is None else (end - begin) / 1000

    @property
    def window(self) -> str:
        """The window, its beginning in UTC."""
        begin = self.power["begin_ms"]
        if self.seconds is None:
            return DASH
        try:
            text = datetime.fromtimestamp(begin / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        except (OverflowError, ValueError, OSError):
            text = "at no date"
        return f"{significant(self.seconds)} s from {text}"

    @property
    def samples(self) -> str:
        """Readings inside the window, and how many of them are of no use."""
        count, unused = self.power["samples"], self.power["unused"]
        if count is None:
            return DASH
        return f"{count:,}, {unused:,} of no use" if unused else f"{count:,}"

    @property
    def coverage(self) -> str:
        """Share of the window without gaps."""
        share = self.power["coverage"]
        return DASH if share is None else f"{100 * share:.4g} %"

    @property
    def gap(self) -> str:
        """Longest time without a usable reading."""
        gap = self.power["longest_gap_ms"]
        return DASH if gap is None else f"{significant(gap / 1000)} s"

    @property
    def uncertainty(self) -> str:
        """Mean and largest uncertainty."""
        mean, most = self.power["uncertainty"], self.power["uncertainty_most"]
        if mean is None:
            return "not reported"
        return f"{100 * mean:.3g} %" + ("" if most is None else f", at most {100 * most:.3g} %")

    @property
    def range(self) -> str:
        """Range of current that was set, and the largest current."""
        chosen, most = self.power["range_a"], self.power["largest_a"]
        if chosen is None and most is None:
            return DASH
        return f"{_with(chosen, 'A')} set, {_with(most, 'A')} at most"

    @property
    def facts(self) -> list[tuple[str, str]]:
        """Name and value of each fact that is known."""
        return [(name, text) for name, text in self._facts() if text != DASH]

    def _facts(self) -> Iterator[tuple[str, str]]:
        yield "Meter", self.meter
        yield "Window", self.window
        yield "Energy in the window", self.energy
        yield "Samples in the window", self.samples
        yield "Window covered by samples", self.coverage
        yield "Longest time without a sample", self.gap
        yield "Uncertainty, mean", self.uncertainty
        yield "Range of current", self.range


def _with(value: float | None, unit: str) -> str:
    return DASH if value is None else f"{significant(value)} {unit}"


def measurement(round_: Round, row: Record) -> Measurement | None:
    """Return how the power of a result was measured; None: nothing is known of it."""
    power = next(iter(round_.evidence[row["id"]].power), None)
    if power is None or (power["samples"] is None and power["begin_ms"] is None):
        return None
    return Measurement(row, power)


def course(round_: Round, row: Record) -> Chart | None:
    """Return power over time of a result; None: it is not in the tables."""
    found = measurement(round_, row)
    points = [
        Reading(*(point[name] for name in ("second", "mean_w", "least_w", "most_w")))
        for point in round_.evidence[row["id"]].trace
        if None not in point.values()
    ]
    if found is None or not points:
        return None
    return trace(
        points,
        found.seconds,
        Texts(
            "power-trace",
            "Power over time",
            source(round_),
            "Line: mean of readings that lie close together; bars behind it: from the least to the "
            "most of them; dashed: the measured window. Thinned out, not an official metric.",
            ("Second", "Mean, W", "Least, W", "Most, W"),
        ),
    )
