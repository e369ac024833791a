"""Read the Parquet tables of a folder and refuse what a page could not be trusted with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from mlcheck.normalize.schema import SCHEMA_VERSION, TABLES
from mlcheck_report.ages import age

KEYS = ["suite", "round", "division", "submitter"]
SYSTEM_COLUMNS = tuple(TABLES["systems"].names)
_UNIQUE = {"results": ["id"], "systems": [*KEYS, "system"]}
_NEEDS_ROWS = frozenset({"results", "submissions"})
OPTIONAL = frozenset({"outcomes", "offers"})  # tables of earlier versions lack them
_NULLABLE = {pa.int32(): pd.Int32Dtype(), pa.bool_(): pd.BooleanDtype()}


class ReportError(Exception):
    """The tables cannot be rendered; the text says which one and why."""


RoundName = tuple[str, str]  # suite, round


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """All tables of one round or of several.

    Attributes:
        frames: by table name, columns as in the schema, strings and numbers missing as NaN or NA.
        metadata: by round, what its file says of its making: `tool_version`, `ruleset_sha256`, ...
    """

    frames: Mapping[str, pd.DataFrame]
    metadata: Mapping[RoundName, Mapping[str, str]]

    def rounds(self) -> list[RoundName]:
        """Return the pairs of suite and round that have results, by age."""
        return _rounds(self.frames["results"])

    def of(self, suite: str, round_: str) -> dict[str, pd.DataFrame]:
        """Return the frames of one round."""
        ids = _rows_of(self.frames["results"], suite, round_)["id"]
        return {
            name: frame[frame["result_id"].isin(ids)]
            if "result_id" in frame
            else _rows_of(frame, suite, round_)
            for name, frame in self.frames.items()
        }


def _rounds(results: pd.DataFrame) -> list[RoundName]:
    pairs = results[["suite", "round"]].drop_duplicates()
    names = ((str(suite), str(round_)) for suite, round_ in pairs.itertuples(index=False))
    return sorted(names, key=lambda name: (name[0], age(name[1]), name[1]))


def _rows_of(frame: pd.DataFrame, suite: str, round_: str) -> pd.DataFrame:
    return frame[frame["suite"].eq(suite) & frame["round"].eq(round_)]


def read(*places: Path) -> Tables:
    """Read the tables of all places as one set.

    Args:
        places: folders with one Parquet file per table, or with such folders inside.

    Raises:
        ReportError: a table is missing, unreadable, empty where rows are needed, of another schema
            version, or breaks the schema; or two places hold the same result.
    """
    sets = [_arrow(folder) for place in places for folder in _folders(place)]
    metadata: dict[RoundName, Mapping[str, str]] = {}
    for tables in sets:
        made = _metadata(tables["results"])
        by_round = _by_round(made)
        for round_ in _rounds(tables["results"].select(["suite", "round"]).to_pandas()):
            metadata[round_] = {**made, **by_round.get(" ".join(round_), {})}
    joined = {
        name: pa.concat_tables([tables[name].replace_schema_metadata(None) for tables in sets])
        for name in TABLES
    }
    for name, table in joined.items():
        _check_unique(table, name)
    return Tables(
        frames={
            name: table.to_pandas(types_mapper=_NULLABLE.get) for name, table in joined.items()
        },
        metadata=metadata,
    )


def _folders(place: Path) -> list[Path]:
    """Return the folders of tables that a place is or holds."""
    inside = sorted(path.parent for path in place.glob("*/results.parquet"))
    return [place] if (place / "results.parquet").is_file() or not inside else inside


def _arrow(folder: Path) -> dict[str, pa.Table]:
    """Return the tables of one folder, each as the schema has it."""
    return {name: _table(folder / f"{name}.parquet", name) for name in TABLES}


def _by_round(made: Mapping[str, str]) -> Mapping[str, Mapping[str, str]]:
    """Return what an export of a store says of the making of each of its rounds."""
    try:
        stated = json.loads(made.get("made_by", "{}"))
    except (ValueError, RecursionError):
        return {}
    pairs = stated.items() if isinstance(stated, dict) else ()
    return {name: made_by for name, made_by in pairs if isinstance(made_by, dict)}


def _metadata(table: pa.Table) -> dict[str, str]:
    return {
        key.decode(errors="replace"): value.decode(errors="replace")
        for key, value in (table.schema.metadata or {}).items()
    }


def _table(path: Path, name: str) -> pa.Table:
    if name in OPTIONAL and not path.exists():
        return TABLES[name].empty_table()
    if not path.is_file():
        raise ReportError(f"{path.name} is missing in {path.parent}")
    try:
        table = pq.read_table(path)
    except (pa.ArrowException, OSError) as err:
        raise ReportError(f"{path.name} cannot be read as Parquet: {_first_line(err)}") from err
    found = (table.schema.metadata or {}).get(b"schema_version", b"none").decode(errors="replace")
    if found != SCHEMA_VERSION:
        raise ReportError(
            f"{path.name} has schema_version {found}, this report reads {SCHEMA_VERSION}; "
            "normalise the submission again with the same mlcheck"
        )
    return _conforming(table, name)


def _conforming(table: pa.Table, name: str) -> pa.Table:
    schema = TABLES[name]
    missing = [column for column in schema.names if column not in table.column_names]
    if missing:
        raise ReportError(f"{name}.parquet lacks the columns {', '.join(missing)}")
    if name in _NEEDS_ROWS and table.num_rows == 0:
        raise ReportError(f"{name}.parquet is empty: there is nothing to show")
    _check_values(table, name)
    metadata = table.schema.metadata
    try:
        return table.select(schema.names).cast(schema).replace_schema_metadata(metadata)
    except (pa.ArrowException, ValueError) as err:
        raise ReportError(f"{name}.parquet breaks the schema: {_first_line(err)}") from err


def _check_values(table: pa.Table, name: str) -> None:
    for column in TABLES[name]:
        if not column.nullable and table[column.name].null_count:
            raise ReportError(f"{name}.parquet has rows without {column.name}")


def _check_unique(table: pa.Table, name: str) -> None:
    keys = _UNIQUE.get(name)
    if keys and table.group_by(keys).aggregate([]).num_rows != table.num_rows:
        raise ReportError(f"{name}: there are two rows with the same {', '.join(keys)}")


def _first_line(err: Exception) -> str:
    return (str(err).splitlines() or [type(err).__name__])[0]
