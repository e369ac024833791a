"""Energy to train: the column, the drawing, the table beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mlcheck_report import render
from mlcheck_report.frames.figures.energy import energy_chart, measured
from mlcheck_report.frames.rounds import build
from mlcheck_report.frames.shape import Round, Section
from mlcheck_report.tables import read
from tests.report.conftest import finding
from tests.report.documents import parsed

Rows = dict[str, list[dict[str, Any]]]
Write = Callable[..., Path]
ROUND = "inference-v5.1"


@pytest.fixture
def energies(rows: Rows) -> Rows:
    """The small round, with energies of two of its results: 8 and 4 accelerators."""
    for id_, joules in (("aa01", 2e6), ("aa05", 0.5e6)):
        own = {"result_id": id_, "value": joules, "unit": "J", "efficiency": None}
        rows["power"].append(rows["power"][0] | own | {"average_w": 8000.0})
    return rows


@pytest.fixture
def first(write: Write) -> Callable[[Rows], tuple[Round, Section]]:
    def of(rows: Rows) -> tuple[Round, Section]:
        built = build(read(write(rows)).of("inference", "v5.1"), "inference", "v5.1", {})
        return built, built.sections[0]

    return of


def test_nothing_measured(rows: Rows, first: Any) -> None:
    assert measured(*first(rows)) == []
    assert energy_chart(*first(rows)) is None


def test_one_measurement_is_a_row_and_no_drawing(energies: Rows, first: Any) -> None:
    energies["power"].pop()
    (one,) = measured(*first(energies))
    assert (one.megajoules, one.per_accelerator_w) == (2.0, 1000.0)
    assert energy_chart(*first(energies)) is None


def test_least_energy_first_and_everything_inside(energies: Rows, first: Any) -> None:
    chart = energy_chart(*first(energies))
    assert chart is not None
    assert [cells[3] for _, cells in chart.rows] == ["0.5000", "2.000"]
    left, top, right, bottom = chart.box
    (least,) = chart.lines
    level = float(least.points.split(",")[1].split()[0])
    for mark in chart.marks:
        assert left <= mark.x <= right
        assert top <= mark.y <= level <= bottom


@pytest.mark.parametrize(
    ("rule", "severity", "accepted", "verdict"),
    [
        ("PWR814", "error", True, "1 error by policy"),
        ("PWR815", "warning", True, "no objection"),
        ("TRN401", "error", True, "no objection"),
        ("TRN401", "note", False, "refused by the official check"),
        ("PWR814", "error", False, "1 error by policy; refused by the official check"),
    ],
)
def test_objections(
    energies: Rows, first: Any, rule: str, severity: str, accepted: bool, verdict: str
) -> None:
    energies["findings"].append(finding("f9", ["aa05"], rule=rule, severity=severity))
    energies["power"][-1]["valid"] = accepted
    assert measured(*first(energies))[0].verdict == verdict
    chart = energy_chart(*first(energies))
    assert chart is not None
    assert len(chart.groups) == (1 if verdict == "no objection" else 2)


def test_a_section_with_energies_shows_them_instead_of_watts(energies: Rows, first: Any) -> None:
    built, section = first(energies)
    by_id = {each["id"]: each for each in built.rows}
    assert section.energy
    assert by_id["aa01"]["energy_mj"] == 2.0
    assert by_id["aa02"]["energy_mj"] is None  # millijoules per query are no energy of a run


def test_every_measurement_stands_on_the_page(energies: Rows, write: Write, tmp_path: Path) -> None:
    render(write(energies), out=tmp_path / "site")
    text = parsed(tmp_path / "site" / ROUND / "all.html").text
    assert text.count("Energy, MJ to train") == 1
    assert "0.500 " in text


def test_a_measurement_without_value(energies: Rows, write: Write, tmp_path: Path) -> None:
    energies["power"][-1] |= {"value": None, "average_w": None, "valid": False}
    render(write(energies), out=tmp_path / "site")
    (page,) = (tmp_path / "site" / ROUND / "results").glob("aa05.html")
    text = parsed(page).text
    assert "not a number J" not in text
    assert "no value" in text
    assert "\N{BALLOT X} not valid" in text
