"""Rules about which run a log is of: task, mode, scenario, data set, iteration."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.mobile.entry import Entry
from mlcheck.suites.mobile.facts import Benchmark, Facts
from mlcheck.suites.mobile.values import shown

MR_PERFORMANCE = "mobile_inference_rules.adoc#performance-run"
MR_SCENARIOS = "mobile_inference_rules.adoc#scenarios"
MR_LOADGEN = "mobile_inference_rules.adoc#loadgen-operation"
MR_STRUCTURE = "mobile_inference_rules.adoc#directory-structure"
SP_ITERATIONS = "submissionRuleV3_0.adoc#number-of-iterations"
PERFORMANCE, ACCURACY = "PerformanceOnly", "AccuracyOnly"


def unknown_benchmark(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The folder of a result names a task of the round."""
    if entry.benchmark is None:
        yield Flaw(
            path=entry.path,
            message=f"{shown(entry.task) or 'the folder'} is no task of {facts.round}",
            expected=", ".join(facts.benchmarks),
            actual=shown(entry.task),
            hint="rename the folder, or leave the task out",
        )


def another_mode(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """A performance log is of performance mode, an accuracy log of accuracy mode."""
    for log, mode in ((entry.log, PERFORMANCE), (entry.accuracy_log, ACCURACY)):
        if log and log.get("effective_test_mode") != mode:
            yield Flaw(
                path=log.path,
                line=log.line("effective_test_mode"),
                message="log is of another mode than its folder says",
                expected=mode,
                actual=log.raw("effective_test_mode")[:80] or "none",
                hint="give the log of the right run",
            )


def another_task(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """A log is of the data of its task."""
    known = {benchmark.log_set for benchmark in facts.benchmarks.values()}
    for log in entry.logs() if entry.benchmark else ():
        name = log.text("qsl_name")
        if name not in known:
            yield Unjudged("the log names no data set of the app")
        elif entry.benchmark and name != entry.benchmark.log_set:
            yield Flaw(
                path=log.path,
                line=log.line("qsl_name"),
                message="log is of another task than its folder says",
                expected=entry.benchmark.log_set,
                actual=name,
                hint="give the log of the right run",
            )


def another_scenario(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """Folder, logs, result file and task agree on the scenario; an open result may choose one."""
    if entry.scenario is None:
        yield Flaw(
            path=entry.path,
            message="scenario of the result is not known",
            expected=" or ".join(facts.scenarios),
            actual=shown(entry.written),
            hint="name the folder after the scenario",
        )
        return
    name = entry.scenario.name
    if entry.division.scenarios and entry.benchmark and entry.benchmark.scenario != name:
        yield Flaw(
            path=entry.path,
            message=f"{shown(entry.task)} is not run in this scenario",
            expected=entry.benchmark.scenario,
            actual=name,
            hint="leave it out, or move it to the open division",
        )
    for log in entry.logs():
        if log.get("effective_scenario") != name:
            yield Flaw(
                path=log.path,
                line=log.line("effective_scenario"),
                message="log is of another scenario than the result",
                expected=name,
                actual=log.raw("effective_scenario")[:80] or "none",
                hint="give the log of the right run",
            )
    recorded = entry.recorded.scenario if entry.recorded else None
    if entry.recorded and recorded is not None and recorded != name:
        yield Flaw(
            path=entry.record_path,
            line=entry.recorded.line,
            message="result file is of another scenario than the result",
            expected=name,
            actual=shown(recorded),
            hint="export the session that the logs are of",
        )


def several_runs(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """A result has one performance run and one accuracy run."""
    for path in entry.further:
        yield Flaw(
            path=path,
            message="there is a further run of the same kind",
            expected="one iteration",
            hint="keep the run that is claimed: only the first was judged",
        )


def small_performance_set(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """A performance run draws from as many samples as the app of the round loads."""
    log = entry.log
    key = "qsl_reported_total_count"
    samples = log.number(key) if log else None
    if log and samples is not None and entry.benchmark:
        least = entry.benchmark.performance_set
        if samples < least:
            yield Flaw(
                path=log.path,
                line=log.line(key),
                message="performance run drew from fewer samples than the app loads",
                expected=f">= {least}{_asked(entry.benchmark)}",
                actual=f"{samples:.0f}",
                hint="load the whole data set of the app",
            )


def _asked(benchmark: Benchmark) -> str:
    """Say what the policy asks for, where the app loads less."""
    asked = benchmark.performance_samples
    more = asked is not None and asked > benchmark.performance_set
    return f"; the policy says {asked}" if more else ""


RULES = (
    Rule(
        id="MOB311",
        name="mobile-mode",
        scope=Scope.RESULT,
        why="A run of another mode measured something else.",
        fix="Give the log of the right run.",
        policy=MR_LOADGEN,
        check=another_mode,
    ),
    Rule(
        id="MOB312",
        name="mobile-scenario",
        scope=Scope.RESULT,
        why="Each scenario has a metric and limits of its own.",
        fix="Give the log of the right run.",
        policy=MR_SCENARIOS,
        check=another_scenario,
    ),
    Rule(
        id="MOB322",
        name="mobile-several-runs",
        scope=Scope.RESULT,
        why="With several runs to choose from the best could be shown.",
        fix="Keep the run that is claimed.",
        policy=SP_ITERATIONS,
        check=several_runs,
        voids=False,
    ),
    Rule(
        id="MOB323",
        name="mobile-task-unknown",
        scope=Scope.RESULT,
        why="No rule of the round says how it is to be run.",
        fix="Rename the folder, or leave the task out.",
        policy=MR_STRUCTURE,
        check=unknown_benchmark,
    ),
    Rule(
        id="MOB324",
        name="mobile-performance-set",
        scope=Scope.RESULT,
        why="Few samples stay in caches.",
        fix="Load the whole data set of the app.",
        policy=MR_PERFORMANCE,
        check=small_performance_set,
        voids=False,
    ),
    Rule(
        id="MOB325",
        name="mobile-another-task",
        scope=Scope.RESULT,
        why="The log of a lighter task would show a better figure.",
        fix="Give the log of the right run.",
        policy=MR_LOADGEN,
        check=another_task,
    ),
)
