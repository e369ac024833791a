"""Energy to train: the column, the drawing, the table beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mlcheck_report.energy import energy_view
from mlcheck_report.page import Page, build
from mlcheck_report.render import render
from mlcheck_report.scaling import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH
from mlcheck_report.tables import read

Rows = dict[str, list[dict[str, Any]]]
Write = Callable[..., Path]


def row(id_: str, accelerators: int | None, joules: float | None, **facts: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "accelerators_total": accelerators,
        "energy_j": joules,
        "average_w": 8000.0,
        "power_accepted": True,
        "anchor": f"r-{id_}",
    } | facts


@pytest.fixture
def measured(rows: Rows) -> Rows:
    """The small round, with energies of two of its results."""
    for id_, joules in (("aa01", 2e6), ("aa05", 0.5e6)):
        rows["power"].append(
            rows["power"][0] | {"result_id": id_, "value": joules, "unit": "J", "efficiency": None}
        )
    return rows


@pytest.fixture
def page(measured: Rows, write: Write) -> Page:
    return build(read(write(measured)).of("inference", "v5.1"), "inference", "v5.1", {})


def test_nothing_measured() -> None:
    assert energy_view([row("a", 8, None)], {}) is None


def test_one_measurement_is_a_row_and_no_drawing() -> None:
    view = energy_view([row("a", 8, 3e6), row("b", 16, None)], {})
    assert view is not None
    assert [(each.megajoules, each.per_accelerator_w) for each in view.rows] == [(3.0, 1000.0)]
    assert view.drawing is None


def test_least_energy_first_and_everything_inside() -> None:
    view = energy_view([row("a", 512, 4.6e7), row("b", 8, 1.2e7), row("c", None, 9e6)], {})
    assert view is not None
    assert view.drawing is not None
    assert [each.row["id"] for each in view.rows] == ["c", "b", "a"]
    assert len(view.drawing.marks) == 2
    for mark, _ in view.drawing.marks:
        assert LEFT <= mark.x <= WIDTH - RIGHT
        assert TOP <= mark.y <= view.drawing.least_y <= HEIGHT - BOTTOM


@pytest.mark.parametrize(
    ("rule", "severity", "accepted", "sound"),
    [
        ("PWR814", "error", True, False),
        ("PWR815", "warning", True, True),
        ("TRN401", "error", True, True),
        ("TRN401", "note", False, False),
    ],
)
def test_objections(rule: str, severity: str, accepted: bool, sound: bool) -> None:
    found = {"a": [{"rule": rule, "severity": severity}]}
    view = energy_view([row("a", 8, 1e6, power_accepted=accepted)], found)
    assert view is not None
    assert view.rows[0].sound is sound


def test_a_section_with_energies_shows_them_instead_of_watts(page: Page) -> None:
    by_id = {each["id"]: each for each in page.rows}
    assert by_id["aa01"]["energy_mj"] == 2.0
    assert by_id["aa02"]["energy_mj"] is None  # millijoules per query are no energy of a run
    with_energy = [section for section in page.sections if section.energy]
    assert {each["id"] for section in with_energy for each in section.rows} >= {"aa01", "aa05"}
    assert page.has_energy


def test_every_measurement_stands_on_the_page(measured: Rows, write: Write, tmp_path: Path) -> None:
    render(write(measured), tmp_path / "site")
    text = (tmp_path / "site" / "inference-v5.1.html").read_text()
    assert text.count("Energy <small>to train, MJ</small>") == 1
    assert "0.5000" in text
    assert "derived, not official MLPerf" in text
    assert "<script>alert(1)</script>" not in text


def test_a_measurement_without_value(measured: Rows, write: Write, tmp_path: Path) -> None:
    measured["power"][-1] |= {"value": None, "average_w": None, "valid": False}
    render(write(measured), tmp_path / "site")
    assert "no value" in (tmp_path / "site" / "inference-v5.1.html").read_text()
