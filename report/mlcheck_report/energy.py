"""Energy to train against the number of accelerators: what does a larger system cost in energy?

Derived figures for reading, not official ones. Positions are computed here, in whole units of the
drawing; the template only prints them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mlcheck_report.frames import Record
from mlcheck_report.scaling import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Axis, Mark, Tick

J_PER_MJ = 1e6
POWER_RULES = "PWR"  # how ids of rules about power begin
FEWEST = 2  # results; a single one is a row of the table, not a drawing


@dataclass(frozen=True, slots=True)
class EnergyRow:
    """A result with its energy, and figures derived from it.

    Attributes:
        objections: errors by the policy that are about the power measurement.
    """

    row: Record
    megajoules: float
    per_accelerator_w: float | None
    objections: int

    @property
    def sound(self) -> bool:
        """Whether neither the policy nor the official check objects to the measurement."""
        return not self.objections and self.row["power_accepted"] is not False


@dataclass(frozen=True, slots=True)
class EnergyDrawing:
    """All that is drawn: marks on logarithmic axes, and the level of the least energy."""

    marks: tuple[tuple[Mark, EnergyRow], ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    least_y: float


@dataclass(frozen=True, slots=True)
class EnergyView:
    """The energies of a section: all of them as rows, and as a drawing where there are enough."""

    rows: tuple[EnergyRow, ...]
    drawing: EnergyDrawing | None


def energy_view(
    rows: Iterable[Record], findings: Mapping[str, Iterable[Record]]
) -> EnergyView | None:
    """Return the energies of a section; None: no result of it has one.

    Args:
        rows: of the section, with `energy_j`, `average_w`, `accelerators_total`.
        findings: by id of the result.
    """
    known = [_energy_row(row, findings.get(row["id"], ())) for row in rows if row["energy_j"]]
    if not known:
        return None
    known.sort(key=lambda each: each.megajoules)
    return EnergyView(rows=tuple(known), drawing=_drawing(known))


def _energy_row(row: Record, findings: Iterable[Record]) -> EnergyRow:
    count = row["accelerators_total"]
    return EnergyRow(
        row=row,
        megajoules=row["energy_j"] / J_PER_MJ,
        per_accelerator_w=row["average_w"] / count if count and row["average_w"] else None,
        objections=sum(
            finding["severity"] == "error" and finding["rule"].startswith(POWER_RULES)
            for finding in findings
        ),
    )


def _drawing(rows: Iterable[EnergyRow]) -> EnergyDrawing | None:
    shown = [
        each for each in rows if (each.row["accelerators_total"] or 0) > 0 and each.megajoules > 0
    ]
    if len(shown) < FEWEST:
        return None
    sizes = [float(each.row["accelerators_total"]) for each in shown]
    energies = [each.megajoules for each in shown]
    x, y = Axis(sizes, LEFT, WIDTH - RIGHT), Axis(energies, HEIGHT - BOTTOM, TOP)
    return EnergyDrawing(
        marks=tuple(
            (Mark(x.at(size), y.at(energy), each.row), each)
            for size, energy, each in zip(sizes, energies, shown, strict=True)
        ),
        x_ticks=tuple(x.ticks()),
        y_ticks=tuple(y.ticks()),
        least_y=y.at(min(energies)),
    )
