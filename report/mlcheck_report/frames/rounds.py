"""One round, arranged: rows in sections that may be ranked, sections in boards, and who is who."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from mlcheck_report import accelerators
from mlcheck_report.frames import findings
from mlcheck_report.frames.ranked import (
    Frames,
    Record,
    by_result,
    ranked,
    records,
    with_margin,
)
from mlcheck_report.names import result_name, slug
from mlcheck_report.numbers import decimals, exact, number
from mlcheck_report.tables import SYSTEM_COLUMNS

NONE = "none"  # what results without the fact are found by

_ROUND = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
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
_SHARED = ("division", "label", "scenario", "variant", "metric", "unit", "better")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Results that may be ranked against each other, best first.

    Attributes:
        key: the comparability key.
        known: False where the round has no such benchmark.
        types: system types that all rows have in common; keys tell them apart where it matters.
        power: some of the rows have a power measurement.
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
    def rules(self) -> tuple[findings.RuleFindings, ...]:
        """Findings by rule."""
        return findings.by_rule(self.findings)

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


def system_page(folder: str, owner: Owner) -> str:
    """Return the page of a system."""
    division, submitter, system = owner
    return f"{folder}/systems/{slug(submitter, system, division)}.html"


def submitter_page(folder: str, submitter: str) -> str:
    """Return the page of a submitter."""
    return f"{folder}/submitters/{slug(submitter)}.html"


def folder_of(suite: str, round_: str) -> str:
    """Return the folder of a round.

    Raises:
        ValueError: the names do not make one.
    """
    if not (_ROUND.fullmatch(suite) and _ROUND.fullmatch(round_)):
        raise ValueError(f"suite {suite!r} and round {round_!r} do not make a file name")
    return f"{suite}-{round_}"


def build(frames: Frames, suite: str, round_: str, metadata: Mapping[str, str]) -> Round:
    """Arrange the tables of one round."""
    folder = folder_of(suite, round_)
    frame = ranked(frames)
    kinds = accelerators.spellings(
        name
        for text in frames["systems"]["accelerator"].dropna()
        for name in accelerators.read(text).names
    )
    described = {_owner(row): _described(row) for row in records(frames["systems"])}
    rows = [
        _row(place, row, folder, kinds, described.get(_owner(row), {}))
        for place, row in enumerate(records(frame))
    ]
    found = findings.numbered(frames["findings"], {row["id"]: row for row in rows})
    of_result = findings.by_result(found)
    for row in rows:
        row["rules"] = sorted({finding["rule"] for finding in of_result.get(row["id"], ())})
    sections = _sections(rows)
    evidence = _evidence(frames, rows, of_result)
    for row in rows:
        row["accuracy"] = _accuracy(evidence[row["id"]].quality)
    return Round(
        suite=suite,
        round=round_,
        folder=folder,
        metadata=metadata,
        boards=_boards(sections, folder),
        sections=sections,
        evidence=evidence,
        systems=_systems(described, rows, folder, kinds),
        submissions=tuple(records(frames["submissions"].sort_values(["division", "submitter"]))),
        findings=tuple(found),
        outcomes=tuple(records(frames["outcomes"])),
        offers=tuple(records(frames["offers"])),
    )


def _owner(row: Record) -> Owner:
    return (row["division"], row["submitter"], row["system"])


def _described(row: Record) -> Record:
    """Return a system as it is described, with the description itself as a mapping."""
    try:
        description = json.loads(row["description_json"] or "{}")
    except ValueError:
        description = {}
    row["description"] = description if isinstance(description, dict) else {}
    return row


def _row(
    place: int, row: Record, folder: str, kinds: Mapping[str, str], system: Record
) -> Record:
    hardware = accelerators.read(row["accelerator"])
    rate = row["value"] is not None and row["better"] == "higher"
    row |= {
        "position": place,
        "page": f"{folder}/results/{result_name(row['id'])}.html",
        "json": f"{folder}/results/{result_name(row['id'])}.json",
        "system_page": system_page(folder, _owner(row)),
        "submitter_page": submitter_page(folder, row["submitter"]),
        "owner": _owner(row),
        "kinds": [kinds.get(name, name) for name in hardware.names],
        "mixed": hardware.mixed,
        "hardware": hardware_text(row, hardware, kinds),
        "notes": _notes(system.get("description", {}), hardware),
        "types": [part.strip() for part in (row["category"] or NONE).split(",")],
        "per_node": row["value"] / row["nodes"] if rate and (row["nodes"] or 0) > 0 else None,
        "per_watt": row["value"] / row["average_w"]
        if rate and (row["average_w"] or 0) > 0
        else None,
        "close": False,
        "model": row["benchmark_raw"]
        if row["division"] == "open" and row["benchmark_raw"] != row["label"]
        else None,
    }
    return row


def hardware_text(
    row: Record, hardware: accelerators.Accelerators, kinds: Mapping[str, str]
) -> str | None:
    """Say what computes: `16 x H100 in 2 nodes`; without accelerator, its processors."""
    if not hardware.parts:
        name, count, before = row["host_cpu"], row["host_cpus_per_node"], "CPU only: "
        count = count and count * (row["nodes"] or 1)
        text = _times(count, name, before) if name is not None else None
    elif hardware.mixed:
        text = " + ".join(_times(part.count, kinds.get(part.name, part.name)) for part in hardware.parts)
    else:
        name = hardware.parts[0].name
        text = _times(row["accelerators_total"], kinds.get(name, name))
    nodes = row["nodes"] or 1
    return f"{text} in {nodes} nodes" if text and nodes > 1 else text


def _times(count: int | None, name: str, before: str = "") -> str:
    return f"{before}{count} \N{MULTIPLICATION SIGN} {name}" if count else before + name


_SAYS_NOTHING = {"", "n/a", "na", "none", "-", "tbd"}
_NOTE_LENGTH = 60


def _notes(description: Record, hardware: accelerators.Accelerators) -> list[str]:
    """Return what stands beside the accelerator: taken out of its name, or a note on hardware."""
    notes = list(hardware.notes)
    stated = " ".join(str(description.get("hw_notes") or "")[:1000].split())
    if stated.casefold() not in _SAYS_NOTHING:
        short = stated if len(stated) <= _NOTE_LENGTH else stated[: _NOTE_LENGTH - 1] + "…"
        notes.append(short)
    return notes


def _sections(rows: list[Record]) -> tuple[Section, ...]:
    by_number: defaultdict[int, list[Record]] = defaultdict(list)
    for row in rows:
        by_number[row["section"]].append(row)
    return tuple(_section(number_, group) for number_, group in by_number.items())


def _section(number_: int, rows: list[Record]) -> Section:
    values = [row["value"] for row in rows if row["value"] is not None]
    places = decimals(values)
    ranks = sum(row["rank"] is not None for row in rows)
    for row in rows:
        row["ranks"] = ranks
        row["text"] = None if row["value"] is None else number(row["value"], places)
    first = rows[0]
    types = set.intersection(*(set(row["types"]) for row in rows)) - {NONE}
    section = Section(
        number=number_,
        known=first["benchmark"] is not None,
        key=first["ranking"],
        types=tuple(sorted(types)),
        power=any(row["average_w"] is not None for row in rows),
        rows=tuple(rows),
        **{name: first[name] for name in _SHARED},
    )
    _mark_close(section.ranked)
    return section


_Z_95 = 1.96  # two-sided 95 % of the normal distribution


def _mark_close(rows: list[Record]) -> None:
    """Mark rows whose distance from the row above is within what their runs vary.

    Welch's standard error of the difference of two means, from the standard deviation over the
    runs; only where both rows state one.
    """
    for above, row in pairwise(rows):
        if above["spread"] and row["spread"] and above["runs"] > 1 and row["runs"] > 1:
            error = (above["spread"] ** 2 / above["runs"] + row["spread"] ** 2 / row["runs"]) ** 0.5
            row["close"] = abs(above["value"] - row["value"]) <= _Z_95 * error


def _boards(sections: Iterable[Section], folder: str) -> tuple[Board, ...]:
    tasks: defaultdict[tuple[str, str | None], list[Section]] = defaultdict(list)
    for section in sections:
        tasks[section.label, section.scenario].append(section)
    boards = []
    for (label, scenario), found in sorted(tasks.items(), key=lambda item: _order(item[0])):
        page = f"{folder}/boards/{slug(label, scenario)}.html"
        boards.append(Board(page=page, label=label, scenario=scenario, sections=tuple(found)))
        for section in found:
            for row in section.rows:
                row["board_page"] = page
    return tuple(boards)


def _order(task: tuple[str, str | None]) -> tuple[str, str, str]:
    label, scenario = task
    return (label.casefold(), label, scenario or "")


def _evidence(
    frames: Frames, rows: list[Record], found: Mapping[str, list[Record]]
) -> dict[str, Evidence]:
    outcomes: defaultdict[str, list[Record]] = defaultdict(list)
    for row in records(frames["outcomes"]):
        outcomes[row["subject"]].append(row)
    parts: dict[str, Mapping[str, list[Record]]] = {
        "metrics": by_result(frames["metrics"]),
        "quality": by_result(with_margin(frames["quality"])),
        "power": by_result(frames["power"]),
        "sources": by_result(frames["provenance"]),
        "findings": found,
        "outcomes": outcomes,
    }
    return {
        row["id"]: Evidence(
            **{name: tuple(part.get(row["id"], ())) for name, part in parts.items()}
        )
        for row in rows
    }


def _accuracy(quality: Sequence[Record]) -> str | None:
    """Write the first quality value of a result: that of the main measure of its benchmark."""
    first = next((item for item in quality if item["value"] is not None), None)
    return f"{first['name']} {exact(first['value'], 5)}" if first else None


def _systems(
    described: Mapping[Owner, Record], rows: list[Record], folder: str, kinds: Mapping[str, str]
) -> tuple[Record, ...]:
    """Return systems with their results: those described, and those that only have results."""
    of_system: dict[Owner, list[Record]] = {owner: [] for owner in described}
    for row in rows:
        of_system.setdefault(row["owner"], []).append(row)
    return tuple(
        _system(owner, described.get(owner), of_system[owner], folder, kinds)
        for owner in sorted(of_system, key=lambda owner: (owner[1].casefold(), owner))
    )


def _system(
    owner: Owner,
    described: Record | None,
    rows: list[Record],
    folder: str,
    kinds: Mapping[str, str],
) -> Record:
    facts = described or dict.fromkeys(SYSTEM_COLUMNS) | {"description": {}}
    hardware = accelerators.read(facts["accelerator"])
    division, submitter, system = owner
    return facts | {
        "division": division,
        "submitter": submitter,
        "system": system,
        "described": described is not None,
        "name": facts["system_name"] or system,
        "key": slug(submitter, system, division)[-8:],
        "page": system_page(folder, owner),
        "submitter_page": submitter_page(folder, submitter),
        "kinds": [kinds.get(name, name) for name in hardware.names],
        "mixed": hardware.mixed,
        "parts": hardware.parts,
        "hardware": hardware_text(facts, hardware, kinds),
        "notes": _notes(facts["description"], hardware),
        "rows": tuple(rows),
    }


def choices(rows: Iterable[Record], column: str) -> dict[str, int]:
    """Count the values of a column, lists by their items; what is missing is `NONE`."""
    cells = (row[column] if isinstance(row[column], list) else [row[column]] for row in rows)
    counts = Counter(NONE if value is None else value for cell in cells for value in cell)
    return dict(sorted(counts.items(), key=lambda item: (item[0] == NONE, item[0].casefold())))
