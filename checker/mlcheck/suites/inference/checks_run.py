"""Rules about the runs of a result: their files, their verdict and mode, and that they match."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts
from mlcheck.tree import join

SR_FILES = "submission_rules.adoc#inference"
IR_LOADGEN = "inference_rules.adoc#loadgen-operation"
NO_LOG = "the detail log is missing or unreadable (INF301, INF302)"


def wrong_run_files(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """performance/run_1 holds the detail and the summary log, with power also spl.txt, and nothing
    else but an accuracy log.
    """
    files = facts.files
    required = {*files["performance"]["required"]}
    required |= set(files["performance_power"]) if entry.power else set()
    allowed = required | {*files["performance"]["optional"], *files["ignored"]}
    if entry.performance is None:
        yield Flaw(
            path=entry.performance_path,
            message="result has no performance run",
            expected=entry.performance_path,
            hint="add the folder with the logs of the run",
        )
        return
    for run in (entry.performance, *entry.further_runs):
        yield from list_differences(run.path, run.names, required, allowed)
    for path in entry.missing_runs:
        yield Flaw(
            path=path,
            message="one of the runs of the scenario is missing",
            expected=path,
            hint="add the folder with the logs of the run",
        )


def wrong_run_files_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tools of older rounds only refuse a run without the files that they read, unless
    it has power.
    """
    read = facts.official["run_files"]
    if entry.performance is None or entry.power or read is None:
        yield from wrong_run_files(entry, facts)
        return
    for run in (entry.performance, *entry.further_runs):
        yield from list_differences(run.path, run.names, set(read), set(run.names))


def list_differences(
    path: str, names: frozenset[str], required: set[str], allowed: set[str]
) -> Iterator[Flaw]:
    """Yield what a folder lacks and what it holds too much."""
    for name in sorted(required - names):
        yield Flaw(
            path=join(path, name),
            message=f"{name} is missing",
            expected=name,
            hint="add the file that the run wrote",
        )
    for name in sorted(names - allowed):
        yield Flaw(
            path=join(path, name),
            message=f"{name} does not belong here",
            expected=", ".join(sorted(required)),
            actual=name,
            hint="remove it, or move it out of the results",
        )


def invalid_results(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """LoadGen calls the result VALID."""
    if entry.log is None:
        yield Unjudged(NO_LOG, skipped=True)
    for log in entry.measured_logs():
        validity = log.text("result_validity")
        if validity is not None and validity != "VALID":
            yield Flaw(
                path=log.path,
                line=log.line("result_validity"),
                message="LoadGen does not call the result valid",
                expected="VALID",
                actual=validity[:80],
                hint=str(log.text("result_invalid_reason") or "see the summary log for the reason"),
            )


def invalid_results_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool of some rounds looks at the token latencies instead, where there are
    any.
    """
    tokens = entry.benchmark is not None and entry.benchmark.token_latencies
    if not (tokens and facts.official["tokens_replace_validity"]):
        yield from invalid_results(entry, facts)


def wrong_test_mode(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Performance logs come from performance mode, accuracy logs from accuracy mode."""
    logs = [(log, "performance") for log in entry.measured_logs()]
    if entry.accuracy_log:
        logs.append((entry.accuracy_log, "accuracy"))
    else:
        yield Unjudged("the accuracy log is missing or unreadable (INF302, INF501)", skipped=True)
    for log, kind in logs:
        mode = log.text("effective_test_mode")
        if mode is None and kind == "accuracy" and log.whole:
            yield Flaw(
                path=log.path,
                message="accuracy log does not say in which mode it was written",
                expected=" or ".join(facts.test_modes[kind]),
                hint="copy the log anew from the accuracy run",
            )
        elif mode is not None and mode not in facts.test_modes[kind]:  # INF304: not logged
            yield Flaw(
                path=log.path,
                line=log.line("effective_test_mode"),
                message=f"{kind} log was written in another mode",
                expected=" or ".join(facts.test_modes[kind]),
                actual=mode[:80],
                hint=f"put the log of the {kind} run there",
            )


def different_sut(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """Performance and accuracy were run with the same system under test."""
    yield from _different(entry, "sut_name", "the system under test")


def different_loadgen(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """Performance and accuracy were run with the same build of LoadGen."""
    yield from _different(entry, "loadgen_version", "LoadGen")


def different_scenario(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """The accuracy run was made in the scenario of the performance run."""
    yield from _different(entry, "effective_scenario", "the scenario")


def _different(entry: Entry, key: str, what: str) -> Iterator[Judgement]:
    performance, accuracy = entry.log, entry.accuracy_log
    if performance is None or accuracy is None:
        yield Unjudged("one of the two logs is missing or unreadable", skipped=True)
        return
    values = performance.get(key), accuracy.get(key)
    if None in values:
        yield Unjudged(f"{key} is not logged in both runs")
    elif values[0] != values[1]:
        yield Flaw(
            path=accuracy.path,
            line=accuracy.line(key),
            message=f"{what} of the accuracy run is not that of the performance run",
            expected=str(values[0])[:80],
            actual=str(values[1])[:80],
            hint="run both modes with the same code",
        )


RULES = (
    Rule(
        id="INF301",
        name="run-files",
        scope=Scope.RESULT,
        check=wrong_run_files,
        official_check=wrong_run_files_official,
        policy=SR_FILES,
        why="The logs are the evidence of a result; other files hide them, and often hold what "
        "should not be published.",
        fix="Keep the files that LoadGen wrote, and nothing else.",
    ),
    Rule(
        id="INF306",
        name="result-not-valid",
        scope=Scope.RESULT,
        check=invalid_results,
        official_check=invalid_results_official,
        policy=IR_LOADGEN,
        why="LoadGen itself says that a condition of the scenario was not met.",
        fix="Read the summary log, change the setting it names, and run again.",
    ),
    Rule(
        id="INF307",
        name="test-mode",
        scope=Scope.RESULT,
        check=wrong_test_mode,
        policy=IR_LOADGEN,
        why="A copy of the performance log in the accuracy folder shows no accuracy.",
        fix="Put the log of the right run there.",
    ),
    Rule(
        id="INF320",
        name="sut-differs",
        scope=Scope.RESULT,
        check=different_sut,
        policy=IR_LOADGEN,
        why="The same code must be run in both modes.",
        fix="Run both modes with the same code.",
    ),
    Rule(
        id="INF321",
        name="loadgen-differs",
        scope=Scope.RESULT,
        check=different_loadgen,
        policy=IR_LOADGEN,
        why="The same code must be run in both modes; another LoadGen is another program.",
        fix="Run both modes with the same build of LoadGen.",
    ),
    Rule(
        id="INF322",
        name="accuracy-scenario-differs",
        scope=Scope.RESULT,
        check=different_scenario,
        policy=IR_LOADGEN,
        why="Code paths differ between scenarios, and so may the accuracy.",
        fix="Run accuracy in the scenario of the result.",
    ),
)
