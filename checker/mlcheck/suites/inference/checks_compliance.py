"""Rules about the compliance tests that closed and network results bring along."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.documents import Text
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.checks_run import list_differences
from mlcheck.suites.inference.entry import ComplianceRun, Entry
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.score import inference_formula
from mlcheck.tree import join

SR_TESTS = "submission_rules.adoc#compliance-testing"
NO_TEST = "the folder of the test is missing (CMP101)"


def missing_tests(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Every compliance test that the benchmark asks for has a folder; for an inferred result those
    of the run it is inferred from will do.
    """
    if inference_formula(entry, facts) is None:
        yield from missing_tests_official(entry, facts)


def missing_tests_official(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """The official tool asks for them in the folder of an inferred result, too."""
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
    """performance/run_1 of a measured test holds detail and summary log, not empty, and nothing but
    an accuracy log.
    """
    yield from _skipped(entry)
    yield from wrong_run_files_official(entry, facts)
    for test in present(entry):
        summary = test.run.summary if test.run and test.test.measured else None
        if summary and summary.empty:
            yield _empty(summary.path)


def _empty(path: str) -> Flaw:
    return Flaw(
        path=path,
        message=f"{path.rpartition('/')[2]} is empty",
        hint="copy it anew from the run of the test",
    )


def wrong_run_files_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool does not look into the summary."""
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
        if test.test.verified and test.test.measured and not passed(test.verify_performance, facts):
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


def failed_verification(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """A test whose verification is one text, such as TEST07, TEST08 and TEST09, passed it."""
    yield from _skipped(entry)
    for test in present(entry):
        for name in test.test.passes:
            text = test.passes.get(name)
            if not passed(text, facts):
                yield Flaw(
                    path=join(test.path, name),
                    message=f"{test.test.name} did not pass" if text else f"{name} is missing",
                    expected=facts.compliance["pass_line"],
                    actual=_last_line(text),
                    hint="run the verification script of the test again",
                )


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
    """accuracy/ of TEST01 holds text and accuracy log, with samples; if samples differed, also the
    accuracy of both runs.
    """
    yield from _skipped(entry)
    for test in _with_accuracy(entry):
        yield from _accuracy_files(test, facts)
        if test.accuracy_sizes and test.accuracy_sizes.get("accuracy.txt") == 0:
            yield _empty(join(test.path, "accuracy", "accuracy.txt"))
        if test.logs_nothing:
            yield Flaw(
                path=join(test.path, "accuracy", "mlperf_log_accuracy.json"),
                message=f"accuracy log of {test.test.name} holds no samples",
                expected="the samples that the test logged",
                hint="run the test again, with the audit.config of the benchmark",
            )


def wrong_accuracy_files_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool does not look into the log, and that of some rounds not at the folder of a
    test that passed.
    """
    always = facts.official["accuracy_files_when_passed"]
    for test in _with_accuracy(entry):
        if always or not passed(test.verify_accuracy, facts):
            yield from _accuracy_files(test, facts)


def _with_accuracy(entry: Entry) -> Iterator[ComplianceRun]:
    """Yield the tests that keep files of accuracy; CMP104 reports those without a text."""
    for test in present(entry):
        if test.test.accuracy_files and test.verify_accuracy is not None:
            yield test


def _accuracy_files(test: ComplianceRun, facts: Facts) -> Iterator[Flaw]:
    required = set(test.test.accuracy_files)
    if not passed(test.verify_accuracy, facts):
        required |= test.test.accuracy_files_when_failed
    path = join(test.path, "accuracy")
    if test.accuracy_sizes is None:
        yield Flaw(
            path=path,
            message=f"{test.test.name} has no accuracy folder",
            expected=path,
            hint="add the folder that the test's script wrote",
        )
    else:
        allowed = required | set(facts.files["ignored"])
        yield from list_differences(path, frozenset(test.accuracy_sizes), required, allowed)


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


RULES = (
    Rule(
        id="CMP101",
        name="compliance-test-missing",
        scope=Scope.RESULT,
        check=missing_tests,
        official_check=missing_tests_official,
        policy=SR_TESTS,
        why="The tests show that outputs are not cached, cut or skipped in performance mode.",
        fix="Run the test, and add what its script wrote.",
    ),
    Rule(
        id="CMP102",
        name="compliance-run-files",
        scope=Scope.RESULT,
        check=wrong_run_files,
        official_check=wrong_run_files_official,
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
        id="CMP112",
        name="compliance-verification-failed",
        scope=Scope.RESULT,
        check=failed_verification,
        policy=SR_TESTS,
        why="The test compares what performance mode generates with what accuracy mode does.",
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
        official_check=wrong_accuracy_files_official,
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
)
