"""How well power was measured, as pages say it, and its course over time."""

from __future__ import annotations

from typing import Any

import pytest

from mlcheck_report.charts.drawing import Texts
from mlcheck_report.charts.trace import HEIGHT, LEFT, RIGHT, TOP, WIDTH, Reading, trace
from mlcheck_report.frames.figures.power import efficiency_chart
from mlcheck_report.frames.measured import Measurement, course, measurement
from mlcheck_report.frames.power import ranges
from mlcheck_report.frames.site import site
from mlcheck_report.tables import read
from tests.report.conftest import EVIL, Rows, Write

TEXTS = Texts("power-trace", "Power over time", "source", "note", ("s", "W", "W", "W"))


def of_result(write: Write, rows: Rows, id_: str) -> tuple[Any, Any]:
    (round_,) = site(read(write(rows))).rounds
    return round_, next(row for row in round_.rows if row["id"] == id_)


def test_facts_have_units(write: Write, rows: Rows) -> None:
    found = measurement(*of_result(write, rows, "aa02"))
    assert found is not None
    assert dict(found.facts) == {
        "Meter": f"{EVIL[0]}, analyzer",
        "Window": "600.0 s from 2025-07-30 16:18:27 UTC",
        "Energy in the window": "180.0 kJ",
        "Samples in the window": "600, 2 of no use",
        "Window covered by samples": "99.5 %",
        "Longest time without a sample": "3.012 s",
        "Uncertainty, mean": "0.45 %",
        "Range of current": "2.500 A set, 2.250 A at most",
    }
    assert found.average == "300.0 W"


@pytest.mark.parametrize(
    ("joules", "text"),
    [(None, "\N{EN DASH}"), (0.25, "0.2500 J"), (9999.0, "9,999 J"), (25.73e6, "25.73 MJ")],
)
def test_energy_has_significant_digits(joules: float | None, text: str) -> None:
    assert Measurement({}, {"energy_j": joules}).energy == text


def test_what_is_not_known_is_not_invented(write: Write, rows: Rows) -> None:
    for name in ("meter", "energy_j", "begin_ms", "unused", "coverage", "longest_gap_ms"):
        rows["power"][0][name] = None
    for name in ("uncertainty", "range_a", "largest_a"):
        rows["power"][0][name] = None
    round_, row = of_result(write, rows, "aa02")
    found = measurement(round_, row)
    assert found is not None
    assert {text for _, text in found.facts} == {
        "analyzer",
        "600",
        "not reported",
    }
    rows["power"][0]["samples"] = None
    assert measurement(*of_result(write, rows, "aa02")) is None
    assert measurement(*of_result(write, rows, "aa01")) is None


def test_a_beginning_at_no_date_is_no_accident(write: Write, rows: Rows) -> None:
    rows["power"][0] |= {"begin_ms": 1e300, "end_ms": 2e300}
    found = measurement(*of_result(write, rows, "aa02"))
    assert found is not None
    assert found.window.endswith("at no date")


def test_power_over_time_has_a_table_with_the_same_numbers(write: Write, rows: Rows) -> None:
    chart = course(*of_result(write, rows, "aa02"))
    assert chart is not None
    assert next(cells for _, cells in chart.rows) == ("-30.0", "100.0", "95.00", "105.0")
    assert len(chart.rows) == 4
    kinds = [line.kind for line in chart.lines]
    assert kinds == 4 * ["range"] + ["series"] + 2 * ["ideal"]
    assert course(*of_result(write, rows, "aa01")) is None


def test_the_window_is_drawn_where_it_is() -> None:
    readings = [Reading(-10, 100, 100, 100), Reading(110, 100, 100, 100)]
    chart = trace(readings, 100, TEXTS)
    begin, end = (line for line in chart.lines if line.kind == "ideal")
    places = {tick.text: tick.at for tick in chart.x_ticks}
    assert begin.points.split(",")[0] == f"{places['0']:g}"
    assert end.points.split(",")[0] == f"{places['100']:g}"
    assert (begin.label, end.label) == ("beginning of the window", "end of the window")
    assert not [line for line in chart.lines if line.kind == "range"]


def test_all_of_a_trace_is_inside() -> None:
    chart = trace([Reading(5, -3, -5, 0)], None, TEXTS)
    for line in chart.lines:
        for place in line.points.split():
            x, y = (float(number) for number in place.split(","))
            assert LEFT <= x <= WIDTH - RIGHT
            assert TOP <= y <= HEIGHT


def test_efficiency_is_shown_by_accelerator(write: Write, rows: Rows) -> None:
    power = rows["power"][0]
    others = [row["id"] for row in rows["results"] if row["id"] != power["result_id"]]
    rows["power"] += [power | {"result_id": id_} for id_ in others]
    (round_,) = site(read(write(rows))).rounds
    charts = [efficiency_chart(round_, section) for section in round_.sections]
    (chart,) = filter(None, charts)
    assert "not an official metric" in chart.texts.note
    found = {cells[2]: (cells[0], cells[4], cells[5]) for _, cells in chart.rows}
    # 300 W each: accelerator, samples/s per W, W per accelerator
    assert found["box server"] == ("H100", "3.333", "37.50")
    assert found[EVIL[1]] == (EVIL[2], "2.667", "75.00")


def test_ranges_of_power(write: Write, rows: Rows) -> None:
    watts = {"aa01": 100.0, "aa03": 500.0, "aa05": 300.0, "aa06": 0.0}  # nought is no measurement
    rows["power"] = [rows["power"][0] | {"result_id": i, "average_w": w} for i, w in watts.items()]
    found = {one.name: one.figures for one in ranges(site(read(write(rows))))}
    assert found == {
        "Inference v5.1 datacenter": (100.0, 300.0, 500.0),
        "Inference v5.1 datacenter,edge": (300.0, 300.0, 300.0),
    }
