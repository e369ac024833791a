"""``mlcheck report``."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from mlcheck.cli import judging


def report(
    tables: Annotated[
        list[Path],
        typer.Argument(
            metavar="TABLES...", help="Folders that mlcheck normalize wrote, or stores."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the pages.")],
    diff: Annotated[
        Path | None,
        typer.Option(metavar="SITE", help="Say what changed since this earlier site; may be OUT."),
    ] = None,
) -> None:
    """Render tables as a site of leaderboards and comparisons that works offline."""
    from mlcheck_report import ReportError, render

    for folder in tables:
        if not folder.is_dir():
            judging.leave(f"{folder} is not a folder", judging.USAGE)
    with tempfile.TemporaryDirectory() as scratch:
        places = [_tables_of(place, Path(scratch, str(n))) for n, place in enumerate(tables)]
        try:
            files = render(*places, out=out, former=diff)
        except ReportError as err:
            judging.leave(str(err), judging.USAGE)
    typer.echo(f"{files[0]}: {len(files):,} files")


def _tables_of(place: Path, scratch: Path) -> Path:
    """Return a folder of tables: the place itself, or what counts in the store that it is."""
    if not (place / "submissions" / "_delta_log").is_dir():
        return place
    from mlcheck.repository.errors import AskError
    from mlcheck.repository.exports.parquet import write_parquet
    from mlcheck.repository.filters import Filters
    from mlcheck.repository.reader import of_store
    from mlcheck.repository.store import Store

    try:
        for _ in write_parquet(of_store(Store(str(place))), Filters(), scratch):
            pass
    except AskError as err:
        judging.leave(str(err), judging.USAGE)
    return scratch
