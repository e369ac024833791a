"""Rules about accuracy: stated, on the full data set, and as good as the task asks for."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.mobile.entry import Entry
from mlcheck.suites.mobile.facts import Facts
from mlcheck.suites.mobile.result_file import printed_number
from mlcheck.suites.mobile.score import fraction, samples_of_set, target
from mlcheck.suites.mobile.values import shown

MR_ACCURACY = "mobile_inference_rules.adoc#accuracy-run"
MR_LOGGING = "mobile_inference_rules.adoc#logging-requirements"
NO_ACCURACY = "no accuracy is stated (MOB502)"
NO_TARGET = "no target is published for the task"
SET_SIZE = "qsl_reported_total_count"


def below_target(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Closed results are as accurate as the task asks for: a part of the model's accuracy in FP32,
    before any rounding.
    """
    if not entry.division.targets or entry.benchmark is None:
        return
    found, least = fraction(entry), target(entry)
    if found is None:
        yield Unjudged(NO_ACCURACY, skipped=True)
    elif least is None:
        yield Unjudged(NO_TARGET)
    elif not found[0] >= least:
        factor, unit = entry.benchmark.accuracy.factor, entry.benchmark.accuracy.unit
        yield Flaw(
            path=found[2].path,
            line=found[2].line,
            message=f"accuracy of {shown(entry.task)} is below its target",
            expected=f">= {least * factor:.6g} {unit}",
            actual=f"{found[0] * factor:.10g} {unit}",
            hint="choose a software path or quantisation that is more accurate",
        )


def unstated_accuracy(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """Each result states its accuracy, in the result file or as a script printed it."""
    if fraction(entry) is None:
        yield Flaw(
            path=entry.record_path,
            line=entry.recorded.line if entry.recorded else 0,
            message=f"accuracy of {shown(entry.task)} is not stated",
            expected="accuracy_run with an accuracy",
            hint="export the session of the accuracy run from the app",
        )


def another_set(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Accuracy is measured with the full data set."""
    samples, log, benchmark = samples_of_set(entry), entry.accuracy_log, entry.benchmark
    if samples is None or log is None or benchmark is None:
        return  # MOB302, MOB306
    if not benchmark.accuracy.sets:
        yield Unjudged("size of the full data set is not published")
    elif benchmark.accuracy.of_size(samples) is None:
        sizes = " or ".join(str(each.samples) for each in benchmark.accuracy.sets)
        yield Flaw(
            path=log.path,
            line=log.line(SET_SIZE),
            message="accuracy was not measured with the full data set",
            expected=f"{sizes} samples",
            actual=f"{samples:.0f}",
            hint="load the full data set and run again",
        )


def samples_differ(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The app counts the samples of the accuracy set, each once."""
    run, samples = entry.recorded_accuracy, samples_of_set(entry)
    if run is None or samples is None or not run.samples:
        return  # older apps do not count them
    if run.samples != samples:
        yield Flaw(
            path=entry.record_path,
            line=run.line,
            message="app counts other samples than the accuracy set has",
            expected=f"{samples:.0f}",
            actual=str(run.samples),
            hint="the app counts what fills up batches; the log of answers shows each sample once",
        )


def another_dataset(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The result file names the full data set for the accuracy run."""
    run, benchmark = entry.recorded_accuracy, entry.benchmark
    if run is None or run.dataset is None or benchmark is None:
        return  # MOB203, or a form of the file without data sets
    if run.dataset not in benchmark.accuracy.datasets:
        yield Flaw(
            path=entry.record_path,
            line=run.line,
            message="accuracy run is of another data set",
            expected=" or ".join(benchmark.accuracy.datasets),
            actual=shown(run.dataset),
            hint="load the full data set and run again",
        )


def implausible_accuracy(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """An accuracy is a fraction between 0 and 1."""
    found = fraction(entry)
    if found and not 0 < found[0] <= 1:
        yield Flaw(
            path=found[2].path,
            line=found[2].line,
            message="accuracy is no fraction between 0 and 1",
            expected="above 0, and 1 at most",
            actual=f"{found[0]:g}",
            hint="export the file anew; do not edit it",
        )


def printed_otherwise(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """What the app shows is what it records, rounded."""
    run, benchmark = entry.recorded_accuracy, entry.benchmark
    if run is None or run.fraction is None or benchmark is None:
        return  # MOB502
    printed = printed_number(run.printed)
    if printed is None:
        return
    shown_value, decimals = printed
    exact = run.fraction / benchmark.accuracy.printed
    if abs(exact - shown_value) > facts.tolerances["printed_digits"] * 10**-decimals:
        yield Flaw(
            path=entry.record_path,
            line=run.line,
            message="accuracy that is shown is not the one that is recorded",
            expected=f"{exact:.{decimals}f}",
            actual=shown(run.printed),
            hint="export the file anew; do not edit it",
        )


RULES = (
    Rule(
        id="MOB501",
        name="mobile-below-target",
        scope=Scope.RESULT,
        why="Speed that is bought with accuracy is not compared.",
        fix="Use a more accurate software path.",
        policy=MR_ACCURACY,
        check=below_target,
    ),
    Rule(
        id="MOB502",
        name="mobile-accuracy-unstated",
        scope=Scope.RESULT,
        why="A result without accuracy is not compared.",
        fix="Export the session of the accuracy run.",
        policy=MR_ACCURACY,
        check=unstated_accuracy,
    ),
    Rule(
        id="MOB503",
        name="mobile-accuracy-set",
        scope=Scope.RESULT,
        why="Accuracy on a part of the data may be chosen.",
        fix="Load the full data set and run again.",
        policy=MR_ACCURACY,
        check=another_set,
    ),
    Rule(
        id="MOB409",
        name="mobile-accuracy-samples-differ",
        scope=Scope.RESULT,
        why="If samples counted twice, the accuracy would be another.",
        fix="Choose a batch size that divides the number of samples.",
        policy=MR_ACCURACY,
        check=samples_differ,
        voids=False,
    ),
    Rule(
        id="MOB504",
        name="mobile-accuracy-dataset",
        scope=Scope.RESULT,
        why="Lite and tiny sets are there for tests.",
        fix="Load the full data set and run again.",
        policy=MR_ACCURACY,
        check=another_dataset,
    ),
    Rule(
        id="MOB505",
        name="mobile-accuracy-implausible",
        scope=Scope.RESULT,
        why="It is in another unit, or was edited.",
        fix="Export the file anew.",
        policy=MR_LOGGING,
        check=implausible_accuracy,
    ),
    Rule(
        id="MOB506",
        name="mobile-accuracy-printed",
        scope=Scope.RESULT,
        why="One of the two was edited.",
        fix="Export the file anew.",
        policy=MR_LOGGING,
        check=printed_otherwise,
    ),
)
