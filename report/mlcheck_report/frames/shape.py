"""What a round is made of: sections that rank, boards of sections, evidence, systems."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from mlcheck_report.frames.findings import RuleFindings, by_rule
from mlcheck_report.frames.ranked import Record
from mlcheck_report.verdicts import Second, second

NONE = "none"  # what results without the fact are found by
CHOICES = {  # filter: column of a row; the order is that of the page
    "division": "division",
    "type": "types",
    "availability": "availability",
    "benchmark": "label",
    "scenario": "scenario",
    "submitter": "submitter",
    "accelerator": "kinds",
    "rule": "rules",
}
Owner = tuple[str, str, str]  # division, submitter, folder of a system


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Results that may be ranked against each other, best first.

    Attributes:
        key: the comparability key.
        known: False where the round has no such benchmark.
        types: system types that all rows have in common; keys tell them apart where it matters.
        power: some of the rows have a power measurement.
        energy: some of the rows have the energy of a whole run.
        rows: columns of `ranked` and what `_row` adds.
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
    power: bool
    energy: bool
    rows: tuple[Record, ...]

    @property
    def ranked(self) -> list[Record]:
        """The rows that have a rank, in their order."""
        return [row for row in self.rows if row["rank"] is not None]

    @property
    def title(self) -> str:
        """Division and system type: what tells a section apart from others of its board."""
        return ", ".join((self.division, *self.types[:1])) if self.types else self.division


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """All sections of one benchmark and scenario."""

    page: str
    label: str
    scenario: str | None
    sections: tuple[Section, ...]

    @property
    def name(self) -> str:
        """Benchmark and scenario."""
        return " ".join(filter(None, (self.label, self.scenario)))

    @property
    def rows(self) -> list[Record]:
        """All results of the board."""
        return [row for section in self.sections for row in section.rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What stands behind one result, and what was found about it."""

    metrics: tuple[Record, ...]
    quality: tuple[Record, ...]
    power: tuple[Record, ...]
    trace: tuple[Record, ...]  # of its power over time
    sources: tuple[Record, ...]
    findings: tuple[Record, ...]
    outcomes: tuple[Record, ...]

    def at(self, field: str) -> list[tuple[str, int]]:
        """Return path and line of each place where a field was read."""
        places = [(row["path"], row["line"]) for row in self.sources if row["field"] == field]
        return list(dict.fromkeys(places))

    @property
    def files(self) -> dict[str, str | None]:
        """Return the files behind the result with their sha256, in the order of their use."""
        return {source["path"]: source["sha256"] for source in self.sources}


@dataclass(frozen=True, kw_only=True)
class Round:
    """One round.

    Attributes:
        folder: where its pages are, from the root of the site.
        evidence: by the id of the result.
        systems: one per division, submitter and folder, described or not; each with its `rows`.
        outcomes: rules that could not judge, as the table has them.
        offers: benchmarks of the round with scenario and system type, as the table has them.
    """

    suite: str
    round: str
    folder: str
    metadata: Mapping[str, str]
    boards: tuple[Board, ...]
    sections: tuple[Section, ...]
    evidence: Mapping[str, Evidence]
    systems: tuple[Record, ...]
    submissions: tuple[Record, ...]
    findings: tuple[Record, ...]
    outcomes: tuple[Record, ...]
    offers: tuple[Record, ...]

    @cached_property
    def rows(self) -> list[Record]:
        """All results in the order of the whole leaderboard."""
        return [row for section in self.sections for row in section.rows]

    @cached_property
    def rules(self) -> tuple[RuleFindings, ...]:
        """Findings by rule."""
        return by_rule(self.findings)

    @cached_property
    def choices(self) -> dict[str, dict[str, int]]:
        """By filter, the values that occur and how many results have them."""
        return {name: choices(self.rows, column) for name, column in CHOICES.items()}

    @cached_property
    def submitters(self) -> dict[str, list[Record]]:
        """The results of each submitter, in the order of their names."""
        found: defaultdict[str, list[Record]] = defaultdict(list)
        for row in self.rows:
            found[row["submitter"]].append(row)
        return dict(sorted(found.items(), key=lambda item: (item[0].casefold(), item[0])))

    @property
    def has_scenarios(self) -> bool:
        """Whether any result has a scenario: those of some suites have none."""
        return set(self.choices["scenario"]) != {NONE}

    @property
    def has_types(self) -> bool:
        """Whether the types of systems tell results apart: most results state one."""
        return self.choices["type"].get(NONE, 0) * 2 < len(self.rows)

    @cached_property
    def has_devices(self) -> bool:
        """Whether systems are described by their SoC (system on a chip)."""
        return any(row["soc"] for row in self.rows)

    @property
    def second(self) -> Second:
        """Whose the second verdict of its results is."""
        return second(self.suite)

    @property
    def computes(self) -> str:
        """What computes, as the heading of a column says it."""
        return "SoC" if self.has_devices else "Accelerators"

    @cached_property
    def counts(self) -> dict[str, int]:
        """Return the figures of the summary."""
        rows = self.rows
        return {
            "results": len(rows),
            "submitters": len(self.submitters),
            "systems": len(self.systems),
            "valid": sum(row["verdict"] == "valid" for row in rows),
            "official_valid": sum(row["official_verdict"] == "valid" for row in rows),
            "differ": sum(row["verdict"] != row["official_verdict"] for row in rows),
        }


def choices(rows: Iterable[Record], column: str) -> dict[str, int]:
    """Count the values of a column, lists by their items; what is missing is `NONE`.

    That a result has no findings is nothing that is missing.
    """
    nothing = [] if column == "rules" else [None]
    cells = (
        (row[column] or nothing) if isinstance(row[column], list) else [row[column]] for row in rows
    )
    counts = Counter(NONE if value is None else value for cell in cells for value in cell)
    return dict(sorted(counts.items(), key=lambda item: (item[0] == NONE, item[0].casefold())))
