"""The facts of a round of MLPerf Mobile, typed. Values come from the rule file alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mlcheck.overlay import RulesetError
from mlcheck.ruleset import Ruleset

NAME = "mobile"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """How a scenario is run and what is published of it.

    Attributes:
        key: of the log that holds the metric; ``per_unit`` of it make one ``unit``.
        percentile: of the latency that is published; None: none is.
        min_samples: by the policy. ``app_min_samples``: what the app of the round asks for.
        max_duration_ms: after which LoadGen ends a run; 0: never.
    """

    name: str
    metric: str
    key: str
    per_unit: float
    unit: str
    better: str
    percentile: float | None
    min_duration_ms: int
    min_samples: int
    app_min_samples: int
    max_duration_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracySet:
    """A full data set. ``target``: the smallest accuracy as a fraction; None: none is published."""

    samples: int
    target: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """How the accuracy of a task is stated.

    Attributes:
        factor: from the fraction that the app records to what is shown in ``unit``.
        printed: from the number that the app prints to the fraction.
        sets: the full ones; empty: their size is not published.
        datasets: names of the full sets.
        text: where an accuracy script prints it, in percent.
    """

    metric: str
    unit: str
    factor: float
    printed: float
    sets: tuple[AccuracySet, ...]
    datasets: tuple[str, ...]
    text: tuple[re.Pattern[str], ...]

    def of_size(self, samples: float | None) -> AccuracySet | None:
        """Return the full set of that many samples; None: there is none."""
        return next((each for each in self.sets if each.samples == samples), None)

    def target(self, samples: float | None) -> float | None:
        """Return the target of the set that was run, or that of the first one."""
        chosen = self.of_size(samples) or next(iter(self.sets), None)
        return chosen.target if chosen else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """A task of the round.

    Attributes:
        folders: names under which its folders and results are known, as :func:`plain` gives them.
        limits: what it does otherwise than its scenario.
        log_set: name of its data in a log of the app.
        early_stopping: LoadGen's word on early stopping counts.
        performance_set: samples that the app loads; ``performance_samples``: that the policy asks.
    """

    name: str
    model: str
    folders: frozenset[str]
    scenario: str
    required: bool
    limits: Mapping[str, int]
    log_set: str
    early_stopping: bool
    performance_set: int
    performance_samples: int | None
    accuracy: Accuracy


@dataclass(frozen=True, slots=True, kw_only=True)
class Division:
    """What a division holds its results to: targets, the list of tasks, scenarios, the weights."""

    name: str
    targets: bool
    complete: bool
    scenarios: bool
    retraining: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All facts of a round. ``part`` matches what follows the name of a log that was split."""

    round: str
    logs_until: str | None
    divisions: Mapping[str, Division]
    layout: Mapping[str, Any]
    files: Mapping[str, Any]
    part: re.Pattern[str]
    scenarios: Mapping[str, Scenario]
    seeds: Mapping[str, int | None]
    loadgen: Mapping[str, Any]
    app: Mapping[str, Any]
    tolerances: Mapping[str, float]
    conditions: Mapping[str, Mapping[str, Any]]
    engineering: Mapping[str, tuple[str, ...]]
    description: Mapping[str, Any]
    measurement: Mapping[str, Any]
    benchmarks: Mapping[str, Benchmark]

    def scenario_of(self, name: str | None) -> Scenario | None:
        """Return a scenario by its name, however it is spelt."""
        wanted = plain(name or "")
        return next((each for key, each in self.scenarios.items() if plain(key) == wanted), None)

    def benchmark_of(self, name: str, scenario: str | None) -> Benchmark | None:
        """Return the task that a folder or a result names; the scenario tells its forms apart."""
        wanted = plain(name)
        known = [each for each in self.benchmarks.values() if wanted in each.folders]
        exact = [each for each in known if plain(each.name) == wanted]
        fitting = [each for each in known if each.scenario == scenario]
        return next(iter((*exact, *fitting, *known)), None)

    def is_app_of_round(self, version: str) -> bool:
        """Tell whether a version of the app is one of the round."""
        return any(
            version == each or version.startswith(f"{each}.") for each in self.app["versions"]
        )

    def least(self, name: str, benchmark: Benchmark | None, scenario: Scenario) -> int:
        """Return a limit of a scenario, or what a task that is run in it has in its place."""
        given: int = getattr(scenario, name)
        own = benchmark is not None and benchmark.scenario == scenario.name
        return benchmark.limits.get(name, given) if own and benchmark else given


def plain(name: str) -> str:
    """Return a name without letter case, blanks and signs."""
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def facts_of(ruleset: Ruleset) -> Facts:
    """Return the typed facts of a round.

    Raises:
        RulesetError: a task names a scenario that is not there.
    """
    document = ruleset.document
    scenarios = {
        name: Scenario(name=name, **given) for name, given in document["scenarios"].items()
    }
    benchmarks = {name: _benchmark(name, given) for name, given in document["benchmarks"].items()}
    for benchmark in benchmarks.values():
        if benchmark.scenario not in scenarios:
            raise RulesetError(f"{benchmark.name}: {benchmark.scenario} is no scenario")
    return Facts(
        round=ruleset.round,
        logs_until=document["logs_until"],
        divisions={
            name: Division(name=name, **given) for name, given in document["divisions"].items()
        },
        layout=document["layout"],
        files=document["files"],
        part=re.compile(document["layout"]["part"]),
        scenarios=scenarios,
        seeds=document["seeds"],
        loadgen=document["loadgen"],
        app=document["app"],
        tolerances=document["tolerances"],
        conditions=document["conditions"],
        engineering={name: tuple(words) for name, words in document["engineering"].items()},
        description=document["description"],
        measurement=document["measurement"],
        benchmarks=benchmarks,
    )


def _benchmark(name: str, given: Mapping[str, Any]) -> Benchmark:
    accuracy = given["accuracy"]
    return Benchmark(
        name=name,
        model=given["model"],
        folders=frozenset(plain(folder) for folder in (name, *given["folders"])),
        scenario=given["scenario"],
        required=given["required"],
        limits=given["limits"],
        log_set=given["log_set"],
        early_stopping=given["early_stopping"],
        performance_set=given["performance_set"],
        performance_samples=given["performance_samples"],
        accuracy=Accuracy(
            metric=accuracy["metric"],
            unit=accuracy["unit"],
            factor=accuracy["factor"],
            printed=accuracy["printed"],
            sets=tuple(_set(each) for each in accuracy["sets"]),
            datasets=tuple(accuracy["datasets"]),
            text=tuple(re.compile(pattern) for pattern in accuracy["text"]),
        ),
    )


def _set(given: Mapping[str, Any]) -> AccuracySet:
    reference, ratio = given["reference"], given["ratio"]
    target = None if reference is None or ratio is None else ratio * reference
    return AccuracySet(samples=given["samples"], target=target)
