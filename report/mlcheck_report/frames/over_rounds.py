"""The best valid result of every task in each round, and how it compares with the first round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mlcheck_report.charts.drawing import Chart, Point, Texts
from mlcheck_report.charts.series import series
from mlcheck_report.frames.ranked import Record
from mlcheck_report.frames.shape import NONE, Round
from mlcheck_report.numbers import significant

_MOST_LINES = 8

Task = tuple[str, str, str, str, str]  # division, types, benchmark, scenario, unit
Goodness = Callable[[Record], float | None]  # more is better


@dataclass(frozen=True, slots=True)
class Best:
    """The best result of one task in one round, and how it compares with the first round."""

    row: Record
    ratio: float | None


@dataclass(frozen=True, slots=True)
class Line:
    """One task over the rounds; None where a round has no such result."""

    task: Task
    cells: tuple[Best | None, ...]

    @property
    def name(self) -> str:
        """The task in words."""
        division, types, label, scenario, _ = self.task
        return ", ".join(filter(None, (f"{label} {scenario}".strip(), division, types)))

    @property
    def found(self) -> list[Best]:
        """The cells that are not empty."""
        return [cell for cell in self.cells if cell]


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """One suite over its rounds.

    Attributes:
        mixed: results of systems that have other kinds of accelerators as well: never ranked here.
    """

    suite: str
    rounds: tuple[Round, ...]
    lines: tuple[Line, ...]
    charts: tuple[Chart, ...]
    mixed: tuple[Record, ...] = ()


def history(
    suite: str, rounds: Sequence[Round], rows: Sequence[Record], *, alone: bool = False
) -> History:
    """Return the best valid result of every task and round.

    Args:
        suite: of all rounds and results.
        rounds: oldest first.
        rows: results of these rounds.
        alone: keep mixed systems apart, since the history is of one kind of accelerator.
    """
    mixed = [row for row in rows if alone and row["mixed"]]
    ranked = [row for row in rows if row["rank"] is not None and not (alone and row["mixed"])]
    lines = _lines(ranked, rounds, _result)
    several = [line for line in lines if len(line.found) > 1]
    charts: list[Chart] = []
    if several:
        charts.append(_chart(suite, rounds, several, "best", "Best result over rounds", _BEST))
    efficient = [line for line in _lines(ranked, rounds, _efficiency) if len(line.found) > 1]
    if efficient:
        title = "Best result per accelerator over rounds"
        charts.append(_chart(suite, rounds, efficient, "efficiency", title, _EFFICIENCY))
    watts = [line for line in _lines(ranked, rounds, _per_watt) if len(line.found) > 1]
    if watts:
        title = "Best result per watt over rounds"
        charts.append(_chart(suite, rounds, watts, "watts", title, _WATTS))
    return History(
        suite=suite,
        rounds=tuple(rounds),
        lines=tuple(lines),
        charts=tuple(charts),
        mixed=tuple(mixed),
    )


_BEST = "The best official result of each round, of whatever size of system."
_EFFICIENCY = (
    "Rates divided by the number of accelerators; times to train multiplied by it. Derived, not an "
    "official MLPerf® metric; systems with several kinds of accelerators are left out."
)
_WATTS = "Rates divided by measured average power. Derived, not an official MLPerf® metric."


def _result(row: Record) -> float | None:
    value = row["value"]
    return None if value <= 0 else 1 / value if row["better"] == "lower" else value


def _efficiency(row: Record) -> float | None:
    count = row["accelerators_total"] or 0
    if row["mixed"] or count <= 0 or row["value"] <= 0:
        return None
    if row["better"] == "lower":
        return 1 / (row["value"] * count) if row["unit"] == "minutes" else None
    return float(row["value"] / count)


def _per_watt(row: Record) -> float | None:
    return row["per_watt"] or None


def _task(row: Record, typed: Container[str]) -> Task:
    types = " or ".join(row["types"]) if row["round"] in typed and row["types"] != [NONE] else ""
    return (row["division"], types, row["label"], row["scenario"] or "", row["unit"] or "")


def _lines(rows: Sequence[Record], rounds: Sequence[Round], good: Goodness) -> list[Line]:
    best: defaultdict[Task, dict[str, tuple[float, Record]]] = defaultdict(dict)
    typed = {round_.round for round_ in rounds if round_.has_types}
    for row in rows:
        value = good(row)
        if value is None:
            continue
        of_task = best[_task(row, typed)]
        if row["round"] not in of_task or value > of_task[row["round"]][0]:
            of_task[row["round"]] = (value, row)
    names = [round_.round for round_ in rounds]
    return [_line(task, of_round, names) for task, of_round in sorted(best.items(), key=_order)]


def _order(item: tuple[Task, object]) -> tuple[bool, str, str, Task]:
    division, _, label, scenario, _ = item[0]
    return (division != "closed", label.casefold(), scenario, item[0])


def _line(task: Task, of_round: Mapping[str, tuple[float, Record]], names: Sequence[str]) -> Line:
    first = next((of_round[name][0] for name in names if name in of_round), None)
    cells = [
        Best(of_round[name][1], of_round[name][0] / first if first else None)
        if name in of_round
        else None
        for name in names
    ]
    return Line(task, tuple(cells))


def _chart(
    suite: str, rounds: Sequence[Round], lines: Sequence[Line], key: str, title: str, note: str
) -> Chart:
    names = [round_.round for round_ in rounds]
    closed = [line for line in lines if line.task[0] == "closed"] or list(lines)
    shown = sorted(closed, key=lambda line: -len(line.found))[:_MOST_LINES]
    drawn = {line.name: list(_points(line, names)) for line in shown}
    many = "" if len(shown) == len(lines) else f" {len(shown)} of {len(lines)} tasks are drawn."
    return series(
        drawn,
        names,
        "times the first round, logarithmic",
        Texts(
            f"{key}-{suite}",
            f"{title}: {suite.capitalize()}, normalised to the first",
            f"MLPerf® {suite.capitalize()} submissions of {', '.join(names)}, as normalised by "
            "mlcheck; not verified by MLCommons.",
            f"{note}{many} Rounds may be compared only where MLCommons calls the versions of a "
            "benchmark compatible.",
            ("Benchmark", "Round", "Submitter", "System", "Result", "Unit", "Times the first"),
        ),
    )


def _points(line: Line, names: Sequence[str]) -> Iterator[Point]:
    for place, cell in enumerate(line.cells):
        if cell is None or not cell.ratio:
            continue
        row = cell.row
        yield Point(
            place,
            cell.ratio,
            line.name,
            f"{line.name}, {names[place]}: {row['text']} {row['unit']}, "
            f"{significant(cell.ratio)} times the first",
            row["page"],
            (
                line.name,
                names[place],
                row["submitter"],
                row["name"],
                row["text"],
                row["unit"] or "",
                significant(cell.ratio),
            ),
        )
