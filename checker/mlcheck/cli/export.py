"""``mlcheck export``."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlcheck.cli import asking, filtering, judging
from mlcheck.repository.choices import Accepted

if TYPE_CHECKING:
    from mlcheck.repository.filters import Filters
    from mlcheck.repository.reader import Reader


class Export(StrEnum):
    """What is written."""

    SUMMARY_CSV = "summary-csv"
    SUMMARY_JSON = "summary-json"
    XLSX = "xlsx"
    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"


@asking.explained
def export(
    form: Annotated[
        Export,
        typer.Option(
            "--format",
            help="summary-csv, summary-json, xlsx: as the official tools of the round write them "
            "(mobile: a row per device); csv, json: every column, with units; parquet: tables for "
            "mlcheck report.",
        ),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="File, of parquet folder; else stdout.")
    ] = None,
    view: Annotated[
        str, typer.Option(help="For csv, json, xlsx: leaderboard, or one of the tables.")
    ] = "leaderboard",
    repository: Annotated[
        str | None, typer.Option(help="Where links lead, for the official formats.")
    ] = None,
    suite: filtering.Suite = None,
    round_: filtering.Round = None,
    division: filtering.Division = None,
    submitter: filtering.Submitter = None,
    benchmark: filtering.Benchmark = None,
    scenario: filtering.Scenario = None,
    accepted: filtering.AcceptedBy = Accepted.OFFICIAL,
    store: asking.Uri = asking.DEFAULT_STORE,
    as_of: asking.AsOf = None,
    collection: asking.Collection = None,
    options: asking.Options = None,
) -> None:
    """Write results for other tools. The official formats are of one round, accepted results only.

    Text of a submission that a spreadsheet would take for a formula is marked by an apostrophe in
    csv, not in summary-csv.
    """
    from mlcheck.overlay import RulesetError
    from mlcheck.repository.exports.write import exported
    from mlcheck.repository.filters import Filters

    filters = Filters(
        suite=suite,
        round=round_,
        division=division,
        submitter=submitter,
        benchmark=benchmark,
        scenario=scenario,
        accepted=accepted,
    )
    reader = asking.reader(store, options, as_of, collection)
    if form is Export.PARQUET:
        _tables(reader, filters, out)
        return
    try:
        content = exported(reader, filters, form.value, view, repository)
    except RulesetError as err:
        judging.leave(str(err), judging.USAGE)
    if out is None:
        sys.stdout.buffer.write(content)
        return
    try:
        out.write_bytes(content)
    except OSError as err:
        judging.leave(f"cannot write {out}: {err.strerror}", judging.USAGE)
    typer.echo(f"{out}: {len(content):,} bytes", err=True)


def _tables(reader: Reader, filters: Filters, out: Path | None) -> None:
    from mlcheck.repository.exports.parquet import write_parquet

    if out is None:
        judging.leave("parquet: give a folder with -o", judging.USAGE)
    try:
        for file, rows in write_parquet(reader, filters, out):
            typer.echo(f"{file}: {rows:,} rows")
    except OSError as err:
        judging.leave(f"cannot write {out}: {err.strerror}", judging.USAGE)
