"""Devices against tasks: which is how fast, how much faster than its forerunner, and by what path.

For suites whose systems are described by their SoC (system on a chip). One row is a system, one
column a task in a scenario, one cell the best valid result there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mlcheck_report.ages import age
from mlcheck_report.charts.drawing import Chart, Texts
from mlcheck_report.charts.heat import Value, heat
from mlcheck_report.frames.forerunners import Forerunner, forerunner, gain
from mlcheck_report.frames.ranked import Record
from mlcheck_report.frames.shape import Round
from mlcheck_report.frames.site import Shown, Site
from mlcheck_report.frames.sources import source
from mlcheck_report.numbers import significant

PAGE = "devices.html"
STEPS = 5  # shades of the map, the darkest is the best


@dataclass(frozen=True, slots=True)
class Task:
    """A column: results that may be compared."""

    label: str
    scenario: str | None
    unit: str | None
    better: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The best valid result of a system at a task. ``step``: its shade, 1 to `STEPS`."""

    row: Record
    step: int
    before: Forerunner | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A row of the map. Cells stand in the order of the tasks; None: there is no valid result."""

    division: str
    submitter: str
    system: str
    name: str
    soc: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """Results that ran through the same software to the same processor."""

    backend: str | None
    runtime: str | None
    delegate: str | None
    runs_on: str | None
    results: int
    systems: tuple[str, ...]
    tasks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Devices:
    """All that a page shows of devices.

    Attributes:
        gains: whether any cell has a forerunner: otherwise the tables hold no earlier round.
    """

    tasks: tuple[Task, ...]
    devices: tuple[Device, ...]
    paths: tuple[Path, ...]
    gains: bool


def frame(site: Site) -> Iterator[Shown]:
    """Show the devices of every round that has some."""
    for round_ in site.rounds:
        earlier = [row for other in _before(site, round_) for row in other.rows]
        found = devices(round_.rows, earlier)
        if found:
            title = f"Devices and tasks, {round_.suite} {round_.round}"
            view = {"devices": found, "map": heat_map(found, source(round_))}
            yield Shown(path=f"{round_.folder}/{PAGE}", title=title, view=view, round=round_)


def _before(site: Site, round_: Round) -> Iterator[Round]:
    for other in site.rounds:
        if other.suite == round_.suite and age(other.round) < age(round_.round):
            yield other


def devices(rows: Iterable[Record], earlier: Iterable[Record] = ()) -> Devices | None:
    """Arrange the results of a round; None: no system names its SoC.

    Args:
        rows: of `Round.rows`, one per result.
        earlier: rows of the earlier rounds of the suite.
    """
    results = list(rows)
    if not any(row["soc"] for row in results):
        return None
    valid = [row for row in results if row["verdict"] == "valid" and (row["value"] or 0) > 0]
    tasks = sorted({_task(row) for row in valid}, key=_order)
    best = _best(valid)
    before = [row for row in earlier if row["verdict"] == "valid" and (row["value"] or 0) > 0]
    systems = sorted({_system(row) for row in valid}, key=lambda key: _rank(key, tasks, best))
    found = tuple(_device(key, tasks, best, before) for key in systems)
    cells = [cell for device in found for cell in device.cells if cell]
    return Devices(
        tasks=tuple(tasks),
        devices=found,
        paths=tuple(_paths(results)),
        gains=any(cell.before for cell in cells),
    )


def _task(row: Record) -> Task:
    return Task(row["label"], row["scenario"], row["unit"], row["better"])


def _order(task: Task) -> tuple[bool, str, str]:
    return (task.scenario == "Offline", task.label, task.unit or "")


def _system(row: Record) -> tuple[str, str, str]:
    return (row["division"], row["submitter"], row["system"])


Best = Mapping[tuple[tuple[str, str, str], Task], Record]


def _best(rows: Iterable[Record]) -> Best:
    """Return the best result of each system at each task."""
    best: dict[tuple[tuple[str, str, str], Task], Record] = {}
    for row in rows:
        known = best.setdefault((_system(row), _task(row)), row)
        if gain(row, known) > 1:
            best[_system(row), _task(row)] = row
    return best


def _rank(
    key: tuple[str, str, str], tasks: Iterable[Task], best: Best
) -> tuple[str, float, tuple[str, str, str]]:
    """Order systems by division, then by how near they come to the best, on average."""
    shares = [_share(best[key, task], task, best) for task in tasks if (key, task) in best]
    return (key[0], -sum(shares) / len(shares), key)


def _share(row: Record, task: Task, best: Best) -> float:
    fastest = [each for (_, known), each in best.items() if known == task]
    return min(gain(row, each) for each in fastest)


def _device(
    key: tuple[str, str, str], tasks: list[Task], best: Best, earlier: list[Record]
) -> Device:
    rows = [best.get((key, task)) for task in tasks]
    first = next(row for row in rows if row)
    return Device(
        division=key[0],
        submitter=key[1],
        system=key[2],
        name=first["name"],
        soc=first["soc"] or "not stated",
        cells=tuple(
            None
            if row is None
            else Cell(
                row=row,
                step=_step(_share(row, task, best)),
                before=forerunner(row, [other for other in earlier if _task(other) == task]),
            )
            for row, task in zip(rows, tasks, strict=True)
        ),
    )


def _step(share: float) -> int:
    return min(STEPS, 1 + int(share * STEPS))


def heat_map(found: Devices, origin: str) -> Chart:
    """Draw the devices as the table of the page has them; ``origin``: of the numbers."""
    return heat(
        [(device.soc, device.name) for device in found.devices],
        [f"{task.label} {task.unit or ''}" for task in found.tasks],
        [[_value(device, cell) for cell in device.cells] for device in found.devices],
        "the darker, the nearer to the best of the column",
        Texts(
            "devices",
            "Devices and tasks",
            origin,
            "The best valid result of each system at each task. The second line of a tile: times "
            "as fast as the SoC before it; derived, not an official MLPerf® metric.",
            (),
        ),
    )


def _value(device: Device, cell: Cell | None) -> Value | None:
    if cell is None:
        return None
    row, before = cell.row, cell.before
    more = f"{significant(before.gain)}\N{MULTIPLICATION SIGN} {before.round}" if before else ""
    label = f"{device.submitter}: {device.name}, {row['label']}: {row['text']} {row['unit']}"
    return Value(cell.step, row["text"], more, label, row["page"])


def _paths(rows: Iterable[Record]) -> Iterable[Path]:
    groups: defaultdict[tuple[str | None, ...], list[Record]] = defaultdict(list)
    for row in rows:
        groups[row["backend"], row["runtime"], row["delegate"], row["runs_on"]].append(row)
    for path, members in sorted(groups.items(), key=lambda item: (-len(item[1]), str(item[0]))):
        backend, runtime, delegate, runs_on = path
        yield Path(
            backend=backend,
            runtime=runtime,
            delegate=delegate,
            runs_on=runs_on,
            results=len(members),
            systems=tuple(sorted({row["name"] for row in members})),
            tasks=tuple(sorted({row["label"] for row in members})),
        )
