"""What a chart is: drawn parts, texts, and a table with the same numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from mlcheck_report.charts.scales import Axis, Tick

GROUPS = 8  # colours with shapes; what is rarer is one group, "other"
OTHER = "other"
SHAPES = (  # one per group, so that colour alone never tells groups apart
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "M-3.6-3.6h7.2v7.2h-7.2z",
    "M0-4.6L4.6 3.6H-4.6z",
    "M0-5L5 0L0 5L-5 0z",
    "M0 4.6L4.6-3.6H-4.6z",
    "M-1.5-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
    "M0-5L4.7-1.5L2.9 4H-2.9L-4.7-1.5z",
    "M-4.5-2L-2-4.5L0-2.5L2-4.5L4.5-2L2.5 0L4.5 2L2 4.5L0 2.5L-2 4.5L-4.5 2L-2.5 0z",
)


_TITLE, _DIGIT = 30, 7  # units: of a title along the axis, of a character of a tick


@dataclass(frozen=True, slots=True)
class Texts:
    """What stands around a chart.

    Attributes:
        key: names the chart on its page and in downloads; lower-case letters, digits, hyphens.
        source: where the numbers come from.
        note: how to read it; formula of what is derived.
        header: headings of the table twin, with units.
    """

    key: str
    title: str
    source: str
    note: str
    header: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """A value pair before it has a place.

    Attributes:
        cells: its row of the table twin, as written.
        href: page about it, from the root of the site.
    """

    x: float
    y: float
    group: str
    label: str
    href: str | None
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A point in the drawing."""

    x: float
    y: float
    group: int
    label: str
    href: str | None


@dataclass(frozen=True, slots=True)
class Bar:
    """A horizontal bar in the drawing, with its value behind it."""

    y: float
    width: float
    text: str
    label: str
    href: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A field of a heat map; `x` and `y` of its upper left corner, `step` is its shade."""

    x: float
    y: float
    step: int
    text: str
    more: str
    label: str
    href: str


@dataclass(frozen=True, slots=True)
class Word:
    """A text in the drawing. `anchor`: where its x is: start, middle, end."""

    x: float
    y: float
    text: str
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class Line:
    """A line through places; `kind` is a class of the style sheet: series, ideal, range."""

    points: str
    kind: str
    group: int = 0
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """All that is drawn, in units of the view box; without `rows` the page has the table twin."""

    texts: Texts
    rows: tuple[tuple[str | None, tuple[str, ...]], ...]
    width: int
    height: int
    box: tuple[float, float, float, float]  # left, top, right, bottom of the plotted area
    x_title: str
    y_title: str
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    marks: tuple[Mark, ...] = ()
    bars: tuple[Bar, ...] = ()
    lines: tuple[Line, ...] = ()
    tiles: tuple[Tile, ...] = ()
    words: tuple[Word, ...] = ()
    groups: tuple[str, ...] = ()
    kind: str = field(default="scatter")


def group_names(groups: Iterable[str]) -> tuple[str, ...]:
    """Return the groups to tell apart: the most frequent, then `OTHER` if there are more."""
    counts = Counter(groups)
    names = sorted(counts, key=lambda name: (-counts[name], name.casefold()))
    return tuple(names) if len(names) <= GROUPS else (*names[: GROUPS - 1], OTHER)


def marks(points: Sequence[Point], names: Sequence[str], x: Axis, y: Axis) -> tuple[Mark, ...]:
    """Return points as marks."""
    place = {name: number for number, name in enumerate(names)}
    last = len(names) - 1
    return tuple(
        Mark(x.at(p.x), y.at(p.y), place.get(p.group, last), p.label, p.href) for p in points
    )


def rows(points: Iterable[Point]) -> tuple[tuple[str | None, tuple[str, ...]], ...]:
    """Return the table twin of points."""
    return tuple((point.href, point.cells) for point in points)


def left_of(ticks: Iterable[Tick], least: int) -> int:
    """Return where a drawing begins, so that a title and the longest tick stand left of it."""
    longest = max((len(tick.text) for tick in ticks), default=0)
    return max(least, _TITLE + longest * _DIGIT)


def path(places: Iterable[tuple[float, float]]) -> str:
    """Write places as the points of a polyline."""
    return " ".join(f"{x:g},{y:g}" for x, y in places)


def shortened(text: str, most: int) -> str:
    """Cut a text for a place where there is no more room; the table twin has all of it."""
    return text if len(text) <= most else text[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"
