"""Results of any round, benchmark and scenario, made of a few logged values instead of files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from mlcheck.loadgen import DetailLog
from mlcheck.rules import Flaw, catalogue
from mlcheck.ruleset import load, rounds
from mlcheck.suites.inference.build_facts import facts_of
from mlcheck.suites.inference.entry import (
    AccuracyText,
    BenchmarkView,
    Entry,
    Reading,
    SystemView,
)
from mlcheck.suites.inference.facts import Benchmark, Facts
from mlcheck.suites.inference.layout import SystemPlace
from mlcheck.suites.inference.parse import by_benchmark
from mlcheck.suites.inference.parse_entry import EntryReader
from mlcheck.suites.inference.suite import RULES
from mlcheck.tree import Folder, Tree

ROUNDS = rounds("inference")
RULE = catalogue(RULES)


class _Hollow(Tree):
    """A tree in which every result has its folders, and no file holds anything."""

    def folder(self, path: str) -> Folder | None:
        if path.endswith("/performance/run_1"):
            return Folder(path)
        return Folder(path, {"accuracy.txt": 0}) if path.endswith("/accuracy") else None

    def read(self, path: str, limit: int = 0) -> bytes:
        return b""


HOLLOW = _Hollow("")
every_round = pytest.mark.parametrize("round_", ROUNDS)


def since(first: str) -> tuple[str, ...]:
    """Return a round and all that follow it."""
    return ROUNDS[ROUNDS.index(first) :]


def facts_for(round_: str) -> Facts:
    """Return the facts of a round."""
    return facts_of(load("inference", round_))


def scenarios_of(benchmark: Benchmark) -> set[str]:
    """Return the scenarios that a benchmark may be run in, in any category."""
    return {name for need in benchmark.needs.values() for name in need.required | need.optional}


def log_of(values: Mapping[str, Any], last_ms: float = 0) -> DetailLog:
    """Return a detail log with a line for each value, which ran for so many milliseconds."""
    lines = {
        key: (line, json.dumps(value).encode()) for line, (key, value) in enumerate(values.items())
    }
    return DetailLog(path="log", values=lines, last_ms=last_ms)


def entry_of(
    facts: Facts,
    benchmark: str,
    scenario: str,
    values: Mapping[str, Any] | None = None,
    *,
    division: str = "closed",
    system_type: str = "datacenter",
    last_ms: float = 0,
) -> Entry:
    """Return a result whose performance and accuracy runs logged some values."""
    place = SystemPlace(division=division, submitter="Acme", system="box")
    system = system_of(facts, division=division, system_type=system_type)
    entry = EntryReader(HOLLOW, facts, place, system).read(benchmark, scenario)
    logged = entry.scenario.logged_as if entry.scenario else scenario
    log = log_of({"effective_scenario": logged, **(values or {})}, last_ms)
    assert entry.performance
    assert entry.accuracy
    return replace(
        entry,
        performance=replace(entry.performance, detail=log),
        accuracy=replace(entry.accuracy, detail=log),
    )


def reading(entry: Entry, **values: float) -> Entry:
    """Return a result whose accuracy script printed these values, one a line."""
    assert entry.accuracy
    assert entry.accuracy.text
    text = printing(entry.accuracy.text, **values)
    return replace(entry, accuracy=replace(entry.accuracy, text=text))


def printing(text: AccuracyText, **values: float) -> AccuracyText:
    """Return an accuracy file with these values, one a line."""
    readings = tuple(
        Reading(
            metric=metric,
            text=repr(value),
            value=value,
            official=True,
            path=text.path,
            line=line,
        )
        for line, (metric, value) in enumerate(values.items(), 1)
    )
    return replace(text, readings=readings)


def system_of(
    facts: Facts, *, division: str = "closed", system_type: str = "datacenter"
) -> SystemView:
    """Return a system without description and results."""
    return SystemView(
        division=facts.divisions[division],
        submitter="Acme",
        name="box",
        path=f"{division}/Acme/results/box",
        description=None,
        description_path=f"{division}/Acme/systems/box.json",
        system_type=system_type,
    )


def benchmark_view(
    facts: Facts, benchmark: str, scenarios: set[str], system_type: str
) -> BenchmarkView:
    """Return a benchmark with results in some scenarios."""
    entries = tuple(
        entry_of(facts, benchmark, name, system_type=system_type) for name in sorted(scenarios)
    )
    (view,) = by_benchmark(replace(system_of(facts, system_type=system_type), entries=entries))
    return view


def flaws(rule: str, subject: Any, facts: Facts) -> list[Flaw]:
    """Return what a rule finds by the policy."""
    return [found for found in RULE[rule].check(subject, facts) if isinstance(found, Flaw)]
