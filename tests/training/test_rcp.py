"""Reference convergence points: the policy's own examples, brute force, and SciPy."""

from __future__ import annotations

import itertools
import json
import math
import statistics
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcheck.resources import rules_root
from mlcheck.ruleset import load, rounds
from mlcheck.suites.training import student_t
from mlcheck.suites.training.facts import facts_of
from mlcheck.suites.training.rcp import Verdict, evaluate, smallest_mean
from mlcheck.suites.training.rcp_points import (
    Found,
    Limit,
    Method,
    Point,
    Pruning,
    Reference,
    Spread,
    deviation,
    olympic_mean,
    point_of,
    pruned,
    select,
)

POLICY = Method(
    runs=5,
    dropped=1,
    alpha=0.05,
    spread=Spread.TRIMMED,
    slack=0,
    limit=Limit.EXACT,
    tolerance=1e-4,
    pruning=Pruning.HULL,
)
A128 = Reference(128, (16, 14, 16, 17, 16, 16, 15, 16, 15, 16), "a128")
A256 = Reference(256, (20, 21, 21, 20, 22, 22, 21, 21, 20, 20), "a256")


def test_a_slower_submission_is_not_normalised() -> None:
    outcome = evaluate(128, (18, 18, 19, 20, 20), [A128, A256], POLICY)
    assert (outcome.verdict, outcome.norm_factor) == (Verdict.PASS, 1.0)


@pytest.mark.parametrize(
    ("batch", "convergence", "verdict", "found"),
    [
        (128, (15, 15, 15, 16, 16), Verdict.SCALED, Found.EXACT),
        (256, (19, 19, 19, 20, 21), Verdict.FAIL, Found.EXACT),
        (192, (17, 18, 18, 18, 20), Verdict.SCALED, Found.INTERPOLATED),
        (512, (30, 30, 30, 30, 30), Verdict.MISSING, Found.NONE),
        (64, (16, 16, 16, 16, 16), Verdict.PASS, Found.SMALLER),
        (64, (12, 12, 12, 12, 12), Verdict.MISSING, Found.SMALLER),
    ],
    ids=["S1", "S2", "S3", "S4", "S5", "S6"],
)
def test_the_examples_of_the_policy(
    batch: int, convergence: tuple[int, ...], verdict: Verdict, found: Found
) -> None:
    outcome = evaluate(batch, convergence, (A128, A256), POLICY)
    assert (outcome.verdict, outcome.found) == (verdict, found)


@pytest.mark.parametrize(
    ("reference", "mean", "spread", "smallest"),
    [(A128, 15.75, 0.43, 15.21), (A256, 20.75, 0.66, 19.93)],
)
def test_the_numbers_of_the_policy(
    reference: Reference, mean: float, spread: float, smallest: float
) -> None:
    point = point_of(reference, POLICY)
    assert point.mean == mean
    assert point.deviation == pytest.approx(spread, abs=0.005)
    assert smallest_mean(point, POLICY) == pytest.approx(smallest, abs=0.005)


def test_slack_lets_pass_what_is_a_little_faster() -> None:
    values = (19, 19, 19, 20, 21)
    assert evaluate(256, values, (A256,), replace(POLICY, slack=1)).verdict is Verdict.SCALED


def test_one_run_that_never_converged_is_dropped() -> None:
    outcome = evaluate(256, (21, 21, 21, math.inf, 21), (A256,), POLICY)
    assert outcome.verdict is Verdict.PASS
    assert outcome.submission_mean == 21


def test_the_factor_brings_the_mean_to_that_of_the_reference() -> None:
    outcome = evaluate(128, (15, 15, 15, 16, 16), (A128,), POLICY)
    assert outcome.norm_factor * outcome.submission_mean == pytest.approx(15.75)
    assert outcome.margin is not None
    assert outcome.margin > 0


# --- Student's t


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 9, 14, 26, 66])
@pytest.mark.parametrize("t", [-4.0, -1.0, 0.0, 0.3, 2.5])
def test_distribution_by_adding_up_its_density(degrees: int, t: float) -> None:
    scale: float = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2))
    scale /= math.sqrt(degrees * math.pi)

    def density(x: float) -> float:
        return scale * math.pow(1 + x * x / degrees, -(degrees + 1) / 2)

    steps = 2000  # Simpson's rule from 0 to t
    width = t / steps
    odd = sum(density(width * k) for k in range(1, steps, 2))
    even = sum(density(width * k) for k in range(2, steps, 2))
    area = width / 3 * (density(0) + 4 * odd + 2 * even + density(t))
    assert student_t.cdf(t, degrees) == pytest.approx(0.5 + area, abs=1e-9)


@pytest.mark.parametrize("degrees", [1, 2, 5, 9, 30])
@pytest.mark.parametrize("probability", [0.05, 0.5, 0.95, 0.999])
def test_quantile_is_the_inverse(degrees: int, probability: float) -> None:
    value = student_t.quantile(probability, degrees)
    assert student_t.cdf(value, degrees) == pytest.approx(probability, abs=1e-12)


def test_as_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for degrees, t in itertools.product(range(1, 80), (-7.0, -1.3, 0.2, 1.8, 30.0)):
        assert student_t.cdf(t, degrees) == pytest.approx(float(stats.t.cdf(t, degrees)), abs=1e-12)


def test_no_freedom_and_no_probability_are_mistakes_of_the_caller() -> None:
    with pytest.raises(ValueError, match="degrees"):
        student_t.cdf(1.0, 0)
    with pytest.raises(ValueError, match="quantile"):
        student_t.quantile(1.0, 3)


# --- brute force


def test_mean_and_deviation_as_the_statistics_module_has_them() -> None:
    values = [3.5, 9.0, 1.0, 4.0, 4.0]
    assert olympic_mean(values, 1) == statistics.fmean([3.5, 4.0, 4.0])
    assert deviation(values) == pytest.approx(statistics.pstdev(values))
    with pytest.raises(ValueError, match="dropped"):
        olympic_mean([1.0, 2.0], 1)


_POINTS = st.lists(
    st.tuples(st.integers(1, 50), st.integers(10, 60)),
    min_size=1,
    max_size=8,
    unique_by=lambda p: p[0],
)


def _points(raw: list[tuple[int, int]]) -> list[Point]:
    return [Point(batch=b, mean=m, deviation=1.0, kept=8, names=(str(b),)) for b, m in raw]


@given(_POINTS)
@settings(deadline=None)
def test_pruned_points_rise_and_no_neighbours_beat_one(raw: list[tuple[int, int]]) -> None:
    kept = pruned(_points(raw), POLICY)
    assert set(kept) <= set(_points(raw))
    assert kept[0].mean == min(m for _, m in raw)
    for low, here, high in zip(kept, kept[1:], kept[2:], strict=False):
        share = (here.batch - low.batch) / (high.batch - low.batch)
        assert here.mean <= low.mean + share * (high.mean - low.mean) + 1e-9


@given(_POINTS)
@settings(deadline=None)
def test_pruning_by_trying_every_pair(raw: list[tuple[int, int]]) -> None:
    points = sorted(_points(raw), key=lambda p: p.batch)
    least = next(p for p in points if p.mean == min(m for _, m in raw))
    right = [p for p in points if p.batch >= least.batch]

    def beaten(here: Point) -> bool:
        pairs = itertools.product(right, right)
        return any(
            low.batch < here.batch < high.batch
            and (here.mean - low.mean) * (high.batch - low.batch)
            > (high.mean - low.mean) * (here.batch - low.batch)
            for low, high in pairs
        )

    assert pruned(points, POLICY) == tuple(p for p in right if not beaten(p))


def test_one_greedy_pass_does_not_come_back() -> None:
    points = _points([(1, 10), (2, 11), (3, 12), (4, 10)])
    greedy = replace(POLICY, pruning=Pruning.GREEDY)
    assert [p.batch for p in pruned(points, POLICY)] == [1, 4]
    assert [p.batch for p in pruned(points, greedy)] == [1, 2, 4]


@given(_POINTS, st.integers(1, 60))
@settings(deadline=None)
def test_selection_by_looking_at_all(raw: list[tuple[int, int]], batch: int) -> None:
    points = sorted(_points(raw), key=lambda p: p.batch)
    sizes = [p.batch for p in points]
    found = select(batch, points, POLICY).found
    if batch in sizes:
        assert found is Found.EXACT
    elif sizes[0] < batch < sizes[-1]:
        assert found is Found.INTERPOLATED
    else:
        assert found is (Found.SMALLER if batch < sizes[0] else Found.NONE)


def _references() -> list[tuple[str, str, Reference]]:
    return [
        (name, benchmark.name, reference)
        for name in rounds("training")
        for benchmark in facts_of(load("training", name)).benchmarks.values()
        for reference in benchmark.references
    ]


def test_halving_ends_within_its_tolerance_of_the_exact_limit() -> None:
    for round_, name, reference in _references():
        benchmark = facts_of(load("training", round_)).benchmarks[name]
        assert benchmark.official is not None
        point = point_of(reference, benchmark.official)
        exact = smallest_mean(point, replace(benchmark.official, limit=Limit.EXACT))
        halved = smallest_mean(point, benchmark.official)
        assert abs(max(exact, 0) - halved) <= 1e-4 + 1e-9 * point.mean


def test_limit_of_every_point_is_where_the_test_turns() -> None:
    stats = pytest.importorskip("scipy.stats")
    for round_, name, reference in _references():
        method = facts_of(load("training", round_)).benchmarks[name].policy
        assert method is not None
        point = point_of(reference, method)
        if point.deviation == 0:
            continue
        limit = smallest_mean(point, method)
        test = stats.ttest_ind_from_stats(
            limit, point.deviation, point.kept, point.mean, point.deviation, method.runs - 2
        )
        assert test.pvalue / 2 == pytest.approx(method.alpha, rel=1e-6)


def test_points_state_what_they_are() -> None:
    for path in sorted((rules_root() / "training" / "rcp").glob("*.json")):
        for benchmark, points in json.loads(path.read_text()).items():
            ids = [point["id"] for point in points]
            assert len(ids) == len(set(ids)), (path.name, benchmark)
            assert all(point["batch"] > 0 and min(point["convergence"]) > 0 for point in points)
