"""Read a result that was measured against an endpoint: settings, summary of the run, accuracy.

The three documents are turned into the values that LoadGen would have logged, under its keys and
with their places, so that the rules about seeds, duration, latency and quality read them as any
log. The rule file says what stands where.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mlcheck.documents import Document, read_document
from mlcheck.loadgen import DetailLog
from mlcheck.suites.inference.entry import Endpoints
from mlcheck.suites.inference.facts import Benchmark, Facts
from mlcheck.suites.inference.facts_endpoints import EndpointsFacts, Field
from mlcheck.suites.inference.score import endpoints_kind
from mlcheck.tree import Tree, join
from mlcheck.yaml_documents import read_yaml_document

SCENARIO = "effective_scenario"
ISSUED, DURATION = "generated_query_count", "generated_query_duration"  # ns
SAMPLES, DATASET = "effective_accuracy_sample_count", "qsl_reported_total_count"
NS_PER_S, NS_PER_MS = 1_000_000_000, 1_000_000
_TAIL = 4096
_LONGEST = 4096  # letters of a text that a key may hold


def is_endpoints(tree: Tree, path: str, rules: EndpointsFacts) -> bool:
    """Tell whether a scenario folder holds settings or the summary of such a run.

    That both detail logs are missing is not enough: they may have got lost.
    """
    return bool(_config_name(tree, path, rules)) or _has(tree, join(path, rules.run_file))


def read_endpoints(tree: Tree, path: str, rules: EndpointsFacts) -> Endpoints:
    """Read the documents of a scenario folder. Never raises."""
    here = tree.folder(path)
    config = _config_name(tree, path, rules)
    config_path = join(path, config or rules.config_files[0])
    audits = join(path, rules.audit_folder)
    names = {audit.test: f"audit_{audit.name}.json" for audit in rules.audits}
    return Endpoints(
        config=read_yaml_document(tree, config_path) if config else None,
        config_path=config_path,
        run=_document(tree, join(path, rules.run_file)),
        run_path=join(path, rules.run_file),
        accuracy=_document(tree, join(path, rules.accuracy_file)),
        accuracy_path=join(path, rules.accuracy_file),
        audit_paths={test: join(audits, name) for test, name in names.items()},
        audits={
            test: read_document(tree, join(audits, name))
            for test, name in names.items()
            if _has(tree, join(audits, name))
        },
        sizes=here.files if here else {},
    )


def _config_name(tree: Tree, path: str, rules: EndpointsFacts) -> str | None:
    here = tree.folder(path)
    return next((n for n in rules.config_files if here and n in here.files), None)


def _has(tree: Tree, path: str) -> bool:
    folder, _, name = path.rpartition("/")
    here = tree.folder(folder)
    return here is not None and name in here.files


def _document(tree: Tree, path: str) -> Document | None:
    return read_document(tree, path) if _has(tree, path) else None


@dataclass(frozen=True, slots=True)
class _Found:
    """A value and where it stands."""

    value: Any
    path: str
    line: int


class LogMaker:
    """Makes logs of the documents of one scenario folder."""

    def __init__(
        self, endpoints: Endpoints, benchmark: Benchmark | None, folder: str | None, facts: Facts
    ) -> None:
        """Take the scenario that the name of the folder means; None: none."""
        if facts.endpoints is None:
            raise ValueError("the round has no results of endpoints")
        self._endpoints, self._rules, self._facts = endpoints, facts.endpoints, facts
        self._benchmark, self._folder = benchmark, folder

    def performance(self) -> DetailLog | None:
        """Return the log of the performance run; None: there is no summary."""
        document = self._endpoints.run
        if document is None:
            return None
        if document.problem:
            return DetailLog(path=document.path, problem=document.problem)
        found = self._values(document)
        rate = self._rate(found)
        if rate:
            found.update(rate)
        lasted = _number(found.get(DURATION))
        return _log(document, found, lasted_ms=(lasted or 0) / NS_PER_MS)

    def accuracy(self) -> DetailLog | None:
        """Return the log of the accuracy run; None: there are no results."""
        document = self._endpoints.accuracy
        if document is None:
            return None
        if document.problem:
            return DetailLog(path=document.path, problem=document.problem)
        found = self._values(document)
        samples = _samples(document)
        if samples is not None:
            line = document.line_at(("accuracy_scores", "total_samples"))
            found[SAMPLES] = _Found(samples, document.path, line)
            found.setdefault(DATASET, found[SAMPLES])
        return _log(document, found)

    def _values(self, document: Document) -> dict[str, _Found]:
        found: dict[str, _Found] = {}
        for key, where in self._rules.fields.items():
            candidates = list(self._candidates(document, where))
            if key == SCENARIO:
                candidates = self._scenario(candidates)
            if candidates:
                found[key] = candidates[0]
        return found

    def _candidates(self, document: Document, where: Field) -> Iterator[_Found]:
        config = self._endpoints.config
        for source, places in ((document, where.documents), (config, where.config)):
            for names in places if source else ():
                value = source.at(names) if source else None
                if value is not None and source and not isinstance(value, (dict, list)):
                    yield _Found(value, source.path, source.line_at(names))

    def _scenario(self, candidates: Sequence[_Found]) -> list[_Found]:
        """Return the first type of a run that means a scenario, under the name LoadGen logs.

        ``online`` is whatever of Server, Interactive and streams the folder says it is.
        """
        for found in candidates:
            word = found.value.lower() if isinstance(found.value, str) else ""
            folded = self._facts.folded.get(word)
            meant = self._rules.words.get(word, (folded,) if folded else ())
            if meant:
                name = self._folder if self._folder in meant else meant[0]
                scenario = self._facts.scenarios.get(name or "")
                if scenario:
                    return [_Found(scenario.logged_as, found.path, found.line)]
        return list(candidates[:1])

    def _rate(self, found: Mapping[str, _Found]) -> dict[str, _Found]:
        """Return the published rate, where it is not stated, as what was issued per second."""
        stated = found.get(SCENARIO)
        logged = self._facts.scenarios.get(str(stated.value)) if stated else None
        if logged is None:
            return {}
        folder = self._facts.scenarios.get(self._folder or "")
        key = endpoints_kind(self._benchmark, logged, folder, self._facts).key
        plain = self._facts.metrics[self._rules.metrics[logged.name]].key
        issued, duration = _number(found.get(ISSUED)), _number(found.get(DURATION))
        if key in found or key != plain or logged.power != "average" or not issued or not duration:
            return {}
        return {key: _Found(issued / (duration / NS_PER_S), found[ISSUED].path, found[ISSUED].line)}


def _log(document: Document, found: Mapping[str, _Found], *, lasted_ms: float = 0) -> DetailLog:
    raw = document.text.encode()
    return DetailLog(
        path=document.path,
        size=len(raw),
        tail=raw[-_TAIL:],
        values={key: (value.line, _json(value.value)) for key, value in found.items()},
        places={k: v.path for k, v in found.items() if v.path != document.path},
        last_ms=lasted_ms,
    )


def _json(value: Any) -> bytes:
    text = json.dumps(value, default=str)  # YAML has dates
    return text.encode() if len(text) <= _LONGEST else json.dumps(text[:_LONGEST]).encode()


def _number(found: _Found | None) -> float | None:
    value = found.value if found else None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if 0 < value < 1e100 else None  # also no NaN


def scores(document: Document) -> list[Mapping[str, Any]]:
    """Return the accuracy scores that are not of the performance data set."""
    listed = document.fields.get("accuracy_scores")
    return [
        score
        for score in (listed if isinstance(listed, list) else ())
        if isinstance(score, dict) and score.get("dataset_type") in (None, "accuracy")
    ]


def samples_of(score: Mapping[str, Any]) -> int | None:
    """Return how many samples a score is about; None: it does not say."""
    counts = score.get("response_counts")
    issued = counts.get("issued") if isinstance(counts, dict) else None
    total = score.get("total_samples", issued)
    whole = isinstance(total, int) and not isinstance(total, bool)
    return total if whole and abs(total) < 1 << 53 else None


def _samples(document: Document) -> int | None:
    counts = [count for count in map(samples_of, scores(document)) if count is not None]
    return sum(counts) if counts else None
