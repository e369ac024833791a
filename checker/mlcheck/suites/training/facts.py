"""The facts of a round of MLPerf Training, typed. Values come from the rule file alone."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from mlcheck import resources
from mlcheck.overlay import RulesetError
from mlcheck.ruleset import Ruleset
from mlcheck.suites.training.compliance import Aggregate
from mlcheck.suites.training.log_lines import Format, Syntax
from mlcheck.suites.training.power_facts import PowerFacts, power_facts
from mlcheck.suites.training.rcp_points import Limit, Method, Pruning, Reference, Spread
from mlcheck.suites.training.schedule import Checkpoints, Schedule, schedule
from mlcheck.suites.training.tables import LogTables, log_tables

NAME = "training"
ALWAYS_READ = frozenset(  # keys that checks look at, whatever the tables of a round name
    ("eval_accuracy", "eval_start", "eval_stop", "run_start", "run_stop", "seed",
     "submission_benchmark", "submission_division", "submission_org", "submission_platform",
     "global_batch_size", "init_start", "init_stop", "weights_initialization")
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How the log of a benchmark counts what was trained.

    Attributes:
        field: of the metadata of an evaluation. ``digits``: to which it is rounded; None: not.
        first_passing: the first evaluation that meets the target counts, not the last one: it is
            evaluated after the clock was stopped, in any order.
    """

    field: str
    digits: int | None
    first_passing: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """A task of the round.

    Attributes:
        runs: logs of a result. ``dropped``: fastest and slowest runs that do not count, each; as
            many may fail.
        policy, official: how convergence is tested; None: it is not.
        references: the reference convergence points.
        evaluation: how often quality is evaluated; None: the policy does not say.
        target: the key that is held against the quality target.
        tensors: whose initialisation a closed log shows; empty: it is not logged.
    """

    name: str
    runs: int
    dropped: int
    progress: Progress
    evaluation: Schedule | Checkpoints | None
    aggregate: Aggregate | None
    target: str
    tensors: tuple[str, ...]
    policy: Method | None
    official: Method | None
    references: tuple[Reference, ...]


class Counted(StrEnum):
    """Which runs have a time that counts."""

    COMPLYING = "complying"
    CONVERGED = "converged"


@dataclass(frozen=True, slots=True)
class Stated:
    """A line that states the time of a run in its metadata, in seconds, instead of a run_stop."""

    key: str
    field: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All facts of a round.

    Attributes:
        form: how the lines of its logs are written.
        counted: whose times make the score: of logs that the official tool accepts, or of all that
            ended as converged.
        parameters: words that ask to leave out a check, and which. ``heeded``: those that the
            official tool looks for in the folders of systems and results.
        stated: by benchmark, where a log states its time.
    """

    round: str
    form: Format
    divisions: tuple[str, ...]
    layout: Mapping[str, str]
    log_name: re.Pattern[str]
    files: Mapping[str, Any]
    parameters: Mapping[str, str]
    heeded: frozenset[str]
    file_bytes: int
    score: Mapping[str, str]
    converged: str
    counted: Counted
    stated: Mapping[str, Stated]
    hyperparameters: tuple[str, ...]
    seeds_in: frozenset[str]
    rcp_in: frozenset[str]
    system: Mapping[str, Any]
    power: PowerFacts | None
    tables: LogTables
    benchmarks: Mapping[str, Benchmark]
    keys: frozenset[str]


_made: dict[tuple[str, str], Facts] = {}  # tables are built once per process and round


def facts_of(ruleset: Ruleset) -> Facts:
    """Return the typed facts of a round.

    Raises:
        RulesetError: a table names a predicate that does not exist, or points are not as stated.
    """
    key = (ruleset.round, ruleset.sha256)
    if key not in _made:
        _made[key] = _facts(ruleset)
    return _made[key]


def _facts(ruleset: Ruleset) -> Facts:
    document = ruleset.document
    tables = log_tables(document)
    points = read_points(ruleset.root or resources.rules_root(), document["rcp"])
    benchmarks = {
        name: _benchmark(name, given, document["rcp"], points.get(name, ()))
        for name, given in document["benchmarks"].items()
    }
    return Facts(
        round=ruleset.round,
        form=format_of(document),
        divisions=tuple(document["divisions"]),
        layout=document["layout"],
        log_name=re.compile(document["layout"]["log"]),
        files=document["files"],
        parameters=document["parameters"],
        heeded=frozenset(document["heeded"]),
        file_bytes=document["limits"]["file_bytes"],
        score=document["score"],
        converged=document["run"]["converged"],
        counted=Counted(document["run"]["counted"]),
        stated={name: Stated(**each) for name, each in document["run"]["stated"].items()},
        hyperparameters=tuple(document["run"]["hyperparameters"]),
        seeds_in=frozenset(document["seeds"]["divisions"]),
        rcp_in=frozenset(document["rcp"]["divisions"]),
        system=document["system"],
        power=power_facts(document),
        tables=tables,
        benchmarks=benchmarks,
        keys=tables.keys | ALWAYS_READ,
    )


def format_of(document: Mapping[str, Any]) -> Format:
    """Return how the lines of the logs of a round are written."""
    given = document["format"]
    return Format(given["marker"].encode(), Syntax(given["syntax"]))


def read_points(root: Path, given: Mapping[str, Any]) -> dict[str, tuple[Reference, ...]]:
    """Read the points of a round. Their hash stands in the rule file, so that its own covers it.

    Raises:
        RulesetError: they are not there, not those that the hash names, or no points.
    """
    path = root / NAME / "rcp" / given["points"]
    try:
        raw = path.read_bytes()
    except OSError as err:
        raise RulesetError(f"rcp/{given['points']}: {err.strerror}") from err
    if hashlib.sha256(raw).hexdigest() != given["sha256"]:
        raise RulesetError(f"rcp/{given['points']} is not the file that the rules were made with")
    try:
        return {
            benchmark: tuple(map(_reference, points))
            for benchmark, points in json.loads(raw).items()
        }
    except (AttributeError, KeyError, TypeError, ValueError) as err:
        raise RulesetError(f"rcp/{given['points']} holds no points: {err!r:.200}") from err


def _reference(point: Mapping[str, Any]) -> Reference:
    numbers = (point["batch"], *point["convergence"])
    if not all(isinstance(n, int | float) and math.isfinite(n) and n > 0 for n in numbers):
        raise ValueError(f"{point['id']}: a batch size and what was needed are numbers above 0")
    return Reference(point["batch"], tuple(point["convergence"]), point["id"])


def _benchmark(
    name: str, given: Mapping[str, Any], rcp: Mapping[str, Any], points: tuple[Reference, ...]
) -> Benchmark:
    progress, aggregate = given["progress"], given["aggregate"]
    return Benchmark(
        name=name,
        runs=given["runs"],
        dropped=given["dropped"],
        progress=Progress(
            field=progress["field"],
            digits=progress["digits"],
            first_passing=progress["at"] == "first_passing",
        ),
        evaluation=schedule(given["evaluation"]),
        aggregate=Aggregate(**aggregate) if aggregate else None,
        target=given["target"],
        tensors=tuple(given["tensors"]),
        policy=_method(given, rcp, "", Limit.EXACT),
        official=_method(given, rcp, "official_", Limit.HALVING),
        references=points,
    )


def _method(
    given: Mapping[str, Any], rcp: Mapping[str, Any], whose: str, limit: Limit
) -> Method | None:
    if given["rcp"] is None:
        return None
    return Method(
        runs=given["runs"],
        dropped=given["dropped"],
        alpha=rcp["alpha"],
        spread=Spread(rcp[f"{whose}spread"]),
        slack=given["rcp"][f"{whose}slack"],
        limit=limit,
        tolerance=rcp["tolerance"],
        pruning=Pruning(rcp[f"{whose}pruning"]),
    )
