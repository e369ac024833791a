"""Charts: places, ticks, groups, and when there is nothing to draw."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlcheck_report.charts.bars import MOST, ranking
from mlcheck_report.charts.drawing import GROUPS, OTHER, SHAPES, Chart, Point, Texts, group_names
from mlcheck_report.charts.scales import Axis, categories, linear, logarithmic
from mlcheck_report.charts.scatter import Measure, Slope, scatter
from mlcheck_report.charts.series import series
from mlcheck_report.charts.strips import Strip, strips
from mlcheck_report.frames.figures.accuracy import accuracy_chart
from mlcheck_report.frames.figures.latency import latency_chart
from mlcheck_report.frames.figures.power import power_chart
from mlcheck_report.frames.figures.scaling import scaling_chart
from mlcheck_report.frames.rounds import build
from mlcheck_report.frames.shape import Round
from mlcheck_report.frames.sources import group, who
from mlcheck_report.tables import read
from tests.report.conftest import metric, quality, result, system

Rows = dict[str, list[dict[str, Any]]]
Write = Callable[..., Path]
TEXTS = Texts("key", "Title", "source", "note", ("A", "B"))
LOG = Measure("x", log=True)
positive = st.floats(1e-9, 1e12)


def point(x: float, y: float, group: str = "g") -> Point:
    return Point(x, y, group, "label", None, (str(x), str(y)))


@given(st.lists(positive, min_size=1, max_size=20))
def test_values_lie_on_their_axis(values: list[float]) -> None:
    for axis in (logarithmic(values, 10, 110), linear(values, 10, 110)):
        assert all(10 <= axis.at(value) <= 110 for value in values)
        assert all(10 <= tick.at <= 110 for tick in axis.ticks)
        assert len({tick.text for tick in axis.ticks}) == len(axis.ticks)


@pytest.mark.parametrize(
    ("axis", "texts"),
    [
        (logarithmic([8, 5120], 0, 100), ["10", "30", "100", "300", "1,000", "3,000"]),
        (logarithmic([8, 64], 0, 100), ["10", "20", "50"]),
        (logarithmic([1e-6, 1e6], 0, 100), ["1e\N{MINUS SIGN}6", "0.0001"]),
        (logarithmic([1.0, 1.6], 0, 100), ["1", "1.2", "1.4", "1.6"]),
        (linear([0, 50], 0, 100, zero=True), ["0", "10", "20", "30", "40", "50"]),
        (linear([75.7, 76.5], 0, 100), ["75.8", "76", "76.2", "76.4"]),
        (categories(["a", "b"], 0, 100), ["a", "b"]),
    ],
)
def test_ticks_are_round(axis: Axis, texts: list[str]) -> None:
    assert [tick.text for tick in axis.ticks][: len(texts)] == texts


def test_perfect_scaling_lies_on_its_line() -> None:
    chart = scatter(
        [point(8, 64), point(16, 32), point(64, 8)], LOG, LOG, TEXTS, [Slope(512, -1, "")]
    )
    (x1, y1), (x2, y2) = (
        tuple(map(float, pair.split(","))) for pair in chart.lines[0].points.split()
    )
    for mark in chart.marks:
        share = (mark.x - x1) / (x2 - x1)
        assert mark.y == pytest.approx(y1 + share * (y2 - y1), abs=0.3)


@given(
    st.lists(st.tuples(positive, positive), min_size=1, max_size=9),
    positive,
    st.sampled_from((-1, 1)),
)
def test_everything_is_inside(values: list[tuple[float, float]], factor: float, power: int) -> None:
    chart = scatter([point(x, y) for x, y in values], LOG, LOG, TEXTS, [Slope(factor, power, "")])
    left, top, right, bottom = chart.box
    places = [(mark.x, mark.y) for mark in chart.marks]
    for line in chart.lines:
        for pair in line.points.split():
            at, level = pair.split(",")
            places.append((float(at), float(level)))
    for x, y in places:
        assert left - 0.1 <= x <= right + 0.1
        assert top - 0.1 <= y <= bottom + 0.1


def test_groups_have_a_shape_each_and_the_rest_is_one() -> None:
    names = group_names([*"aabcdefghij"])
    assert names == (*"abcdefg", OTHER)
    assert len(names) == GROUPS == len(set(SHAPES))
    chart = scatter([point(1, 1, name) for name in "aabcdefghij"], LOG, LOG, TEXTS)
    assert [mark.group for mark in chart.marks] == [0, 0, 1, 2, 3, 4, 5, 6, 7, 7, 7]


def test_table_twin_has_every_point() -> None:
    points = [point(n, n) for n in range(1, MOST + 6)]
    chart = ranking(points, "x", TEXTS)
    assert len(chart.bars) == MOST
    assert [cells for _, cells in chart.rows] == [p.cells for p in points]
    drawn = strips([Strip("s", tuple(points))], "x", TEXTS)
    assert len(drawn.rows) == len(drawn.marks) == len(points)


def test_bars_are_as_long_as_their_values() -> None:
    bars = ranking([point(100, 0), point(50, 0), point(0, 0)], "x", TEXTS).bars
    assert bars[1].width == pytest.approx(bars[0].width / 2, abs=0.1)
    assert bars[2].width < 1


@pytest.fixture
def drawn(write: Write) -> Callable[[Rows], Callable[[Any], Chart | None]]:
    """Return what a function of `frames/figures` makes of the first section of rows."""

    def of(rows: Rows) -> Callable[[Any], Chart | None]:
        built: Round = build(read(write(rows)).of("inference", "v5.1"), "inference", "v5.1", {})
        return lambda make: make(built, built.sections[0])

    return of


def with_sizes(rows: Rows, sizes: list[int | None], **facts: Any) -> Rows:
    """Replace all results by one of each size, 100 samples/s per accelerator."""
    for name in ("results", "systems", "metrics", "quality", "power", "findings"):
        rows[name] = []
    for place, size in enumerate(sizes):
        own = system("acme", f"s{place}", accelerators_total=size, **facts)
        id_ = f"bb{place:02}"
        rows["systems"].append(own)
        rows["results"].append(result(id_, own, "resnet", "Offline"))
        rows["metrics"].append(metric(id_, 100.0 * (size or 1)))
        rows["quality"].append(quality(id_, 76.0 + place, 75.7))
    return rows


def test_scaling_of_throughput(rows: Rows, drawn: Any) -> None:
    chart = drawn(with_sizes(rows, [8, 16, 64]))(scaling_chart)
    assert len(chart.marks) == 3
    assert [cells[-1] for _, cells in chart.rows] == ["100", "100", "100"]
    assert len(chart.lines) == 1


@pytest.mark.parametrize(
    ("sizes", "facts"),
    [
        ([8, 16], {}),
        ([8, 8, 8], {}),
        ([8, 16, None], {}),
        ([8, 16, 32], {"accelerator": "A (x1), B (x1)"}),
    ],
)
def test_no_scaling(rows: Rows, drawn: Any, sizes: list[int | None], facts: Any) -> None:
    assert drawn(with_sizes(rows, sizes, **facts))(scaling_chart) is None


def test_latency_does_not_scale(rows: Rows, drawn: Any) -> None:
    with_sizes(rows, [8, 16, 32])
    for row in rows["metrics"]:
        row |= {"unit": "ms", "better": "lower"}
    assert drawn(rows)(scaling_chart) is None


def test_time_to_train_scales(rows: Rows, drawn: Any) -> None:
    with_sizes(rows, [8, 16, 32])
    for row, minutes in zip(rows["metrics"], (64.0, 32.0, 20.0), strict=True):
        row |= {"unit": "minutes", "better": "lower", "value": minutes}
    chart = drawn(rows)(scaling_chart)
    assert sorted(cells[-1] for _, cells in chart.rows) == ["100", "100", "80"]


def test_accuracy_against_performance(rows: Rows, drawn: Any) -> None:
    chart = drawn(with_sizes(rows, [8, 16, 64]))(accuracy_chart)
    assert chart.y_title == "acc, higher is better"
    assert {cells[4] for _, cells in chart.rows} == {"76", "77", "78"}
    for row in rows["quality"]:
        row |= {"op": "<", "target": 80.0}
    assert drawn(rows)(accuracy_chart).y_title == "acc, lower is better"


def test_power_has_lines_of_equal_efficiency(rows: Rows, drawn: Any) -> None:
    with_sizes(rows, [8, 16])
    for id_, watts in (("bb00", 400.0), ("bb01", 1000.0)):
        rows["power"].append(
            {"result_id": id_, "kind": "measured", "value": watts, "unit": "W", "average_w": watts}
            | {"efficiency": 1.0, "valid": True, "method": "analyzer"}
        )
    chart = drawn(rows)(power_chart)
    assert [line.label.split()[0] for line in chart.lines] == [
        "2.000",
        "1.000",
    ]  # a quarter lies outside
    assert chart.lines[0].label == "2.000 samples/s per W"
    assert drawn(with_sizes(rows, [8, 16]))(power_chart) is None


def test_latency_percentiles_are_in_order(rows: Rows, drawn: Any) -> None:
    with_sizes(rows, [8])
    for name, value in (
        ("latency_p99_9", 9.0),
        ("latency_p100", 10.0),
        ("latency_p50", 1.0),
        ("latency_p90", 3.0),
    ):
        further = metric("bb00", value, "ms", "lower") | {"name": name, "role": "secondary"}
        rows["metrics"].append(further)
    chart = drawn(rows)(latency_chart)
    assert [cells[2] for _, cells in chart.rows] == ["50", "90", "99.9", "100"]
    assert [mark.x for mark in chart.marks] == sorted(mark.x for mark in chart.marks)


def test_ticks_of_values_that_hardly_differ_can_be_told_apart() -> None:
    axis = linear([4.060311757586585e-06, 4.060314007832766e-06], 0, 100)
    assert len({tick.text for tick in axis.ticks}) == len(axis.ticks) > 2


def test_places_on_axes_follow_the_values() -> None:
    axis = logarithmic([1.0, 100.0], 0, 100)
    assert [axis.at(value) for value in (1.0, 10.0, 100.0)] == [5.4, 50.0, 94.6]  # room: 6 %
    assert linear([50.0, 100.0], 0, 100, zero=True).at(0) == 0


def test_a_strip_spans_its_values() -> None:
    chart = strips([Strip("s", (point(10, 1), point(1, 1), point(5, 1)))], "x", TEXTS)
    ends = [float(pair.split(",")[0]) for pair in chart.lines[0].points.split()]
    assert ends == [min(mark.x for mark in chart.marks), max(mark.x for mark in chart.marks)]


def test_names_and_ticks_have_room() -> None:
    short, long = (
        strips([Strip(name, (point(1, 1), point(9, 1)))], "x", TEXTS) for name in ("a", "a" * 40)
    )
    assert short.box[0] < 100
    assert long.box[0] > 40 * 6  # a character is about seven units wide
    wide = scatter([point(1, 0.274001), point(2, 0.274125)], LOG, Measure("y", log=False), TEXTS)
    assert max(len(tick.text) for tick in wide.y_ticks) >= 8
    assert wide.box[0] > 76
    assert all(mark.x >= wide.box[0] for mark in wide.marks)


@pytest.mark.parametrize(
    ("submitter", "name", "said"),
    [
        ("Dell", "Dell PowerEdge", "Dell PowerEdge"),
        ("Dell", "dell box", "dell box"),
        ("Dell", "Dellcom box", "Dell: Dellcom box"),
        ("Acme", "box", "Acme: box"),
    ],
)
def test_a_submitter_is_named_once(submitter: str, name: str, said: str) -> None:
    assert who({"submitter": submitter, "name": name}) == said


def test_a_mix_is_a_group_of_its_own() -> None:
    assert group({"kinds": ["A", "B"]}) == "A + B"
    assert group({"kinds": []}) == "CPU only"


def test_lines_over_rounds_need_two_of_them() -> None:
    chart = series({"a": [point(0, 1), point(1, 4)], "b": [point(1, 1)]}, ["v1", "v2"], "y", TEXTS)
    assert [line.label for line in chart.lines] == ["a"]
    assert len(chart.marks) == 3


def test_axis_of_one_value() -> None:
    axis = linear([0.0], 0, 100)
    assert math.isfinite(axis.at(0.0))
