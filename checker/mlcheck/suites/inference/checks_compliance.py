"""Rules about the compliance tests that closed and network results bring along."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mlcheck.documents import Text
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.checks_evidence import same_as_printed
from mlcheck.suites.inference.checks_run import list_differences
from mlcheck.suites.inference.entry import ComplianceRun, Entry
from mlcheck.suites.inference.facts import ComplianceTest, Facts, Scenario
from mlcheck.suites.inference.loadgen import DetailLog
from mlcheck.suites.inference.score import logged_scenario
from mlcheck.tree import join

SR_TESTS = "submission_rules.adoc#compliance-testing"
NO_TEST = "the folder of the test is missing (CMP101)"
NO_LOGS = "a log of the run or of the test is missing or unreadable"
NS_PER_S = 1_000_000_000


def missing_tests(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """Every compliance test that the benchmark asks for has a folder."""
    for test in entry.compliance:
        if not test.present:
            yield Flaw(
                path=test.path,
                message=f"{test.test.name} is missing",
                expected=test.path,
                hint=f"run {test.test.name} and add what its script wrote",
            )


def present(entry: Entry) -> Iterator[ComplianceRun]:
    """Yield the tests that have a folder."""
    return (test for test in entry.compliance if test.present)


def _skipped(entry: Entry) -> Iterator[Judgement]:
    if any(not test.present for test in entry.compliance):
        yield Unjudged(NO_TEST, skipped=True)


def wrong_run_files(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """performance/run_1 of a measured test holds detail and summary log and nothing but an accuracy
    log.
    """
    yield from _skipped(entry)
    required = set(facts.files["performance"]["required"])
    allowed = required | {*facts.files["performance"]["optional"], *facts.files["ignored"]}
    for test in present(entry):
        if not test.test.measured:
            continue
        if test.run is None:
            path = join(test.path, facts.layout["performance"])
            yield Flaw(
                path=path,
                message=f"{test.test.name} has no performance run",
                expected=path,
                hint="add the folder that the test's script wrote",
            )
        else:
            yield from list_differences(test.run.path, test.run.names, required, allowed)


def passed(text: Text | None, facts: Facts) -> bool:
    """Tell whether the text that a verification script printed says that the test passed."""
    return text is not None and any(facts.compliance["pass_line"] in line for line in text.lines)


def failed_performance(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """verify_performance.txt of a measured test says TEST PASS."""
    yield from _skipped(entry)
    for test in present(entry):
        if test.test.measured and not passed(test.verify_performance, facts):
            there = test.verify_performance is not None
            yield Flaw(
                path=join(test.path, "verify_performance.txt"),
                message=f"{test.test.name} did not pass its performance check"
                if there
                else "verify_performance.txt is missing",
                expected=facts.compliance["pass_line"],
                actual=_last_line(test.verify_performance),
                hint="run the verification script of the test again",
            )


def _last_line(text: Text | None) -> str | None:
    lines = [line.strip() for line in text.lines if line.strip()] if text else []
    return lines[-1][:80] if lines else None


def missing_accuracy_text(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """A test that looks at accuracy has a verify_accuracy.txt."""
    yield from _skipped(entry)
    for test in present(entry):
        if (test.test.accuracy_files or test.test.lines) and test.verify_accuracy is None:
            yield Flaw(
                path=join(test.path, "verify_accuracy.txt"),
                message="verify_accuracy.txt is missing",
                expected="verify_accuracy.txt",
                hint="run the verification script of the test again",
            )


def wrong_accuracy_files(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """accuracy/ of TEST01 holds accuracy log and text; if samples differed, also the accuracy of
    both runs.
    """
    yield from _skipped(entry)
    for test in present(entry):
        if not test.test.accuracy_files or test.verify_accuracy is None:
            continue  # CMP104
        required = set(test.test.accuracy_files)
        if not passed(test.verify_accuracy, facts):
            required |= test.test.accuracy_files_when_failed
        path = join(test.path, "accuracy")
        if test.accuracy_names is None:
            yield Flaw(
                path=path,
                message=f"{test.test.name} has no accuracy folder",
                expected=path,
                hint="add the folder that the test's script wrote",
            )
        else:
            allowed = required | set(facts.files["ignored"])
            yield from list_differences(path, test.accuracy_names, required, allowed)


def failed_lines(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """verify_accuracy.txt of TEST06 has the lines that say that each of its checks passed."""
    yield from _skipped(entry)
    for test in present(entry):
        if test.verify_accuracy is None:
            continue  # CMP104
        lines = {line.strip() for line in test.verify_accuracy.lines}
        for options in test.test.lines:
            if not lines & set(options):
                subject = options[0].partition(":")[0]
                yield Flaw(
                    path=test.verify_accuracy.path,
                    message=f"{test.test.name}: {subject} is not reported",
                    expected=" or ".join(options),
                    actual=next((li for li in sorted(lines) if li.startswith(subject)), None),
                    hint="find the cause and run the test again",
                )


def _pairs(entry: Entry) -> Iterator[tuple[ComplianceRun, DetailLog, DetailLog]]:
    """Yield measured tests with the log of the run and the log of the test."""
    for test in present(entry):
        log = test.run.detail if test.run else None
        if test.test.measured and entry.log and log and log.problem is None:
            yield test, entry.log, log


def distant_scores(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The score of a test, taken from both logs again, is within the tolerance of the run's; TEST04
    is only not faster than that, TEST05 only not slower.
    """
    expected = sum(test.test.measured for test in present(entry))
    pairs = list(_pairs(entry))
    if len(pairs) < expected:
        yield Unjudged(NO_LOGS, skipped=True)
    for test, log, test_log in pairs:
        reference, score = _score(log, facts), _score(test_log, facts)
        scenario = logged_scenario(log, facts)
        if not reference or not score or scenario is None or not _alike(log, test_log):
            continue  # INF304 and CMP109 report it
        latency = scenario.power == "energy"  # streams are scored by latency
        ratio = score / reference
        tolerance = _tolerance(test.test, scenario.name, reference, facts)
        low, high = 1 - tolerance, 1 + tolerance
        if test.test.compare == "faster":
            ratio = 1 / ratio if latency else ratio
            fits, limits = ratio < high, f"< {high:g} times as fast"
        elif test.test.compare == "slower":
            fits = ratio < high if latency else ratio > low
            limits = f"< {high:g} times the latency" if latency else f"> {low:g} times the score"
        else:
            fits, limits = low <= ratio <= high, f"{low:g} to {high:g} times the score"
        if not fits:
            yield Flaw(
                path=test_log.path,
                line=test_log.line(_score_key(scenario, facts)),
                message=f"{test.test.name} runs at another speed than the result",
                expected=limits,
                actual=f"{ratio:.3g} times ({score} against {reference})",
                hint="run the result and the test with the same code and settings",
            )


def _score(log: DetailLog, facts: Facts) -> float | None:
    scenario = logged_scenario(log, facts)
    return log.number(_score_key(scenario, facts)) if scenario else None


def _score_key(scenario: Scenario, facts: Facts) -> str:
    """Return the key that the verification scripts compare; in some rounds not the published."""
    key: str = facts.compliance["scores"].get(scenario.name, scenario.metric)
    return key


def _alike(log: DetailLog, test_log: DetailLog) -> bool:
    return log.text("effective_scenario") == test_log.text("effective_scenario")


def _tolerance(test: ComplianceTest, scenario: str, reference: float, facts: Facts) -> float:
    loose = facts.compliance["loose_at_ns"].get(scenario)
    fast = loose is not None and reference <= loose
    value: float = facts.compliance["loose_tolerance" if fast else "score_tolerance"]
    return value if fast or test.tolerance is None else test.tolerance


def other_settings(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """A test is run in the scenario and under the latency limit of the result."""
    for test, log, test_log in _pairs(entry):
        keys = ["effective_scenario"]
        scenario = logged_scenario(log, facts)
        if scenario and entry.benchmark and scenario.name in entry.benchmark.latency_limit_ns:
            keys.append("effective_target_latency_ns")
        for key in keys:
            if log.get(key) != test_log.get(key):
                yield Flaw(
                    path=test_log.path,
                    line=test_log.line(key),
                    message=f"{test.test.name} was run with another {key}",
                    expected=log.raw(key),
                    actual=test_log.raw(key) or "not logged",
                    hint="run the test with the settings of the result",
                )


_PRINTED_SCORE = re.compile(r"^\s*(reference|test) score\s*[=:]\s*(\S+)", re.IGNORECASE)


def stale_scores(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The scores that verify_performance.txt prints are those of the logs that lie here."""
    for test, log, test_log in _pairs(entry):
        for number, line in test.verify_performance.numbered() if test.verify_performance else ():
            found = _PRINTED_SCORE.match(line)
            if not found:
                continue
            source = log if found[1].lower() == "reference" else test_log
            scenario, score = logged_scenario(source, facts), _score(source, facts)
            logged = source.raw(_score_key(scenario, facts)) if scenario else ""
            if score and not _prints(found[2], logged, score):
                yield Flaw(
                    path=test.verify_performance.path if test.verify_performance else test.path,
                    line=number,
                    message=f"{found[1].lower()} score is not that of the log here",
                    expected=f"{score} or its rate",
                    actual=found[2][:40],
                    hint="run the verification script again on the logs that are submitted",
                )


def _prints(text: str, logged: str, score: float) -> bool:
    """A script prints the logged score, or queries per second where that is a latency in ns."""
    if same_as_printed(text, logged):
        return True
    try:
        return abs(float(text) * score / NS_PER_S - 1) < 1e-9
    except ValueError:
        return False


RULES = (
    Rule(
        id="CMP101",
        name="compliance-test-missing",
        scope=Scope.RESULT,
        check=missing_tests,
        policy=SR_TESTS,
        why="The tests show that outputs are not cached, cut or skipped in performance mode.",
        fix="Run the test, and add what its script wrote.",
    ),
    Rule(
        id="CMP102",
        name="compliance-run-files",
        scope=Scope.RESULT,
        check=wrong_run_files,
        policy=SR_TESTS,
        why="Without the logs nobody can repeat the comparison.",
        fix="Keep the files that the script of the test wrote.",
    ),
    Rule(
        id="CMP103",
        name="compliance-performance-failed",
        scope=Scope.RESULT,
        check=failed_performance,
        policy=SR_TESTS,
        why="The test found another speed than the result claims.",
        fix="Find the cause, and run the test again.",
    ),
    Rule(
        id="CMP104",
        name="compliance-accuracy-text-missing",
        scope=Scope.RESULT,
        check=missing_accuracy_text,
        policy=SR_TESTS,
        why="It holds the outcome of the accuracy part of the test.",
        fix="Run the verification script of the test again.",
    ),
    Rule(
        id="CMP105",
        name="compliance-accuracy-files",
        scope=Scope.RESULT,
        check=wrong_accuracy_files,
        policy=SR_TESTS,
        why="If samples differ, only the accuracy of both runs can excuse it.",
        fix="Keep the files that the script of the test wrote.",
    ),
    Rule(
        id="CMP107",
        name="compliance-check-failed",
        scope=Scope.RESULT,
        check=failed_lines,
        policy=SR_TESTS,
        why="The checks show that a language model really generated its tokens.",
        fix="Find the cause, and run the test again.",
    ),
    Rule(
        id="CMP108",
        name="compliance-score-differs",
        scope=Scope.RESULT,
        check=distant_scores,
        policy=SR_TESTS,
        why="verify_performance.txt is text that anybody can write; the logs are the evidence.",
        fix="Run the result and the test with the same code and settings.",
    ),
    Rule(
        id="CMP109",
        name="compliance-settings-differ",
        scope=Scope.RESULT,
        check=other_settings,
        policy=SR_TESTS,
        why="A test under other conditions says nothing of the result.",
        fix="Run the test with the settings of the result.",
    ),
    Rule(
        id="CMP110",
        name="compliance-score-stale",
        scope=Scope.RESULT,
        check=stale_scores,
        policy=SR_TESTS,
        why="The result was run again after the test: the comparison is not the one that counts.",
        fix="Run the verification script again on the logs that are submitted.",
    ),
)
