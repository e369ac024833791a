"""What a round says of results measured against an endpoint, without LoadGen. Data alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mlcheck.overlay import RulesetError


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Where a key of LoadGen stands: names from the outermost to the value, best place first."""

    documents: tuple[tuple[str, ...], ...]  # in the document of the run
    config: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFile:
    """A compliance test as an audit file states it. ``required``: results do not pass without."""

    test: str
    name: str
    required: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRange:
    """Bounds of the mean number of output tokens, for benchmarks with a compliance test."""

    test: str
    key: str
    least: float
    most: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointsFacts:
    """How such results look, which are allowed, and what is asked of them.

    Attributes:
        config_files: names of the settings, of which there is one.
        files: further files of the scenario folder that have to hold something.
        folders: name of a scenario folder, in small letters -> scenario.
        words: type of a run in small letters -> the scenarios that it may mean, likeliest first.
        required: key -> "number" or "text"; the official tool does without some.
        metrics: scenario -> metric; of a benchmark in ``benchmark_metrics`` instead.
        secondary: further metrics worth showing.
        quality: metric -> where an accuracy score may state it.
        fractions: benchmarks whose score of 1 means 100 %.
        official_quality: benchmarks whose quality the official tool judges.
        without: ids of rules about what LoadGen alone writes.
    """

    config_files: tuple[str, ...]
    run_file: str
    accuracy_file: str
    audit_folder: str
    files: tuple[str, ...]
    benchmarks: frozenset[str]
    folders: Mapping[str, str]
    words: Mapping[str, tuple[str, ...]]
    fields: Mapping[str, Field]
    required: Mapping[str, str]
    official_without: frozenset[str]
    metrics: Mapping[str, str]
    benchmark_metrics: Mapping[str, Mapping[str, str]]
    secondary: tuple[str, ...]
    quality: Mapping[str, tuple[tuple[str, ...], ...]]
    fractions: frozenset[str]
    official_quality: frozenset[str]
    audits: tuple[AuditFile, ...]
    output_tokens: TokenRange
    without: frozenset[str]


def endpoints_facts(doc: Mapping[str, Any]) -> EndpointsFacts | None:
    """Return the facts of a round; None: it has no such results.

    Raises:
        RulesetError: rules are named that the round does not have.
    """
    raw = doc.get("endpoints")
    if raw is None:
        return None
    unknown = sorted(set(raw["without"]) - set(doc["rules"]))
    if unknown:
        raise RulesetError(f"endpoints: unknown {', '.join(unknown)}")
    files = raw["files"]
    return EndpointsFacts(
        config_files=tuple(files["config"]),
        run_file=files["run"],
        accuracy_file=files["accuracy"],
        audit_folder=files["audits"],
        files=tuple(files["others"]),
        benchmarks=frozenset(raw["benchmarks"]),
        folders=raw["folders"],
        words={word: tuple(names) for word, names in raw["words"].items()},
        fields={
            key: Field(
                documents=_places(where.get("documents", ())), config=_places(where["config"])
            )
            for key, where in raw["fields"].items()
        },
        required=raw["required"],
        official_without=frozenset(raw["official_without"]),
        metrics=raw["metrics"],
        benchmark_metrics=raw["benchmark_metrics"],
        secondary=tuple(raw["secondary"]),
        quality={metric: _places(where) for metric, where in raw["quality"].items()},
        fractions=frozenset(raw["fractions"]),
        official_quality=frozenset(raw["official_quality"]),
        audits=tuple(AuditFile(test=test, **audit) for test, audit in raw["audits"].items()),
        output_tokens=TokenRange(**raw["output_tokens"]),
        without=frozenset(raw["without"]),
    )


def _places(texts: Any) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(text.split("/")) for text in texts)
