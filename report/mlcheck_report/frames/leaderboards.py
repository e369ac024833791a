"""Leaderboards: one page per benchmark and scenario, and one with all results of a round."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck_report import glossary
from mlcheck_report.charts.drawing import Chart
from mlcheck_report.frames import figures
from mlcheck_report.frames.shape import CHOICES, Board, Round, Section, choices
from mlcheck_report.frames.site import Shown, Site


def boards(site: Site) -> Iterator[Shown]:
    """Show each board with its charts."""
    for round_ in site.rounds:
        for board in round_.boards:
            charts = {section.number: section_charts(round_, section) for section in board.sections}
            view = {"board": board, "charts": charts, "near": near(round_, board)}
            view |= {"about": glossary.benchmark(board.label), "choices": board_choices(board)}
            view |= {"asked": glossary.SCENARIOS.get(board.scenario or "")}
            title = f"{board.name}, {round_.suite} {round_.round}"
            yield Shown(path=board.page, title=title, view=view, round=round_)


def whole_rounds(site: Site) -> Iterator[Shown]:
    """Show all results of a round on one page, to be filtered."""
    for round_ in site.rounds:
        title = f"All results, {round_.suite} {round_.round}"
        path = f"{round_.folder}/all.html"
        yield Shown(path=path, title=title, view={"sections": round_.sections}, round=round_)


def board_choices(board: Board) -> dict[str, dict[str, int]]:
    """Return what the rows of a board can be filtered by."""
    return {name: choices(board.rows, column) for name, column in CHOICES.items()}


def near(round_: Round, board: Board) -> list[Board]:
    """Return the other boards of the same benchmark."""
    return [one for one in round_.boards if one.label == board.label and one is not board]


def section_charts(round_: Round, section: Section) -> list[Chart]:
    """Return the charts that the rows of a section allow."""
    drawn = (make(round_, section) for make in figures.OF_SECTION)
    return [chart for chart in drawn if chart]
