"""Rules about which benchmarks and scenarios are there, and which of them were really run."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.entry import BenchmarkView, Entry
from mlcheck.suites.inference.facts import Facts, Needs
from mlcheck.suites.inference.score import inference_formula, logged_scenario

IR_SCENARIOS = "inference_rules.adoc#constraints-for-the-closed-division"
IR_INFERRED = "inference_rules.adoc#edge-benchmarks"
NO_TYPE = "the system type is missing or unknown (SYS004, SYS008)"
NO_BENCHMARK = "the benchmark is unknown (INF201)"


def unknown_benchmarks(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """A benchmark folder has a name of the round; in open, model_mapping.json may map others."""
    guessed = entry.benchmark_by == "guess" and entry.division.closed_rules
    if entry.benchmark is None or guessed:
        yield _unknown(entry, facts)


def unknown_benchmarks_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool also guesses from parts of a name, such as mobilenet; it minds capital
    letters and may lack a benchmark of the round.
    """
    known = entry.benchmark is not None and entry.benchmark.official
    if not known or entry.benchmark_by == "case":
        yield _unknown(entry, facts)


def _unknown(entry: Entry, facts: Facts) -> Flaw:
    closed = entry.division.closed_rules
    mapping = "" if closed else f", or an entry in {facts.layout['model_mapping']['file']}"
    return Flaw(
        path=entry.path.rpartition("/")[0],
        message=f"{entry.benchmark_raw} is no benchmark of the round",
        expected=f"one of {', '.join(facts.benchmarks)}{mapping}",
        actual=entry.benchmark_raw,
        hint="rename the folder in results, measurements, compliance and code"
        if closed
        else "map the model to the benchmark it stands for",
    )


def _needs(view: BenchmarkView | Entry) -> Needs | None:
    if view.benchmark is None or view.system_type is None:
        return None
    kind = view.system_type
    turned = ",".join(reversed(kind.split(",")))
    return view.benchmark.needs.get(kind) or view.benchmark.needs.get(turned)


def benchmark_outside_category(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """In closed and network a benchmark is run on a category of systems that it is made for."""
    if entry.benchmark is None:
        yield Unjudged(NO_BENCHMARK, skipped=True)
    elif entry.system_type not in facts.system["types"]:
        yield Unjudged(NO_TYPE, skipped=True)
    elif entry.division.closed_rules:
        yield from _outside(entry)


def benchmark_outside_category_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool of some rounds holds open to it too."""
    concerned = entry.division.closed_rules or facts.official["category_in_open"]
    if concerned and entry.benchmark and entry.system_type in facts.system["types"]:
        yield from _outside(entry)


def _outside(entry: Entry) -> Iterator[Flaw]:
    if _needs(entry) is None and entry.benchmark:
        yield Flaw(
            path=entry.path.rpartition("/")[0],
            message=f"{entry.benchmark.name} is no benchmark for {entry.system_type} systems",
            expected=" or ".join(entry.benchmark.needs),
            actual=entry.system_type,
            hint="move it to the open division, or correct the system type",
        )


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
    needs = _needs(entry)
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
    needs = _needs(view)
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
    needs = _needs(view)
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
        id="INF201",
        name="benchmark-unknown",
        scope=Scope.RESULT,
        check=unknown_benchmarks,
        official_check=unknown_benchmarks_official,
        policy=IR_SCENARIOS,
        why="A result is only comparable with results of the same benchmark.",
        fix="Use a name of the round, or in open a model_mapping.json.",
    ),
    Rule(
        id="INF202",
        name="benchmark-outside-category",
        scope=Scope.RESULT,
        check=benchmark_outside_category,
        official_check=benchmark_outside_category_official,
        policy=IR_SCENARIOS,
        why="Datacenter and edge are ranked apart, with benchmarks of their own.",
        fix="Correct the system type, or move the result to open.",
    ),
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
