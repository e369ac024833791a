"""What spans systems and rounds: comparison, history, outliers."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mlcheck_report.frames import compare, history, over_rounds, peers
from mlcheck_report.frames.rounds import build
from mlcheck_report.frames.shape import Round
from mlcheck_report.frames.site import Site, site
from mlcheck_report.tables import read
from tests.report.conftest import metric, result, system

Rows = dict[str, list[dict[str, Any]]]
Write = Callable[..., Path]
ROUND = "inference-v5.1"


# comparison


@pytest.fixture
def compared(write: Write) -> Callable[[Rows, list[str]], compare.Comparison]:
    def of(rows: Rows, names: list[str]) -> compare.Comparison:
        built = build(read(write(rows)).of("inference", "v5.1"), "inference", "v5.1", {})
        systems = {one["system"]: one for one in built.systems}
        return compare.comparison(built, [systems[name] for name in names])

    return of


def two_systems(rows: Rows) -> Rows:
    """Give box and its rival two results each in the same sections: a rate and a time."""
    rows["systems"] = [system("acme", "box"), system("beta", "rival", accelerators_total=4)]
    box, rival = rows["systems"]
    rows["results"] = [
        result("aa01", box, "resnet", "Offline"),
        result("aa02", box, "resnet", "SingleStream"),
        result("bb01", rival, "resnet", "Offline"),
        result("bb02", rival, "resnet", "SingleStream"),
        result("bb03", rival, "bert", "Offline"),
    ]
    rows["metrics"] = [
        metric("aa01", 1000.0),
        metric("aa02", 4.0, "ms", "lower"),
        metric("bb01", 500.0),
        metric("bb02", 1.0, "ms", "lower"),
        metric("bb03", 9.0),
    ]
    return rows


def test_ratios_and_their_mean(rows: Rows, compared: Any) -> None:
    found = compared(two_systems(rows), ["box", "rival"])
    ratios = {
        (task.section.label, task.section.scenario): task.cells[1].ratio for task in found.tasks
    }
    assert ratios["resnet", "Offline"] == pytest.approx(0.5)
    assert ratios["resnet", "SingleStream"] == pytest.approx(4)  # a quarter of the time
    assert ratios["bert", "Offline"] is None  # the baseline has none
    assert found.means[1].tasks == 2
    assert found.means[1].text.startswith(f"{math.sqrt(2):.3f}")
    assert found.shared == 2
    assert [cell.text for cell in found.tasks[0].cells] == ["no result", "9.000"]


def test_invalid_results_are_not_compared(rows: Rows, compared: Any) -> None:
    two_systems(rows)["results"][2]["verdict"] = "invalid"
    found = compared(rows, ["box", "rival"])
    cells = [cell for task in found.tasks for cell in task.cells if cell.text == "not valid"]
    assert [cell.ratio for cell in cells] == [None]


def test_other_divisions_are_not_compared(rows: Rows, compared: Any) -> None:
    for row in (two_systems(rows)["systems"][1], *rows["results"][2:]):
        row["division"] = "open"
    assert compared(rows, ["box", "rival"]).shared == 0


def test_differences_of_description(rows: Rows, compared: Any) -> None:
    facts = {fact.name: fact for fact in compared(two_systems(rows), ["box", "rival"]).facts}
    assert facts["Accelerators in total"].differs
    assert facts["Accelerators in total"].values == ("8", "4")
    assert not facts["Framework"].differs


# history


def later_round(rows: Rows, round_: str, factor: float) -> Rows:
    """Return the same results in another round, `factor` times as high."""
    later = copy.deepcopy(rows)
    for name in ("results", "submissions", "systems", "findings", "outcomes", "offers"):
        for row in later[name]:
            row["round"] = round_
    for name in ("metrics", "quality", "power", "provenance"):
        for row in later[name]:
            row["result_id"] += round_
    for row in later["results"]:
        row["id"] += round_
    for row in later["metrics"]:
        row["value"] *= factor if row["better"] == "higher" else 1 / factor
    return later


@pytest.fixture
def two_rounds(rows: Rows, write: Write, tmp_path: Path) -> Site:
    first = write(rows).rename(tmp_path / "first")
    return site(read(first, write(later_round(rows, "v6.0", 2.0))))


def test_best_results_are_normalised_to_the_first_round(two_rounds: Site) -> None:
    found = over_rounds.history(
        "inference", two_rounds.rounds, [row for round_ in two_rounds.rounds for row in round_.rows]
    )
    lines = {line.name: line for line in found.lines}
    rate = lines["resnet Offline, closed, datacenter"]
    assert [cell and cell.row["value"] for cell in rate.cells] == [1000, 2000]
    assert [cell and cell.ratio for cell in rate.cells] == [1, 2]
    time = lines["resnet SingleStream, closed, datacenter"]
    assert [cell and cell.ratio for cell in time.cells] == [1, pytest.approx(2)]  # half the time
    best, efficiency = found.charts
    assert "normalised to the first" in best.texts.title
    assert "per accelerator" in efficiency.texts.title


def test_efficiency_over_rounds_of_times_to_train(rows: Rows, write: Write, tmp_path: Path) -> None:
    """80 accelerator-minutes, then 64; a latency has no efficiency."""
    rows["metrics"][0] |= {"value": 10.0, "unit": "minutes", "better": "lower"}
    first = write(rows).rename(tmp_path / "first")
    later = later_round(rows, "v6.0", 2.5)  # 4 minutes
    later["systems"][0]["accelerators_total"] = 16
    found = site(read(first, write(later)))
    (shown,) = [one.view for one in history.frame(found)]
    _, efficiency = shown["histories"][0].charts
    ratios = {(cells[0], cells[1]): cells[-1] for _, cells in efficiency.rows}
    assert ratios["resnet Offline, closed, datacenter", "v6.0"] == "1.250"
    assert not [name for name, _ in ratios if "SingleStream" in name]


def test_the_best_of_a_round_is_shown(rows: Rows, write: Write) -> None:
    rows["systems"][2]["category"] = "datacenter"  # 800 samples/s beside 1000
    (shown,) = [one.view for one in history.frame(site(read(write(rows))))]
    lines = {line.name: line for line in shown["histories"][0].lines}
    (best,) = lines["resnet Offline, closed, datacenter"].cells
    assert best.row["id"] == "aa01"


def test_types_do_not_part_what_few_state(rows: Rows, write: Write, tmp_path: Path) -> None:
    for place in (1, 2, 3):
        rows["systems"][place]["category"] = None
    found = site(read(write(rows)))
    (shown,) = [one.view for one in history.frame(found)]
    names = {line.name for line in shown["histories"][0].lines}
    assert "resnet Offline, closed" in names
    assert not [name for name in names if "datacenter" in name]


def test_submitters_and_systems_of_several_rounds_have_a_history(two_rounds: Site) -> None:
    names = {shown.view["subject"].name for shown in history.subjects(two_rounds)}
    assert {"H100", "acme", "acme: box server", "beta"} <= names


def test_one_round_has_no_history(rows: Rows, write: Write) -> None:
    kinds = {shown.view["subject"].kind for shown in history.subjects(site(read(write(rows))))}
    assert kinds == {"accelerator"}


def test_rounds_of_a_site_are_complete(two_rounds: Site, rows: Rows) -> None:
    assert [len(round_.rows) for round_ in two_rounds.rounds] == [8, 8]


# outliers


def fill(rows: Rows, values: list[float], sizes: list[int]) -> None:
    """Replace all results by one of each value, on systems of these numbers of accelerators."""
    rows["systems"] = [
        system("acme", f"s{n}", accelerators_total=size) for n, size in enumerate(sizes)
    ]
    rows["results"] = [
        result(f"bb{n:02}", own, "resnet", "Offline") for n, own in enumerate(rows["systems"])
    ]
    rows["metrics"] = [metric(f"bb{n:02}", value) for n, value in enumerate(values)]


def round_of(rows: Rows, write: Write) -> Round:
    return build(read(write(rows)).of("inference", "v5.1"), "inference", "v5.1", {})


@pytest.mark.parametrize(
    ("values", "far"),
    [
        ([100.0, 101, 99, 100, 50], [0.5]),
        ([100.0, 100, 100, 100, 100], []),
        ([100.0, 100, 100, 100, 101], []),  # equal peers raise no alarm for a percent
        ([100.0, 101, 99, 50], []),  # too few
        # deviations of the logarithm: their median is 0.01, so 3.5 scores are 0.0519
        ([math.exp(d) for d in (0, 0, 0.01, -0.01, 0.053)], [math.exp(0.053)]),
        ([math.exp(d) for d in (0, 0, 0.01, -0.01, 0.051)], []),
    ],
)
def test_outliers(rows: Rows, write: Write, values: list[float], far: list[float]) -> None:
    sizes = [n + 1 for n in range(len(values))]
    fill(rows, [value * size for value, size in zip(values, sizes, strict=True)], sizes)
    assert [one.ratio for one in peers.outliers(round_of(rows, write))] == pytest.approx(far)


def test_outliers_among_times(rows: Rows, write: Write) -> None:
    """Twice the accelerator-minutes of the others is half as good."""
    fill(rows, [8.0, 4.0, 2.0, 1.0, 1.0], [1, 2, 4, 8, 16])
    for row in rows["metrics"]:
        row |= {"unit": "minutes", "better": "lower"}
    (far,) = peers.outliers(round_of(rows, write))
    assert far.row["id"] == "bb04"
    assert far.ratio == pytest.approx(0.5)


def test_other_models_are_no_peers(rows: Rows, write: Write) -> None:
    fill(rows, [100.0, 100.0, 100.0, 100.0, 50.0], [1] * 5)
    for row in (*rows["results"], *rows["systems"]):
        row["division"] = "open"
    assert peers.outliers(round_of(rows, write))
    rows["results"][4]["benchmark_raw"] = "resnet-pruned"
    assert peers.outliers(round_of(rows, write)) == []
