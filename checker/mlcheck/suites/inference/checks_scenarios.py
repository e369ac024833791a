"""Rules about which scenarios of a benchmark are there."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.checks_benchmarks import (
    IR_SCENARIOS,
    NO_BENCHMARK,
    NO_TYPE,
    needs_of,
)
from mlcheck.suites.inference.entry import BenchmarkView, Entry
from mlcheck.suites.inference.facts import Facts


def unknown_scenarios(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """A scenario folder has the name of a scenario, in letters of any case; in closed and network
    one that the benchmark requires or allows for this category.
    """
    yield from _unknown_scenario(entry, facts)


def unknown_scenarios_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool knows the name as the rules write it, and in small letters."""
    words = facts.endpoints.folders if entry.endpoints and facts.endpoints else {}
    known = entry.scenario_raw in facts.scenario_names or entry.scenario_raw.lower() in words
    if entry.scenario and not known:
        yield Flaw(
            path=entry.path,
            message=f"{entry.scenario_raw} is not a name of {entry.scenario.name}",
            expected=entry.scenario.name,
            actual=entry.scenario_raw,
            hint="rename the folder",
        )
    yield from _unknown_scenario(entry, facts)


def _unknown_scenario(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    needs = needs_of(entry)
    if entry.scenario is None:
        allowed = list(facts.scenarios)
    elif not entry.division.closed_rules or needs is None:
        return  # open: any combination; INF201, INF202 and SYS008 report the rest
    else:
        allowed = sorted(needs.required | needs.optional)
    if entry.scenario is None or entry.scenario.name not in allowed:
        yield Flaw(
            path=entry.path,
            message=f"{entry.scenario_raw} is not a scenario of {entry.benchmark_raw} here",
            expected=" or ".join(allowed),
            actual=entry.scenario_raw,
            hint="rename the folder, or move the result to the open division",
        )


def unknown_scenario_beside(view: BenchmarkView, _: Facts) -> Iterator[Judgement]:
    """A scenario that the round does not know concerns its own folder alone (INF203)."""
    del view
    yield from ()


def unknown_scenario_beside_official(view: BenchmarkView, facts: Facts) -> Iterator[Judgement]:
    """The official tool of some rounds refuses every scenario of a benchmark beside one that it
    does not know.
    """
    if facts.official["unknown_scenario_refuses"] == "benchmark":
        unknown = [e for e in view.entries if any(_unknown_scenario(e, facts))]
        if unknown:
            yield Flaw(
                path=view.path,
                message=f"{unknown[0].scenario_raw} beside it is no scenario of the benchmark",
                hint="rename or remove that folder",
            )


def missing_scenarios(view: BenchmarkView, facts: Facts) -> Iterator[Judgement]:
    """In closed and network every scenario is there that the benchmark requires for this category
    of systems.
    """
    needs = needs_of(view)
    if not view.division.closed_rules:
        return
    if view.benchmark is None or view.system_type not in facts.system["types"]:
        yield Unjudged(NO_BENCHMARK if view.benchmark is None else NO_TYPE, skipped=True)
        return
    present = {entry.scenario.name for entry in view.entries if entry.scenario}
    for name in sorted((needs.required if needs else frozenset()) - present):
        yield Flaw(
            path=view.path,
            message=f"{view.benchmark.name} has no {name} result",
            expected=name,
            actual=", ".join(sorted(present)) or "none",
            hint=f"add {view.path}/{name}, or move the benchmark to the open division",
        )


def missing_alternative(view: BenchmarkView, facts: Facts) -> Iterator[Judgement]:
    """Where Server and Interactive are both optional, one of them is there."""
    needs = needs_of(view)
    if not view.division.closed_rules or needs is None:
        return
    present = {entry.scenario.name for entry in view.entries if entry.scenario}
    for group in facts.one_of:
        if group <= needs.optional and not present & group:
            names = " or ".join(sorted(group))
            yield Flaw(
                path=view.path,
                message=f"{view.benchmark_raw} lacks a result in {names}",
                expected=names,
                actual=", ".join(sorted(present)) or "none",
                hint="add one of them, or move the benchmark to the open division",
            )


RULES = (
    Rule(
        id="INF203",
        name="scenario-unknown",
        scope=Scope.RESULT,
        check=unknown_scenarios,
        official_check=unknown_scenarios_official,
        policy=IR_SCENARIOS,
        why="Only the scenarios of the table are published.",
        fix="Rename the folder, or move the result to open.",
    ),
    Rule(
        id="INF208",
        name="scenario-unknown-beside",
        scope=Scope.BENCHMARK,
        check=unknown_scenario_beside,
        official_check=unknown_scenario_beside_official,
        policy=IR_SCENARIOS,
        why="The official tool judges the set of scenarios of a benchmark as one.",
        fix="Rename or remove the folder that is no scenario.",
    ),
    Rule(
        id="INF204",
        name="scenario-missing",
        scope=Scope.BENCHMARK,
        check=missing_scenarios,
        policy=IR_SCENARIOS,
        why="The set is required so that nobody shows only the scenario that suits the system.",
        fix="Run the missing scenario; on edge systems some may be inferred.",
    ),
    Rule(
        id="INF205",
        name="server-or-interactive-missing",
        scope=Scope.BENCHMARK,
        check=missing_alternative,
        policy=IR_SCENARIOS,
        why="A language model in a datacenter has to show that it can answer in time.",
        fix="Run Server or Interactive.",
    ),
)
