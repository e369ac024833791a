"""What is better, by how much, and what is worse than it was: of rows that are made up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mlcheck.repository.choices import Per
from mlcheck.repository.compare import Contestant, compare
from mlcheck.repository.diff import Change, changes
from mlcheck.repository.errors import AskError
from mlcheck.repository.history import history
from mlcheck.repository.sides import Side
from mlcheck.repository.store import Store
from tests.command_line import PASS, USAGE, run
from tests.edits import Place, SetJson
from tests.repository.conftest import keep
from tests.trees import EXAMPLES, copy_tree

BETTER = ("higher", "lower")


def row(value: float | None, better: str, **other: Any) -> dict[str, Any]:
    return {
        "suite": "s", "round": "v1.0", "division": "closed", "submitter": "A", "system": "x",
        "system_type": None, "benchmark": "b", "benchmark_raw": "b", "scenario": None, "path": "p",
        "verdict": "valid", "official_verdict": "valid", "metric": "m", "value": value,
        "unit": "u", "better": better, "power_value": None, "power_unit": None, "quality": {},
        "power_only": False, "accelerators_total": 2, "nodes": 1, "power_efficiency": None,
        "comparability_key": "k", **other,
    }  # fmt: skip


@pytest.mark.parametrize(("better", "best", "ratio"), [("higher", 8.0, 2.0), ("lower", 2.0, 2.0)])
def test_the_best_of_each_round_against_the_one_before(
    better: str, best: float, ratio: float
) -> None:
    rows = [
        row(4.0, better, round="v9.0"),
        row(8.0, better, round="v10.0", accelerators_total=8),
        row(2.0, better, round="v10.0", accelerators_total=1),
        row(None, better, round="v10.0"),
        row(99.0 if better == "higher" else 0.1, better, round="v10.0", power_only=True),
    ]
    (line,) = history(rows)
    assert [each.round for each in line.rounds] == ["v9.0", "v10.0"]
    assert [each.results for each in line.rounds] == [1, 2]
    assert line.rounds[1].row["value"] == best
    assert [each.ratio for each in line.rounds] == [None, ratio]
    per = [each.per_accelerator for each in line.rounds]
    assert per == ([2.0, 2.0] if better == "higher" else [None, None])


def test_the_best_rate_of_an_accelerator_may_be_another_system_s() -> None:
    rows = [row(8.0, "higher", accelerators_total=8), row(3.0, "higher", accelerators_total=1)]
    (line,) = history([*rows, row(5.0, "higher", accelerators_total=None)])
    assert line.rounds[0].row["value"] == 8.0
    assert line.rounds[0].per_accelerator == 3.0


def of_value(was: dict[str, Any], now: dict[str, Any], tolerance: float = 0.0) -> Change:
    old, new = (Side(label="", results=(each,), descriptions={}) for each in (was, now))
    (change,) = (c for c in changes(old, new, tolerance) if c.kind == "value" and c.field == "m")
    return change


@pytest.mark.parametrize("better", BETTER)
@pytest.mark.parametrize(
    ("factor", "tolerance", "worse"),
    [(1.02, 0.0, True), (1.02, 0.01, True), (1.02, 0.03, False), (0.98, 0.0, False)],
)
def test_worse_by_more_than_is_tolerated(
    better: str, factor: float, tolerance: float, worse: bool
) -> None:
    """The factor is of a time; of a rate it is turned round."""
    now = 100.0 * factor if better == "lower" else 100.0 / factor
    change = of_value(row(100.0, better), row(now, better), tolerance)
    assert change.regression is worse
    assert change.ratio == pytest.approx(now / 100.0)


def test_a_value_that_is_gone_is_worse_and_a_new_one_is_not() -> None:
    assert of_value(row(1.0, "lower"), row(None, "lower")).regression
    assert not of_value(row(None, "lower"), row(1.0, "lower")).regression


def test_values_of_two_units_are_not_held_against_each_other() -> None:
    change = of_value(row(100.0, "higher"), row(1.0, "higher", unit="other"))
    assert (change.ratio, change.regression) == (None, False)


def side(*rows: dict[str, Any]) -> Contestant:
    return Contestant(label=rows[0]["system"], round="v1.0", rows=rows)


@pytest.mark.parametrize("better", BETTER)
def test_speed_ups_and_their_mean(better: str) -> None:
    """Of the benchmarks that all have; who is better has more than 1."""
    one = side(row(1.0, better), row(1.0, better, benchmark="c"), row(1.0, better, benchmark="d"))
    two = side(row(4.0, better, system="y"), row(9.0, better, system="y", benchmark="c"))
    three = side(*(row(1.0, better, system="z", benchmark=name) for name in "bcd"))
    found = compare([one, two, three], 0, Per.SYSTEM)
    assert [each.benchmark for each in found.benchmarks] == ["b", "c", "d"]
    assert found.counted == 2
    mean = 6.0 if better == "higher" else 1 / 6
    assert found.means == pytest.approx((1.0, mean, 1.0))
    assert found.benchmarks[2].speedups == (1.0, None, 1.0)


def test_what_cannot_be_divided() -> None:
    times = [side(row(4.0, "lower")), side(row(2.0, "lower", system="y"))]
    for per, said in ((Per.NODE, "which are not divided"), (Per.WATT, "have no measured power")):
        with pytest.raises(AskError, match=said):
            compare(times, 0, per)
    rates = [side(row(4.0, "higher")), side(row(6.0, "higher", system="y", accelerators_total=1))]
    (found,) = compare(rates, 0, Per.ACCELERATOR).benchmarks
    assert (found.values, found.speedups, found.unit) == ((2.0, 6.0), (1.0, 3.0), "u/accelerator")


def test_a_device_is_found_by_its_accelerator_and_by_its_soc(scratch: Path) -> None:
    root = copy_tree(EXAMPLES / "mobile-v5.0", scratch / "tree")
    system = {
        "Processor Name": "Qualcomm Snapdragon 8 Elite Mobile Platform",
        "Accelerator type": "Qualcomm Hexagon 780",
    }
    SetJson(path="systems/acme-p1.json", members={"system": system}).apply(
        Place(root, "closed/Acme")
    )
    store = Store(str(scratch / "store"))
    keep(store, root, "mobile", "v5.0")
    for text in ("Hexagon 780", "qualcomm hexagon 780", "Snapdragon 8 Elite", "IM1000"):
        shown = run("history", text, "--store", store.uri)
        assert shown.exit_code == PASS, text
        assert shown.stdout.startswith(f"accelerator {text}: ")
        assert "bolt" not in shown.stdout.lower()
    assert "Qualcomm Snapdragon 8 Elite" in shown.stdout
    assert run("history", "Snapdragon 8 Gen 3", "--store", store.uri).exit_code == USAGE
