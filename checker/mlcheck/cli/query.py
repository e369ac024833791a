"""``mlcheck query``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from mlcheck.cli import asking


@asking.explained
def query(
    statement: Annotated[
        str | None,
        typer.Argument(metavar="[SQL]", help="SELECT …; without it, tables and columns are shown."),
    ] = None,
    format_: asking.Form = asking.Format.TEXT,
    store: asking.Uri = asking.DEFAULT_STORE,
    as_of: asking.AsOf = None,
    collection: asking.Collection = None,
    options: asking.Options = None,
) -> None:
    """Ask a store in SQL (DuckDB). Only rows that count are seen; nothing can be changed."""
    from mlcheck.output.table import Column, counted, text_table

    if statement is None:
        asking.say(_schema_lines())
        return
    names, answer = asking.reader(store, options, as_of, collection).selected(statement)
    rows = [dict(zip(names, row, strict=True)) for row in answer]
    if format_ is not asking.Format.TEXT:
        asking.write(rows, names, format_)
        return
    asking.say(text_table(rows, [Column(name, name) for name in names]))
    typer.echo(counted(len(rows), "row"))


def _schema_lines() -> Iterator[str]:
    from mlcheck.repository.layout import STORED
    from mlcheck.repository.reader import HISTORY, LEADERBOARD, of_tables
    from mlcheck.repository.store import SUBMISSIONS

    about = {
        SUBMISSIONS: "one row per submitter and division that counts",
        HISTORY: "the same with those that were replaced",
        LEADERBOARD: "one row per result with its system, primary metric and power",
    }
    empty = of_tables({name: schema.empty_table() for name, schema in STORED.items()})
    for name in (*STORED, HISTORY, LEADERBOARD):
        yield f"{name}{f': {about[name]}' if name in about else ''}"
        for column, kind in empty.columns(name):
            yield f"  {column:<24} {kind}"
