"""What the page of one round shows, ready for the templates and for the script."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from mlcheck_report import findings
from mlcheck_report.energy import J_PER_MJ, EnergyView, energy_view
from mlcheck_report.frames import SYSTEM, Frames, Record, by_result, ranked, records, with_margin
from mlcheck_report.numbers import decimals, number
from mlcheck_report.scaling import Scaling, scaling

Findings = Mapping[str, list[Record]]  # by the id of the result

NONE = "none"  # what results without the fact are found by

_FREQUENT = 8
_PLAIN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_CHOICES = {  # filter: column of a row; the order is that of the page
    "division": "division",
    "type": "types",
    "availability": "availability",
    "benchmark": "label",
    "scenario": "scenario",
    "submitter": "submitter",
    "accelerator": "accelerator",
    "rule": "rules",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Results that may be ranked against each other, best first.

    Attributes:
        key: the comparability key.
        known: False where the round has no such benchmark.
        types: system types that all rows have in common; keys tell them apart where it matters.
        twin: another section is of the same division, benchmark and scenario.
        power: some of the rows have a power measurement.
        energy: what is known of the energy to train; None: no row has one.
        rows: columns of `frames.ranked` and `anchor`, `text`, `per_text`.
    """

    number: int
    division: str
    label: str
    known: bool
    scenario: str | None
    variant: str | None
    metric: str | None
    unit: str | None
    better: str | None
    key: str
    types: tuple[str, ...]
    twin: bool
    power: bool
    energy: EnergyView | None
    rows: tuple[Record, ...]

    @property
    def scaling(self) -> Scaling | None:
        """The drawing of times against accelerators; None: there is nothing to draw."""
        return scaling(self.rows, self.better, self.unit)

    @property
    def ranks(self) -> int:
        """How many of the rows have a rank."""
        return sum(row["rank"] is not None for row in self.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What stands behind one result, and what was found about it."""

    metrics: tuple[Record, ...]
    quality: tuple[Record, ...]
    power: tuple[Record, ...]
    sources: tuple[Record, ...]
    findings: tuple[Record, ...]

    def at(self, field: str) -> list[tuple[str, int]]:
        """Return path and line of each place where a field was read."""
        places = [(row["path"], row["line"]) for row in self.sources if row["field"] == field]
        return list(dict.fromkeys(places))

    @property
    def own(self) -> list[Record]:
        """Return the findings that are about this result only."""
        return [finding for finding in self.findings if len(finding["rows"]) == 1]

    @property
    def shared(self) -> dict[str, list[Record]]:
        """Return by rule the findings that are about other results as well."""
        groups: dict[str, list[Record]] = {}
        for finding in self.findings:
            if len(finding["rows"]) > 1:
                groups.setdefault(finding["rule"], []).append(finding)
        return groups

    @property
    def files(self) -> dict[str, str | None]:
        """Return the files behind the result with their sha256, in the order of their use."""
        return {source["path"]: source["sha256"] for source in self.sources}


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One round.

    Attributes:
        evidence: by the id of the result.
        systems: described systems, with `number`.
        choices: by filter, the values that occur and how many results have them.
    """

    suite: str
    round: str
    metadata: Mapping[str, str]
    sections: tuple[Section, ...]
    evidence: Mapping[str, Evidence]
    systems: tuple[Record, ...]
    submissions: tuple[Record, ...]
    rules: tuple[findings.RuleFindings, ...]
    choices: Mapping[str, Mapping[str, int]]

    @property
    def rows(self) -> list[Record]:
        """All results in the order of the page."""
        return [row for section in self.sections for row in section.rows]

    @property
    def has_scenarios(self) -> bool:
        """Whether any result has a scenario: those of some suites have none."""
        return set(self.choices["scenario"]) != {NONE}

    @property
    def has_types(self) -> bool:
        """Whether the types of systems tell results apart: most results state one."""
        return self.choices["type"].get(NONE, 0) * 2 < len(self.rows)

    @property
    def has_energy(self) -> bool:
        """Whether the energy to train of any result is known."""
        return any(section.energy for section in self.sections)

    @property
    def computes(self) -> str:
        """What computes, as the heading of a column says it."""
        return "SoC" if any(row["soc"] for row in self.rows) else "Accelerators"

    @property
    def frequent_rules(self) -> list[findings.RuleFindings]:
        """Return the rules with the most findings."""
        return sorted(self.rules, key=lambda rule: -rule.total)[:_FREQUENT]

    @property
    def counts(self) -> dict[str, int]:
        """Return the figures of the summary."""
        rows = self.rows
        return {
            "results": len(rows),
            "submitters": len({row["submitter"] for row in rows}),
            "systems": len({(row["division"], row["submitter"], row["system"]) for row in rows}),
            "valid": sum(row["verdict"] == "valid" for row in rows),
            "official_valid": sum(row["official_verdict"] == "valid" for row in rows),
            "differ": sum(row["verdict"] != row["official_verdict"] for row in rows),
        }


def build(frames: Frames, suite: str, round_: str, metadata: Mapping[str, str]) -> Page:
    """Arrange the tables of one round."""
    frame = ranked(frames)
    systems = frames["systems"].sort_values(SYSTEM, ignore_index=True)
    systems = systems.assign(number=pd.Series(systems.index, dtype="Int64"))
    frame = frame.merge(systems[[*SYSTEM, "number"]], on=SYSTEM, how="left", validate="m:1")
    rows = [_row(position, row) for position, row in enumerate(records(frame))]
    found = findings.numbered(frames["findings"], {row["id"]: row for row in rows})
    of_result = findings.by_result(found)
    for row in rows:
        row["rules"] = sorted({finding["rule"] for finding in of_result.get(row["id"], ())})
    return Page(
        suite=suite,
        round=round_,
        metadata=metadata,
        sections=_sections(rows, of_result),
        evidence=_evidence(frames, rows, of_result),
        systems=tuple(records(systems)),
        submissions=tuple(records(frames["submissions"].sort_values(["division", "submitter"]))),
        rules=findings.by_rule(found),
        choices={name: _choices(rows, column) for name, column in _CHOICES.items()},
    )


def _row(position: int, row: Record) -> Record:
    plain = _PLAIN_ID.fullmatch(row["id"])
    return row | {
        "position": position,
        "anchor": f"r-{row['id']}" if plain else f"r--{position}",
        "hardware": _hardware(row),
        "types": [part.strip() for part in (row["category"] or NONE).split(",")],
    }


def _hardware(row: Record) -> str | None:
    """Say what computes: a SoC, or `16 x H100 in 2 nodes`; without accelerator, its processors."""
    if row["soc"] is not None:
        return str(row["soc"])
    name, count, before = row["accelerator"], row["accelerators_total"], ""
    if name is None:
        name, count, before = row["host_cpu"], row["host_cpus_per_node"], "CPU only: "
        count = count and count * (row["nodes"] or 1)
    if name is None:
        return None
    text = f"{before}{count} \N{MULTIPLICATION SIGN} {name}" if count else before + name
    return f"{text} in {row['nodes']} nodes" if (row["nodes"] or 1) > 1 else text


def _sections(rows: list[Record], found: Findings) -> tuple[Section, ...]:
    by_number: dict[int, list[Record]] = {}
    for row in rows:
        by_number.setdefault(row["section"], []).append(row)
    tasks = Counter(_task(group[0]) for group in by_number.values())
    return tuple(
        _section(number_, group, found, twin=tasks[_task(group[0])] > 1)
        for number_, group in by_number.items()
    )


def _task(row: Record) -> tuple[str, str, str | None]:
    return (row["division"], row["label"], row["scenario"])


def _section(number_: int, rows: list[Record], found: Findings, *, twin: bool) -> Section:
    for row in rows:
        row["energy_mj"] = None if row["energy_j"] is None else row["energy_j"] / J_PER_MJ
    for column, text in (("value", "text"), ("per", "per_text"), ("energy_mj", "energy_text")):
        places = decimals(row[column] for row in rows if row[column] is not None)
        for row in rows:
            row[text] = None if row[column] is None else number(row[column], places)
    first = rows[0]
    shared = {
        name: first[name]
        for name in ("division", "label", "scenario", "variant", "metric", "unit", "better")
    }
    return Section(
        number=number_,
        known=first["benchmark"] is not None,
        key=first["ranking"],
        types=tuple(sorted(set.intersection(*(set(row["types"]) for row in rows)) - {NONE})),
        twin=twin,
        power=any(row["average_w"] is not None for row in rows),
        energy=energy_view(rows, found),
        rows=tuple(rows),
        **shared,
    )


def _evidence(frames: Frames, rows: list[Record], found: Findings) -> dict[str, Evidence]:
    parts = {
        "metrics": by_result(frames["metrics"]),
        "quality": by_result(with_margin(frames["quality"])),
        "power": by_result(frames["power"]),
        "sources": by_result(frames["provenance"]),
        "findings": found,
    }
    return {
        row["id"]: Evidence(
            **{name: tuple(part.get(row["id"], ())) for name, part in parts.items()}
        )
        for row in rows
    }


def _choices(rows: list[Record], column: str) -> dict[str, int]:
    cells = (row[column] if isinstance(row[column], list) else [row[column]] for row in rows)
    counts = Counter(NONE if value is None else value for cell in cells for value in cell)
    return dict(sorted(counts.items(), key=lambda item: (item[0] == NONE, item[0].casefold())))
