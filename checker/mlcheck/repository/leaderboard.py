"""Results with all that a row of a leaderboard shows: one row per result, joined, ranked.

The columns are those of ``results``; what ``systems`` adds; the primary metric as ``metric``,
``value``, ``value_raw``, ``unit``, ``better``; and the columns of ``power`` as ``power_…``. A name
that ``results`` has already gets the name of its table before it, such as ``system_path``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = dict[str, Any]
_OWNER = ("suite", "round", "ingest", "division", "submitter")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Joined:
    """A table whose columns stand beside those of ``results``.

    An ingest makes sure that it holds at most one row for a result: :func:`twice`.

    Attributes:
        on: columns that name the result or its system, as this table and as `results` calls them.
        renamed: columns under another name. ``without``: columns that are left out.
    """

    table: str
    on: Mapping[str, str]
    where: str = "true"
    prefix: str = ""
    renamed: Mapping[str, str]
    without: tuple[str, ...] = ()


_JOINED = (
    _Joined(
        table="systems",
        on={"system": "system"},
        renamed={"path": "system_path", "sha256": "system_sha256"},
        without=("description_json",),  # long; the table has it
    ),
    _Joined(
        table="metrics",
        on={"result_id": "id"},
        where="role = 'primary'",
        renamed={"name": "metric"},
        without=("role",),
    ),
    _Joined(
        table="power",
        on={"result_id": "id"},
        prefix="power_",
        renamed={},
    ),
)
JOINED = ("results", *(joined.table for joined in _JOINED))


def leaderboard_sql(columns: Mapping[str, Sequence[str]]) -> str:
    """Return the statement of the view.

    Args:
        columns: names of the columns of each table.
    """
    chosen = ["results.*"]
    joins = []
    taken = set(columns["results"])
    for joined in _JOINED:
        chosen += _columns(joined, columns[joined.table], taken)
        rows = f"SELECT * FROM {joined.table} WHERE {joined.where}"
        same = [f"results.{key} = {joined.table}_of.{key}" for key in _OWNER]
        same += [f"results.{own} = {joined.table}_of.{key}" for key, own in joined.on.items()]
        joins.append(f"LEFT JOIN ({rows}) {joined.table}_of ON {' AND '.join(same)}")
    return f"SELECT {', '.join(chosen)} FROM results {' '.join(joins)}"


def _columns(joined: _Joined, names: Sequence[str], taken: set[str]) -> Iterator[str]:
    for name in names:
        if name in _OWNER or name in joined.on or name in joined.without:
            continue
        shown = joined.renamed.get(name, f"{joined.prefix}{name}")
        if shown in taken:
            shown = f"{joined.table}_{name}"
        taken.add(shown)
        yield f'{joined.table}_of."{name}" AS "{shown}"'


def twice(tables: Mapping[str, Any]) -> str | None:
    """Return the table that has two rows for one result or its system; None: none has.

    Args:
        tables: Arrow tables with the columns of a store, by name.
    """
    for joined in _JOINED:
        rows = tables[joined.table].to_pylist()
        if joined.table == "metrics":
            rows = [row for row in rows if row["role"] == "primary"]
        keys = {tuple(row[name] for name in (*_OWNER, *joined.on)) for row in rows}
        if len(keys) != len(rows):
            return joined.table
    return None


def rankings(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Group rows that may be ranked together, the best first; ``rank`` is added to each.

    Rows without a value come last and have no rank, as have those measured for their power alone.
    Ties share a rank.
    """
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row["comparability_key"], []).append(row)
    return {key: _ranked(groups[key]) for key in sorted(groups)}


def _ranked(rows: list[Row]) -> list[Row]:
    ordered = sorted(rows, key=_goodness)
    ranked: list[Row] = []
    for position, row in enumerate(ordered, 1):
        rank: int | None = position
        if row["value"] is None or row["power_only"]:
            rank = None
        elif ranked and ranked[-1]["value"] == row["value"] and ranked[-1]["rank"]:
            rank = ranked[-1]["rank"]
        ranked.append({**row, "rank": rank})
    return ranked


def _goodness(row: Row) -> tuple[Any, ...]:
    value = row["value"]
    unranked = value is None or bool(row["power_only"])
    good = 0.0 if value is None else value if row["better"] == "lower" else -value
    return (unranked, value is None, good, row["submitter"], row["system"], row["path"])
