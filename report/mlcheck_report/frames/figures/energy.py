"""Energy to train against the number of accelerators: what does a larger system cost in energy?"""

from __future__ import annotations

from dataclasses import dataclass

from mlcheck_report.charts.drawing import Chart, Point, Texts
from mlcheck_report.charts.scatter import Measure, Slope, scatter
from mlcheck_report.frames.ranked import Record
from mlcheck_report.frames.shape import Round, Section
from mlcheck_report.frames.sources import section_key, section_name, source
from mlcheck_report.numbers import significant

POWER_RULES = "PWR"  # how ids of rules about power begin
FEWEST = 2  # results; a single one is a row of the leaderboard, not a drawing
NO_OBJECTION = "no objection"


@dataclass(frozen=True, slots=True)
class Measured:
    """A result with its energy.

    Attributes:
        per_accelerator_w: derived; None: the number of accelerators or the power is not known.
        objections: errors by the policy that are about the power measurement.
    """

    row: Record
    megajoules: float
    per_accelerator_w: float | None
    objections: int

    @property
    def verdict(self) -> str:
        """What the policy and the official check say of the measurement."""
        said = []
        if self.objections:
            said.append(f"{self.objections} error{'' if self.objections == 1 else 's'} by policy")
        if self.row["power_accepted"] is False:
            said.append("refused by the official check")
        return "; ".join(said) or NO_OBJECTION


def measured(round_: Round, section: Section) -> list[Measured]:
    """Return the results of a section that have an energy, the least first."""
    found = [_measured(round_, row) for row in section.rows if row["energy_mj"]]
    return sorted(found, key=lambda one: (one.megajoules, one.row["position"]))


def _measured(round_: Round, row: Record) -> Measured:
    count = row["accelerators_total"]
    findings = round_.evidence[row["id"]].findings
    return Measured(
        row=row,
        megajoules=row["energy_mj"],
        per_accelerator_w=row["average_w"] / count if count and row["average_w"] else None,
        objections=sum(
            finding["severity"] == "error" and finding["rule"].startswith(POWER_RULES)
            for finding in findings
        ),
    )


def energy_chart(round_: Round, section: Section) -> Chart | None:
    """Draw energy against size; the table twin has what is not drawn as well."""
    found = measured(round_, section)
    drawn = [one for one in found if (one.row["accelerators_total"] or 0) > 0]
    if len(drawn) < FEWEST:
        return None
    least = min(one.megajoules for one in drawn)
    return scatter(
        [_point(one) for one in drawn],
        Measure("accelerators in total, logarithmic", log=True),
        Measure("energy to train in MJ, logarithmic", log=True),
        Texts(
            section_key("energy", section),
            f"Energy to train: {section_name(section)}",
            source(round_),
            "Dashed: the least energy. The mean of the runs that count for the time to train. "
            "Nodes are measured, interconnects measured or estimated; AC and DC measurements "
            "differ by the losses of the power supplies. Figures per accelerator are derived, not "
            "official MLPerf® metrics.",
            (
                "Submitter",
                "System",
                "Accelerators",
                "Energy, MJ",
                f"Time, {section.unit or 'not stated'}",
                "Mean power, kW",
                "W per accelerator (derived)",
                "Measurement",
            ),
        ),
        [Slope(least, 0, f"least energy: {significant(least)} MJ")],
    )


def _point(one: Measured) -> Point:
    row = one.row
    size = row["accelerators_total"]
    return Point(
        size,
        one.megajoules,
        NO_OBJECTION if one.verdict == NO_OBJECTION else "with objections",
        f"{row['submitter']}: {row['name']}, {size} accelerators, "
        f"{significant(one.megajoules)} MJ, {one.verdict}",
        row["page"],
        (
            row["submitter"],
            row["name"],
            str(size),
            significant(one.megajoules),
            row["text"] or "",
            "" if row["average_w"] is None else significant(row["average_w"] / 1000),
            "" if one.per_accelerator_w is None else significant(one.per_accelerator_w),
            one.verdict,
        ),
    )
