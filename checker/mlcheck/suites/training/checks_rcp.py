"""Rules about convergence: not faster than the reference, by more than chance explains."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.training.entry import Entry, Unchecked
from mlcheck.suites.training.facts import Facts
from mlcheck.suites.training.rcp import Outcome, Verdict
from mlcheck.suites.training.rcp_points import Found

TR_RCP = "training_rules.adoc#reference-convergence-points-rcps"
TR_RESULTS = "training_rules.adoc#benchmark-results"


def too_fast(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """A closed result does not converge faster than the reference by more than chance explains."""
    converged = entry.converged
    if converged.unchecked and converged.unchecked is not Unchecked.DIVISION:
        yield Unjudged(converged.unchecked.value, skipped=True)
    yield from _too_fast(entry, converged.policy)


def too_fast_official(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The official tool takes the deviation over all runs of the reference, where the policy
    leaves out the fastest and the slowest, and grants some benchmarks a slack for longer.
    """
    if _official(entry, facts):
        yield from _too_fast(entry, entry.converged.official)


def _official(entry: Entry, facts: Facts) -> bool:
    return entry.described in facts.rcp_in and entry.benchmark is not None


def _too_fast(entry: Entry, outcome: Outcome | None) -> Iterator[Flaw]:
    if outcome is None or outcome.verdict is not Verdict.FAIL or outcome.point is None:
        return
    point, smallest = outcome.point, outcome.smallest or 0.0
    lack = smallest - outcome.submission_mean
    yield Flaw(
        path=entry.path,
        message=f"{entry.benchmark_raw} converges faster than the reference allows",
        expected=f"a mean of {smallest:.6g} or more ({_points(outcome)}, mean {point.mean:.6g})",
        actual=f"{outcome.submission_mean:.6g}, {lack:.4g} too little",
        hint="find what differs from the reference, or ask the working group for new points",
    )


def _points(outcome: Outcome) -> str:
    names = " and ".join(outcome.point.names) if outcome.point else "none"
    return f"between {names}" if outcome.found is Found.INTERPOLATED else names


def missing_point(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """There is a reference convergence point for the batch size, or on both sides of it."""
    outcome = entry.converged.policy
    yield from _missing(entry, outcome)


def missing_point_official(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """Below the smallest batch size the official tool tests by its own deviation."""
    if _official(entry, facts):
        yield from _missing(entry, entry.converged.official)


def _missing(entry: Entry, outcome: Outcome | None) -> Iterator[Flaw]:
    if outcome is None or outcome.verdict is not Verdict.MISSING:
        return
    benchmark = entry.logged or entry.benchmark
    sizes = sorted({point.batch for point in benchmark.references}) if benchmark else []
    yield Flaw(
        path=entry.path,
        message=f"no reference convergence point fits batch size {entry.batch:.10g}",
        expected=f"one of {sizes[0]} to {sizes[-1]}" if sizes else "a reference",
        actual=f"{entry.batch:.10g}",
        hint="run the reference at this batch size and propose the points, 2N runs each",
    )


def unchecked_convergence(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Convergence of a closed result can be held against the reference."""
    yield from _unchecked(entry, entry.converged.unchecked)


def unchecked_convergence_official(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The official tool needs batch size and progress from every log, even from one that fails."""
    if _official(entry, facts):
        yield from _unchecked(entry, entry.converged.official_unchecked)


def _unchecked(entry: Entry, reason: Unchecked | None) -> Iterator[Flaw]:
    if reason in (None, Unchecked.DIVISION) or entry.benchmark is None:
        return
    yield Flaw(
        path=entry.path,
        message="convergence cannot be held against the reference",
        expected=f"runs that say when they converged, all but {entry.benchmark.dropped}",
        actual=str(reason.value) if reason else None,
        hint="mend what other findings report of the logs of this result",
    )


def faster_than_mean(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """A result that converges faster than the mean of the reference is normalised to it."""
    outcome = entry.converged.official
    if outcome is None or outcome.verdict is not Verdict.SCALED or outcome.point is None:
        return
    yield Flaw(
        path=entry.path,
        message=f"score is multiplied by {outcome.norm_factor:.10g}",
        expected=f"mean {outcome.point.mean:.10g} ({_points(outcome)})",
        actual=f"{outcome.submission_mean:.10g}, at least {outcome.smallest:.10g} passes",
        hint="nothing to do: official tools compute the same factor",
    )


RULES = (
    Rule(
        id="TRN701",
        name="converges-too-fast",
        scope=Scope.RESULT,
        why="Faster convergence than the reference means that something else was trained.",
        fix="Find what differs from the reference. A bypass needs the approval of the review.",
        policy=TR_RCP,
        check=too_fast,
        official_check=too_fast_official,
    ),
    Rule(
        id="TRN702",
        name="reference-point-missing",
        scope=Scope.RESULT,
        why="Without a point at the batch size nobody knows how fast the reference converges.",
        fix="Run the reference at this batch size and propose the points.",
        policy=TR_RCP,
        check=missing_point,
        official_check=missing_point_official,
    ),
    Rule(
        id="TRN703",
        name="convergence-unchecked",
        scope=Scope.RESULT,
        why="A result whose convergence is not known is not accepted.",
        fix="Mend what is reported of its logs.",
        policy=TR_RESULTS,
        check=unchecked_convergence,
        official_check=unchecked_convergence_official,
    ),
    Rule(
        id="TRN704",
        name="score-scaled",
        scope=Scope.RESULT,
        why="So that luck in convergence does not decide; the factor is at least 1.",
        fix="Nothing to do.",
        policy=TR_RCP,
        check=faster_than_mean,
        voids=False,
    ),
)
