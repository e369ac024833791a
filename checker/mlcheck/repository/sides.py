"""What ``mlcheck diff`` compares: a tree, an ingest, or a round of a store."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mlcheck.model import Report
from mlcheck.repository.errors import AskError
from mlcheck.repository.reader import HISTORY, Reader, of_store, of_tables
from mlcheck.repository.store import Store

Row = dict[str, Any]
# What is compared of a result, and by what it is found again.
_COLUMNS = (
    "ingest", "id", "suite", "round", "division", "submitter", "system", "benchmark",
    "benchmark_raw", "scenario", "path", "verdict", "official_verdict", "metric", "value", "unit",
    "better", "power_value", "power_unit",
)  # fmt: skip
SystemKey = tuple[str, str, str, str]  # suite, division, submitter, system


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of two things that are compared.

    Attributes:
        label: how it is called.
        results: rows of the leaderboard, each with ``quality``: name -> value.
        descriptions: of systems, as they were submitted.
    """

    label: str
    results: tuple[Row, ...]
    descriptions: Mapping[SystemKey, Mapping[str, Any]]


def of_report(report: Report, label: str) -> Side:
    """Return what was judged of a tree."""
    from mlcheck.repository.ingest import stored_tables

    return _side(of_tables(stored_tables(report)), label, "true", [])


def of_text(store: Store, current: Reader, text: str) -> Side:
    """Return an ingest (its id or the beginning of it) or a round (``v5.1``, ``training/v5.1``).

    Args:
        store: that is asked.
        current: what counts in it.
        text: what to look for.

    Raises:
        AskError: the store has neither.
    """
    suite, slash, round_ = text.rpartition("/")
    where = "round = ?" + (" AND suite = ?" if slash else "")
    values = [round_, suite] if slash else [text]
    rounds = current.rows(f"SELECT DISTINCT suite, round FROM submissions WHERE {where}", values)
    if len(rounds) > 1:
        names = ", ".join(sorted(f"{row['suite']}/{row['round']}" for row in rounds))
        raise AskError(f"{text} may be any of {names}")
    if rounds:
        return _side(current, f"{rounds[0]['suite']} {rounds[0]['round']}", where, values)
    ids = current.rows(
        f"SELECT DISTINCT ingest FROM {HISTORY} WHERE starts_with(ingest, ?)", [text]
    )
    if len(ids) != 1:
        problem = "begins several ingests" if ids else "is no folder, no round and no ingest"
        raise AskError(f"{text} {problem} of {store.uri}")
    id_ = ids[0]["ingest"]
    return _side(of_store(store, ingest=id_), f"ingest {id_}", "true", [])


def _side(reader: Reader, label: str, where: str, values: list[Any]) -> Side:
    columns = ", ".join(_COLUMNS)
    results = reader.rows(
        f"SELECT {columns} FROM leaderboard WHERE {where} ORDER BY path, id", values
    )
    if not results:
        raise AskError(f"{label} holds no results")
    quality: dict[tuple[str, str], dict[str, float]] = {}
    statement = f"SELECT ingest, result_id, name, value FROM quality WHERE {where}"
    for row in reader.rows(statement, values):
        quality.setdefault((row["ingest"], row["result_id"]), {})[row["name"]] = row["value"]
    for row in results:
        row["quality"] = quality.get((row["ingest"], row["id"]), {})
    systems = reader.rows(
        "SELECT suite, division, submitter, system, description_json FROM systems "
        f"WHERE {where} AND description_json IS NOT NULL",
        values,
    )
    return Side(
        label=label,
        results=tuple(results),
        descriptions={
            (row["suite"], row["division"], row["submitter"], row["system"]): json.loads(
                row["description_json"]
            )
            for row in systems
        },
    )
