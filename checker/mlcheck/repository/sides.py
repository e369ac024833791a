"""What ``mlcheck diff`` compares: a tree, an ingest, or a round of a store."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mlcheck.model import Report
from mlcheck.repository.errors import AskError
from mlcheck.repository.reader import HISTORY, Reader, of_store, of_tables
from mlcheck.repository.store import Store

Row = dict[str, Any]
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


def of_text(store: Callable[[], Store], text: str, collection: str | None) -> Side:
    """Return an ingest (its id or the beginning of it) or a round (``v5.1``, ``training/v5.1``).

    Raises:
        AskError: the store has neither.
    """
    there = store()
    suite, slash, round_ = text.rpartition("/")
    reader = of_store(there, collection)
    where = "round = ?" + (" AND suite = ?" if slash else "")
    values = [round_, suite] if slash else [text]
    rounds = reader.rows(f"SELECT DISTINCT suite, round FROM submissions WHERE {where}", values)
    if len(rounds) > 1:
        names = ", ".join(sorted(f"{row['suite']}/{row['round']}" for row in rounds))
        raise AskError(f"{text} may be any of {names}")
    if rounds:
        return _side(reader, f"{rounds[0]['suite']} {rounds[0]['round']}", where, values)
    ids = reader.rows(f"SELECT DISTINCT ingest FROM {HISTORY} WHERE starts_with(ingest, ?)", [text])
    if len(ids) != 1:
        problem = "begins several ingests" if ids else "is no folder, no round and no ingest"
        raise AskError(f"{text} {problem} of {there.uri}")
    id_ = ids[0]["ingest"]
    return _side(of_store(there, ingest=id_), f"ingest {id_}", "true", [])


def _side(reader: Reader, label: str, where: str, values: list[Any]) -> Side:
    results = reader.rows(f"SELECT * FROM leaderboard WHERE {where} ORDER BY path, id", values)
    if not results:
        raise AskError(f"{label} holds no results")
    quality: dict[tuple[str, str], dict[str, float]] = {}
    for row in reader.rows("SELECT ingest, result_id, name, value FROM quality"):
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
