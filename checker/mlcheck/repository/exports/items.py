"""The accepted results of one round with all that exports say of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mlcheck.repository.errors import AskError
from mlcheck.repository.exports.facts import Published, published
from mlcheck.repository.filters import Filters, asked
from mlcheck.repository.reader import Reader

Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One accepted result.

    Attributes:
        row: of the leaderboard.
        description: of the system, as it was submitted.
        accuracy: ``NAME: value`` pairs, two blanks between, as the official tools write them.
        quality: name -> value.
        repository: where the tree came from, as far as the store knows.
    """

    row: Row
    description: Mapping[str, Any]
    accuracy: str
    quality: Mapping[str, float]
    repository: str | None


def items(reader: Reader, filters: Filters) -> tuple[Published, list[Item]]:
    """Return how a round is published, and its accepted results in order of their paths.

    Raises:
        AskError: nothing passes, or it is of several rounds.
    """
    rows = sorted(asked(reader, filters), key=lambda row: row["path"])
    rounds = sorted({(row["suite"], row["round"]) for row in rows})
    if len(rounds) > 1:
        there = ", ".join(f"{suite} {round_}" for suite, round_ in rounds)
        raise AskError(f"an official summary is of one round; give --suite and --round: {there}")
    facts = published(*rounds[0])
    where, values = "suite = ? AND round = ?", list(rounds[0])
    quality = _quality(reader, where, values)
    systems = _systems(reader, where, values)
    sources = {
        (row["ingest"], row["division"], row["submitter"]): row["source_repository"]
        for row in reader.rows(f"SELECT * FROM submissions WHERE {where}", values)
    }
    return facts, [
        Item(
            row=row,
            description=systems.get(_key(row, "system"), {}),
            accuracy=_accuracy(mine, row, facts),
            quality={name: each["value"] for name, each in mine.items()},
            repository=sources.get(_key(row)),
        )
        for row, mine in ((row, quality.get((row["ingest"], row["id"]), {})) for row in rows)
    ]


def _key(row: Row, *further: str) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("ingest", "division", "submitter", *further))


def _quality(
    reader: Reader, where: str, values: list[Any]
) -> dict[tuple[str, str], dict[str, Row]]:
    found: dict[tuple[str, str], dict[str, Row]] = {}
    for row in reader.rows(f"SELECT * FROM quality WHERE {where}", values):
        found.setdefault((row["ingest"], row["result_id"]), {})[row["name"]] = row
    return found


def _systems(reader: Reader, where: str, values: list[Any]) -> dict[tuple[Any, ...], Row]:
    rows = reader.rows(f"SELECT * FROM systems WHERE {where}", values)
    return {_key(row, "system"): json.loads(row["description_json"] or "{}") for row in rows}


def _accuracy(quality: Mapping[str, Row], row: Row, facts: Published) -> str:
    known = facts.quality.get(row["benchmark"], ())
    ordered = [name for name in known if name in quality]
    ordered += sorted(set(quality) - set(ordered))
    return "  ".join(f"{name}: {quality[name]['value_raw']}" for name in ordered)
