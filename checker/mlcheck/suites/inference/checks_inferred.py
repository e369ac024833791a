"""Rules about logs of another scenario than their folder, and results inferred from them."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Flaw, Judgement, Rule, Scope
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.score import inference_formula, logged_scenario

IR_INFERRED = "inference_rules.adoc#edge-benchmarks"


def another_scenario_logged(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The log was written in the scenario of its folder, or in one that its result may be inferred
    from.
    """
    logged = logged_scenario(entry.log, facts) if entry.log else None
    if entry.log is None or logged is None or entry.scenario is None:
        return  # INF301, INF303, INF204 report it
    edge = entry.system_type in facts.inferred_system_types or not entry.division.closed_rules
    inferred = inference_formula(entry, facts) is not None and edge
    if logged.name != entry.scenario.logged_as and not inferred:
        yield _another(entry, logged.name)


def another_scenario_logged_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool of some rounds refuses it for Interactive alone and otherwise keeps the
    value as it is; that of others also refuses inferred results of systems that are not edge.
    """
    logged = logged_scenario(entry.log, facts) if entry.log else None
    if entry.scenario is None or logged is None or logged.name == entry.scenario.logged_as:
        return
    if facts.official["inference_refused"] == "interactive":
        refused = entry.scenario.name != entry.scenario.logged_as
    else:
        edge = entry.system_type in facts.inferred_system_types
        refused = inference_formula(entry, facts) is None or not edge
    if refused:
        yield _another(entry, logged.name)


def _another(entry: Entry, logged: str) -> Flaw:
    log = entry.log
    return Flaw(
        path=log.path_of("effective_scenario") if log else entry.path,
        line=log.line("effective_scenario") if log else 0,
        message=f"log of scenario {logged} lies in folder {entry.scenario_raw}",
        expected=entry.scenario.logged_as if entry.scenario else None,
        actual=logged,
        hint="put the log of the right run there",
    )


def inferred_without_estimate(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """A MultiStream result inferred from SingleStream rests on enough queries for an estimate of
    the 99th percentile.
    """
    formula = inference_formula(entry, facts)
    if entry.log is None or formula != "multistream_from_singlestream":
        return
    key = "early_stopping_latency_ms"
    if entry.log.number(key) == 0:
        yield Flaw(
            path=entry.log.path,
            line=entry.log.line(key),
            message="too few queries for an estimate of the 99th percentile",
            expected="> 0",
            actual="0",
            hint="run SingleStream longer, or measure MultiStream",
        )


RULES = (
    Rule(
        id="INF206",
        name="log-of-another-scenario",
        scope=Scope.RESULT,
        check=another_scenario_logged,
        official_check=another_scenario_logged_official,
        policy=IR_INFERRED,
        why="A copied log publishes a number that was never measured in this scenario.",
        fix="Put the right log there, or declare an inference that the rules allow.",
    ),
    Rule(
        id="INF207",
        name="inferred-without-estimate",
        scope=Scope.RESULT,
        check=inferred_without_estimate,
        policy=IR_INFERRED,
        why="LoadGen writes 0 if it could not make the estimate; 8 times 0 is no latency.",
        fix="Run SingleStream longer, or measure MultiStream.",
    ),
)
