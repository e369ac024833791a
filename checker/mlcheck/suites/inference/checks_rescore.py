"""Rules that score the compliance tests again, from the logs of the test and of the result."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mlcheck.loadgen import DetailLog
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.checks_compliance import SR_TESTS, present
from mlcheck.suites.inference.checks_evidence import same_as_printed
from mlcheck.suites.inference.entry import ComplianceRun, Entry
from mlcheck.suites.inference.facts import ComplianceTest, Facts, Scenario
from mlcheck.suites.inference.score import inference_formula, logged_scenario

NO_LOGS = "a log of the run or of the test is missing or unreadable"
NS_PER_S = 1_000_000_000


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
        if test.test.compare is None:
            continue  # it is compared with another test
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


def _scenario_of_folder(entry: Entry, log: DetailLog) -> bool:
    own = entry.scenario.logged_as if entry.scenario else None
    return log.text("effective_scenario") == own


def other_settings(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """A test is run in the scenario and under the latency limit of the result."""
    for test, log, test_log in _pairs(entry):
        keys = ["effective_scenario"]
        scenario = logged_scenario(log, facts)
        if scenario and entry.benchmark and scenario.name in entry.benchmark.latency_limit_ns:
            keys.append("effective_target_latency_ns")
        if inference_formula(entry, facts) and _scenario_of_folder(entry, test_log):
            continue  # the result is inferred, and the test was run in its own scenario
        for key in keys:
            if key in log.values and log.get(key) != test_log.get(key):
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
