"""Rules about results of an endpoint: their documents, and what LoadGen would have judged.

Duration, seeds, scenario, latency, quality and coverage of the data set are judged by the rules
about logs, which read the documents as one.
"""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.documents import Document
from mlcheck.loadgen import DetailLog
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.entry import Endpoints, Entry
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.facts_endpoints import EndpointsFacts
from mlcheck.suites.inference.score import endpoints_kind, logged_scenario
from mlcheck.tree import join

SR_FILES = "submission_rules.adoc#inference"
IR_LOADGEN = "inference_rules.adoc#loadgen-operation"
IR_QUALITY = "inference_rules.adoc#constraints-for-the-closed-division"
NO_DOCUMENT = "a document is missing or unreadable (EPT101, EPT102)"
ERRORS = "num_errors"


def documents_of(entry: Entry, facts: Facts) -> tuple[Endpoints, EndpointsFacts]:
    """Return documents and facts, which a subject of this scope has."""
    if entry.endpoints is None or facts.endpoints is None:
        raise ValueError("not a result of an endpoint")
    return entry.endpoints, facts.endpoints


def missing_files(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """A result of an endpoint has settings, summary of the run, accuracy results and a README."""
    documents, rules = documents_of(entry, facts)
    wanted = (
        (documents.config, documents.config_path),
        (documents.run, documents.run_path),
        (documents.accuracy, documents.accuracy_path),
    )
    for document, path in wanted:
        if document is None:
            yield _missing(path, "is missing")
    for name in rules.files:
        size = documents.sizes.get(name)
        if not size:
            yield _missing(join(entry.path, name), "is missing" if size is None else "is empty")


def _missing(path: str, what: str) -> Flaw:
    name = path.rpartition("/")[2]
    return Flaw(
        path=path,
        message=f"{name} {what}",
        expected=name,
        hint="add it from the folder that the run wrote",
    )


def _documents(documents: Endpoints) -> Iterator[Document]:
    for document in (documents.config, documents.run, documents.accuracy):
        if document:
            yield document


def unreadable_documents(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The settings are a YAML mapping without tags, the other documents JSON objects."""
    for document in _documents(documents_of(entry, facts)[0]):
        if document.problem:
            yield Flaw(
                path=document.path,
                line=document.line,
                message=f"{document.path.rpartition('/')[2]} cannot be read",
                actual=document.problem,
                hint="copy it anew from the folder that the run wrote",
            )


def benchmark_without_endpoints(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The benchmark is one that may be measured against an endpoint."""
    rules = documents_of(entry, facts)[1]
    if entry.benchmark is None:
        yield Unjudged("the benchmark is unknown (INF201)", skipped=True)
    elif entry.benchmark.name not in rules.benchmarks:
        yield Flaw(
            path=entry.path,
            message=f"{entry.benchmark.name} may not be measured against an endpoint",
            expected=f"one of {', '.join(sorted(rules.benchmarks))}",
            actual=entry.benchmark.name,
            hint="measure it with LoadGen; if it was, its detail logs are missing",
        )


def missing_values(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Settings and summary state scenario, seeds, minimum and real duration, and the number that is
    published, which is above zero.
    """
    if entry.log is None:
        yield Unjudged(NO_DOCUMENT, skipped=True)
    else:
        yield from _missing_values(entry, entry.log, facts, frozenset())


def missing_values_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool does not ask how long a run really lasted."""
    if entry.log:
        without = documents_of(entry, facts)[1].official_without
        yield from _missing_values(entry, entry.log, facts, without)


def _missing_values(
    entry: Entry, log: DetailLog, facts: Facts, without: frozenset[str]
) -> Iterator[Flaw]:
    rules = documents_of(entry, facts)[1]
    for key, kind in rules.required.items():
        value = log.number(key) if kind == "number" else log.text(key)
        if value is None and key not in without:
            yield _without(log, key, f"a {kind}", facts)
    logged, name = logged_scenario(log, facts), log.text("effective_scenario")
    if logged:
        key = endpoints_kind(entry.benchmark, logged, entry.scenario, facts).key
        if (log.number(key) or 0) <= 0:
            yield _without(log, key, "a number above 0", facts)
    elif name is not None:
        yield Flaw(
            path=log.path_of("effective_scenario"),
            line=log.line("effective_scenario"),
            message=f"{name[:40]} is not a type of run",
            expected=" or ".join(rules.words),
            actual=name[:80],
            hint="copy the settings anew from the run",
        )


def _without(log: DetailLog, key: str, what: str, facts: Facts) -> Flaw:
    there = key in log.values
    return Flaw(
        path=log.path_of(key),
        line=log.line(key),
        message=f"{key} is not {what}" if there else f"documents do not state {key}",
        expected=f"{what} as {_places(facts, key)}",
        actual=log.raw(key)[:80] or None,
        hint="copy settings and summary anew from the run",
    )


def _places(facts: Facts, key: str) -> str:
    where = facts.endpoints.fields.get(key) if facts.endpoints else None
    if where is None:
        return key
    names = [".".join(names) for names in (*where.documents, *where.config)]
    return " or ".join(dict.fromkeys(names))


def unstated_quality(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The accuracy scores state every quality metric of the benchmark; in open at least one."""
    text = entry.accuracy.text if entry.accuracy else None
    if text is None:
        yield Unjudged(NO_DOCUMENT, skipped=True)
        return
    read = {reading.metric for reading in text.readings}
    metrics = dict.fromkeys(target.metric for target in entry.targets)
    missing = [metric for metric in metrics if metric not in read]
    if read and not entry.division.closed_rules:
        return
    for metric in missing:
        yield _unstated(text.path, metric)


def unstated_quality_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool is content with any score, save for the benchmark that it judges."""
    documents, rules = documents_of(entry, facts)
    text = entry.accuracy.text if entry.accuracy else None
    document = documents.accuracy
    if text is None or document is None:
        return
    listed = document.fields.get("accuracy_scores")
    values = listed if isinstance(listed, list) else []
    scored = any(isinstance(one, dict) and one.get("score") is not None for one in values)
    judged = entry.benchmark is not None and entry.benchmark.name in rules.official_quality
    if not scored or (judged and not text.readings and entry.division.closed_rules):
        for metric in dict.fromkeys(target.metric for target in entry.targets):
            yield _unstated(text.path, metric)


def _unstated(path: str, metric: str) -> Flaw:
    return Flaw(
        path=path,
        message=f"accuracy scores do not state {metric}",
        expected=f"a score with {metric} in accuracy_scores",
        hint="run the scorer of the benchmark and keep what it wrote",
    )


def failed_requests(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Every request of both runs was answered: a failed one is a query without a response."""
    yield from _requests(entry.log)
    yield from _requests(entry.accuracy_log)


def failed_requests_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool of some rounds overlooks them in the performance run."""
    if facts.official["performance_errors"]:
        yield from _requests(entry.log)
    yield from _requests(entry.accuracy_log)


def _requests(log: DetailLog | None) -> Iterator[Flaw]:
    failed = log.get(ERRORS) if log else None
    if log and failed:
        yield Flaw(
            path=log.path_of(ERRORS),
            line=log.line(ERRORS),
            message="requests failed",
            expected="0",
            actual=log.raw(ERRORS)[:80],
            hint="find the cause and run again",
        )


RULES = (
    Rule(
        id="EPT101",
        name="endpoints-file-missing",
        scope=Scope.ENDPOINTS,
        check=missing_files,
        policy=SR_FILES,
        why="They are the evidence of a result that LoadGen did not log.",
        fix="Add the files that the run wrote, and a README.",
    ),
    Rule(
        id="EPT102",
        name="endpoints-document-unreadable",
        scope=Scope.ENDPOINTS,
        check=unreadable_documents,
        policy=SR_FILES,
        why="What cannot be read cannot be judged.",
        fix="Copy the document anew from the folder that the run wrote.",
    ),
    Rule(
        id="EPT103",
        name="endpoints-benchmark",
        scope=Scope.ENDPOINTS,
        check=benchmark_without_endpoints,
        policy=SR_FILES,
        why="Results of endpoints and of LoadGen stand side by side only where the round says so.",
        fix="Measure the benchmark with LoadGen.",
    ),
    Rule(
        id="EPT104",
        name="endpoints-value-missing",
        scope=Scope.ENDPOINTS,
        check=missing_values,
        official_check=missing_values_official,
        policy=SR_FILES,
        why="A setting or number that is not there cannot be held against the rules.",
        fix="Copy settings and summary anew from the run.",
    ),
    Rule(
        id="EPT105",
        name="endpoints-quality-not-stated",
        scope=Scope.ENDPOINTS,
        check=unstated_quality,
        official_check=unstated_quality_official,
        policy=IR_QUALITY,
        why="A value that is not there cannot be held against its target.",
        fix="Keep what the scorer of the benchmark wrote.",
    ),
    Rule(
        id="EPT109",
        name="endpoints-requests-failed",
        scope=Scope.ENDPOINTS,
        check=failed_requests,
        official_check=failed_requests_official,
        policy=IR_LOADGEN,
        why="Requests that fail are quick, and the rate counts them.",
        fix="Find the cause and run again.",
    ),
)
