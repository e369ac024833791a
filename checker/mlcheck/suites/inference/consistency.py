"""Names in a rule file that have to be names of something else in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mlcheck.overlay import RulesetError
from mlcheck.suites.inference.facts import Benchmark, Facts


def require_consistent(facts: Facts) -> None:
    """Hold the names of a round against each other; a schema cannot.

    Raises:
        RulesetError: a name means nothing.
    """
    for place, names, known in _named(facts):
        unknown = sorted(set(names) - set(known))
        if unknown:
            raise RulesetError(f"{facts.round}: {place}: unknown {', '.join(unknown)}")
    for benchmark in facts.benchmarks.values():
        for scenario in facts.scenarios.values():
            facts.metric_kind(benchmark, scenario)


def _named(facts: Facts) -> Iterator[tuple[str, Iterable[str], Iterable[str]]]:
    """Yield places, the names that they hold, and those that there are."""
    scenarios = facts.scenarios.keys()
    yield "one_of", (name for group in facts.one_of for name in group), scenarios
    yield "scenarios", (scenario.logged_as for scenario in facts.scenarios.values()), scenarios
    guessed = (name for _, name in facts.guesses if name)
    yield "benchmark_guesses", guessed, facts.benchmarks
    for name, benchmark in facts.benchmarks.items():
        metrics = (target.metric for target in benchmark.targets)
        yield f"{name} scenarios", _scenarios(benchmark), scenarios
        yield f"{name} quality", metrics, facts.accuracy_patterns
        yield f"{name} compliance", benchmark.compliance, facts.tests


def _scenarios(benchmark: Benchmark) -> Iterator[str]:
    """Yield the scenarios that a benchmark names, wherever it does."""
    for needs in benchmark.needs.values():
        yield from (*needs.required, *needs.optional)
    yield from benchmark.latency_limit_ns
    yield from benchmark.official_latency_limit_ns
    yield from benchmark.token_limits
    yield from benchmark.min_queries
    yield from benchmark.metrics
    for target in benchmark.targets:
        yield from target.scenarios or ()
