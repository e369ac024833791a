"""One round, arranged: rows in sections that may be ranked, sections in boards, and who is who."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import pandas as pd

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
from mlcheck_report.frames.rows import described_system, owner_of, shown_row, system, written
from mlcheck_report.frames.shape import NONE, Board, Evidence, Owner, Round, Section
from mlcheck_report.names import slug
from mlcheck_report.numbers import decimals, exact, number

_ROUND = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_SHARED = ("division", "label", "scenario", "variant", "metric", "unit", "better")


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
        name for row in records(frames["systems"]) for name in written(row).names
    )
    described = {owner_of(row): described_system(row) for row in records(frames["systems"])}
    rows = [
        shown_row(place, row, folder, kinds, described.get(owner_of(row), {}))
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
        outcomes=tuple(_sorted(frames["outcomes"], ["rule", "subject"])),
        offers=tuple(_sorted(frames["offers"], ["benchmark", "category", "scenario"])),
    )


def _sorted(frame: pd.DataFrame, columns: list[str]) -> list[Record]:
    return records(frame.sort_values(columns, ignore_index=True))


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
    energies = [row["energy_mj"] for row in rows if row["energy_mj"] is not None]
    places = decimals(energies)
    for row in rows:
        energy = row["energy_mj"]
        row["energy_text"] = None if energy is None else number(energy, places)
    first = rows[0]
    types = set.intersection(*(set(row["types"]) for row in rows)) - {NONE}
    section = Section(
        number=number_,
        known=first["benchmark"] is not None,
        key=first["ranking"],
        types=tuple(sorted(types)),
        energy=bool(energies),
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
    for row in _sorted(frames["outcomes"], ["rule", "subject"]):
        outcomes[row["subject"]].append(row)
    parts: dict[str, Mapping[str, list[Record]]] = {
        "metrics": by_result(frames["metrics"]),
        "quality": by_result(with_margin(frames["quality"])),
        "power": by_result(frames["power"]),
        "trace": by_result(frames["power_trace"].sort_values("second", kind="stable")),
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
        system(owner, described.get(owner), of_system[owner], folder, kinds)
        for owner in sorted(of_system, key=lambda owner: (owner[1].casefold(), owner))
    )
