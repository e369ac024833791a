"""Rules about the accuracy run: its files, their truncation, and what of the dataset they cover."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.checks_run import list_differences
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts
from mlcheck.tree import join

SR_FILES = "submission_rules.adoc#inference"
IR_QUALITY = "inference_rules.adoc#constraints-for-the-closed-division"


def wrong_accuracy_files(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """accuracy/ holds detail and summary log, accuracy log and accuracy.txt, and nothing else."""
    if entry.accuracy is None:
        yield Flaw(
            path=entry.accuracy_path,
            message="result has no accuracy run",
            expected=entry.accuracy_path,
            hint="add the folder with the logs of the accuracy run",
        )
        return
    required = set(facts.files["accuracy"])
    allowed = required | set(facts.files["ignored"])
    yield from list_differences(entry.accuracy_path, entry.accuracy.names, required, allowed)


def wrong_accuracy_files_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool of some rounds asks for fewer files, and takes others."""
    wanted = facts.official["accuracy_files"]
    if entry.accuracy is None or wanted is None:
        yield from wrong_accuracy_files(entry, facts)
        return
    required = set(wanted["closed_rules" if entry.division.closed_rules else "open"])
    names = entry.accuracy.names
    yield from list_differences(entry.accuracy_path, names, required, required | names)


def missing_hash(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """accuracy.txt holds the hash of the untruncated accuracy log, as hash=HEX on a line."""
    yield from _unhashed(entry)


def missing_hash_official(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """The official tool takes an open result without."""
    if entry.division.closed_rules:
        yield from _unhashed(entry)


def _unhashed(entry: Entry) -> Iterator[Flaw]:
    text = entry.accuracy.text if entry.accuracy else None
    if text and text.problem is None and not text.hash_line:
        yield Flaw(
            path=text.path,
            message="accuracy.txt holds no hash of the accuracy log",
            expected="hash=HEX",
            hint="truncate the accuracy log with the official script, which writes it",
        )


def untruncated_log(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """mlperf_log_accuracy.json is truncated to the limit of the round."""
    yield from _untruncated(entry, facts)


def untruncated_log_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool of some rounds takes an open result all the same."""
    if entry.division.closed_rules or facts.official["accuracy_in_open"]:
        yield from _untruncated(entry, facts)


def _untruncated(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    size, limit = (
        entry.accuracy.json_bytes if entry.accuracy else None,
        facts.limits["accuracy_json_bytes"],
    )
    if size is not None and size > limit:
        yield Flaw(
            path=join(entry.accuracy_path, "mlperf_log_accuracy.json"),
            message="accuracy log is not truncated",
            expected=f"<= {limit} bytes",
            actual=f"{size} bytes",
            hint="truncate it with the official script, and keep the original",
        )


def empty_log(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """mlperf_log_accuracy.json holds samples, and the summary of the accuracy run is not empty."""
    summary = entry.accuracy.summary if entry.accuracy else None
    if summary and summary.empty:
        yield Flaw(
            path=summary.path,
            message="summary of the accuracy run is empty",
            hint="copy it anew from the accuracy run",
        )
    if entry.accuracy and entry.accuracy.logs_nothing:
        yield Flaw(
            path=join(entry.accuracy_path, "mlperf_log_accuracy.json"),
            message="accuracy log is empty",
            expected="what the accuracy run logged, truncated",
            actual=f"{entry.accuracy.json_bytes} bytes",
            hint="copy it anew from the accuracy run",
        )


def uncovered_dataset(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """The accuracy run uses every sample of the data set."""
    log = entry.accuracy_log
    if entry.benchmark is None or log is None:
        yield Unjudged("the accuracy log or the benchmark is missing", skipped=True)
        return
    key = "effective_accuracy_sample_count"  # where a run is told to take fewer
    key = key if key in log.values else "qsl_reported_total_count"
    scenario = entry.scenario.name if entry.scenario else ""
    samples = entry.benchmark.coverage.get(scenario, entry.benchmark.dataset_samples)
    if log.number(key) != samples:
        yield Flaw(
            path=log.path_of(key),
            line=log.line(key),
            message="accuracy run does not cover the data set",
            expected=f"{samples} samples",
            actual=f"{log.raw(key)} samples" if log.line(key) else "not logged",
            hint="run accuracy on the whole data set",
        )


def missing_samples(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """Benchmarks that generate images or videos submit those of the samples the round names."""
    yield from _missing_samples(entry)


def missing_samples_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool of some rounds takes an open result without."""
    if entry.division.closed_rules or facts.official["accuracy_in_open"]:
        yield from _missing_samples(entry)


def _missing_samples(entry: Entry) -> Iterator[Flaw]:
    if entry.accuracy is None or entry.benchmark is None:
        return
    for folder, names in entry.benchmark.accuracy_samples.items():
        present = entry.accuracy.samples.get(folder, frozenset())
        missing = [name for name in names if name not in present]
        if missing:
            yield Flaw(
                path=join(entry.accuracy_path, folder),
                message=f"generated {folder} are missing",
                expected=f"the {len(names)} samples that the round names",
                actual=f"{len(missing)} of {len(names)} missing",
                hint=f"add {', '.join(missing)}",
            )


RULES = (
    Rule(
        id="INF501",
        name="accuracy-files",
        scope=Scope.RESULT,
        check=wrong_accuracy_files,
        official_check=wrong_accuracy_files_official,
        policy=SR_FILES,
        why="They are the evidence that the model was not traded for speed.",
        fix="Keep the logs of the accuracy run and what the accuracy script printed.",
    ),
    Rule(
        id="INF506",
        name="accuracy-hash-missing",
        scope=Scope.RESULT,
        check=missing_hash,
        official_check=missing_hash_official,
        policy=SR_FILES,
        why="The hash ties the truncated log to the one that was measured.",
        fix="Truncate with the official script, which writes the hash.",
    ),
    Rule(
        id="INF507",
        name="accuracy-log-not-truncated",
        scope=Scope.RESULT,
        check=untruncated_log,
        official_check=untruncated_log_official,
        policy=SR_FILES,
        why="Whole accuracy logs make the results repository unusable.",
        fix="Truncate it with the official script.",
    ),
    Rule(
        id="INF508",
        name="accuracy-log-empty",
        scope=Scope.RESULT,
        check=empty_log,
        policy=SR_FILES,
        why="An empty log shows nothing of an accuracy run.",
        fix="Copy it anew from the accuracy run.",
    ),
    Rule(
        id="INF509",
        name="dataset-not-covered",
        scope=Scope.RESULT,
        check=uncovered_dataset,
        policy=IR_QUALITY,
        why="Quality on chosen samples is not the quality of the benchmark.",
        fix="Run accuracy on the whole data set.",
    ),
    Rule(
        id="INF510",
        name="accuracy-samples-missing",
        scope=Scope.RESULT,
        check=missing_samples,
        official_check=missing_samples_official,
        policy=SR_FILES,
        why="Reviewers look at generated images: no metric shows everything.",
        fix="Add the files of the samples that the round names.",
    ),
)
