"""``mlcheck report``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mlcheck.cli import judging


def report(
    tables: Annotated[
        Path, typer.Argument(metavar="TABLES", help="Folder that mlcheck normalize wrote.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the pages.")],
) -> None:
    """Render tables as a leaderboard: one page per round that works offline."""
    from mlcheck_report import ReportError, render

    if not tables.is_dir():
        judging.leave(f"{tables} is not a folder", judging.USAGE)
    try:
        for page in render(tables, out):
            typer.echo(str(page))
    except ReportError as err:
        judging.leave(str(err), judging.USAGE)
