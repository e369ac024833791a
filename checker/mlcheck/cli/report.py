"""``mlcheck report``."""

from __future__ import annotations

import tempfile
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from mlcheck.cli import asking, judging


@asking.explained
def report(
    tables: Annotated[
        list[str],
        typer.Argument(
            metavar="TABLES...",
            help="Folders that mlcheck normalize wrote, or stores; of these also an URI.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the pages.")],
    diff: Annotated[
        Path | None,
        typer.Option(metavar="SITE", help="Say what changed since this earlier site; may be OUT."),
    ] = None,
    date: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="Day of the build: write feeds of what is new."),
    ] = None,
    options: asking.Options = None,
) -> None:
    """Render tables as a site of leaderboards and comparisons that works offline."""
    from mlcheck_report import ReportError, render

    with tempfile.TemporaryDirectory() as scratch:
        places = [
            _tables_of(place, options, Path(scratch, str(n))) for n, place in enumerate(tables)
        ]
        try:
            files = render(*places, out=out, former=diff, day=date.date() if date else None)
        except ReportError as err:
            judging.leave(str(err), judging.USAGE)
    typer.echo(f"{files[0]}: {len(files):,} files")


def _tables_of(place: str, options: list[str] | None, scratch: Path) -> Path:
    """Return a folder of tables: the place itself, or what counts in the store that it is."""
    folder = Path(place)
    if "://" not in place and not (folder / "submissions" / "_delta_log").is_dir():
        if not folder.is_dir():
            judging.leave(f"{place} is not a folder", judging.USAGE)
        return folder
    from mlcheck.repository.exports.parquet import write_parquet
    from mlcheck.repository.filters import Filters

    for _ in write_parquet(asking.reader(place, options, None, None), Filters(), scratch):
        pass
    return scratch
