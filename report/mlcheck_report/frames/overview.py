"""The page of a round: for each benchmark and scenario what there is, or why not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mlcheck_report.frames.ranked import Record
from mlcheck_report.frames.reviews import frequent, rule_page
from mlcheck_report.frames.rows import submitter_page
from mlcheck_report.frames.shape import NONE, Round, Section
from mlcheck_report.frames.site import Shown, Site

NOT_OFFERED = "not in this round"
NOBODY = "no result"


@dataclass(frozen=True, slots=True)
class Cell:
    """Results of one benchmark and scenario in one division; without sections, why it is empty."""

    page: str | None
    sections: tuple[Section, ...]
    reason: str

    @property
    def count(self) -> int:
        """How many results there are."""
        return sum(len(section.rows) for section in self.sections)

    @property
    def best(self) -> list[tuple[Section, Record]]:
        """The first of each section that ranks."""
        return [(section, section.ranked[0]) for section in self.sections if section.ranked]


@dataclass(frozen=True, slots=True)
class Matrix:
    """One division: benchmarks by scenarios."""

    division: str
    scenarios: tuple[str | None, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


def frame(site: Site) -> Iterator[Shown]:
    """Show every round."""
    for round_ in site.rounds:
        title = f"{round_.suite} {round_.round}"
        view = {
            "matrices": matrices(round_),
            "submissions": [
                row | {"page": submitter_page(round_.folder, row["submitter"])}
                for row in round_.submissions
            ],
            "rules": [(rule, rule_page(round_.folder, rule.rule)) for rule in frequent(round_)],
        }
        yield Shown(path=f"{round_.folder}/index.html", title=title, view=view, round=round_)


def matrices(round_: Round) -> tuple[Matrix, ...]:
    """Return one table per division that has results.

    Closed and network show every benchmark of the round, so that what nobody entered is seen; open
    shows what was entered.
    """
    divisions = list(dict.fromkeys(section.division for section in round_.sections))
    offered = {(row["benchmark"], row["scenario"]) for row in round_.offers}
    return tuple(_matrix(round_, division, offered) for division in divisions)


def _matrix(round_: Round, division: str, offered: set[tuple[str, str | None]]) -> Matrix:
    found: dict[tuple[str, str | None], list[Section]] = {}
    for section in round_.sections:
        if section.division == division:
            found.setdefault((section.label, section.scenario), []).append(section)
    entered_labels = {label for label, _ in found}
    tasks = set(found) | {
        (label, scenario)
        for label, scenario in (offered if division != "open" else ())
        if scenario is not None or label not in entered_labels
    }
    labels = sorted({label for label, _ in tasks}, key=str.casefold)
    entered = round_.choices["scenario"]  # the scenarios with the most results come first
    scenarios = sorted(
        {scenario for _, scenario in tasks},
        key=lambda name: (-entered.get(name or NONE, 0), name or ""),
    )
    pages = {(board.label, board.scenario): board.page for board in round_.boards}
    return Matrix(
        division,
        tuple(scenarios),
        tuple(
            (
                label,
                tuple(
                    _cell((label, s), found, offered, pages, free=division == "open")
                    for s in scenarios
                ),
            )
            for label in labels
        ),
    )


def _cell(
    task: tuple[str, str | None],
    found: Mapping[tuple[str, str | None], list[Section]],
    offered: set[tuple[str, str | None]],
    pages: Mapping[tuple[str, str | None], str],
    *,
    free: bool,
) -> Cell:
    sections = tuple(found.get(task, ()))
    known = free or not offered or task in offered
    reason = NOBODY if known else NOT_OFFERED
    return Cell(pages.get(task), sections, "" if sections else reason)
