"""``mlcheck report``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mlcheck.cli import judging


def report(
    tables: Annotated[
        list[Path],
        typer.Argument(metavar="TABLES...", help="Folders that mlcheck normalize wrote."),
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
    try:
        files = render(*tables, out=out, former=diff)
    except ReportError as err:
        judging.leave(str(err), judging.USAGE)
    typer.echo(f"{files[0]}: {len(files):,} files")
