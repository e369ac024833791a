"""The command line. Each command is a file: load, call one function, print, exit."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from mlcheck import __version__
from mlcheck.cli import (
    compare,
    config,
    diff,
    explain,
    export,
    history,
    ingest,
    init,
    normalize,
    pack,
    prepare,
    query,
    report,
    results,
    rules,
    schema,
    store,
    verify,
)
from mlcheck.cli.guard import INTERRUPTED, Guarded

app = typer.Typer(
    name="mlcheck",
    cls=Guarded,
    help="Check benchmark submissions, normalise their results and compare them. "
    "Independent of MLCommons; MLPerf is a trademark of MLCommons.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command("verify")(verify.verify)
app.command("normalize")(normalize.normalize)
app.command("report")(report.report)
app.command("ingest")(ingest.ingest)
app.command("results")(results.results)
app.command("history")(history.history)
app.command("diff")(diff.diff)
app.command("compare")(compare.compare)
app.command("export")(export.export)
app.command("query")(query.query)
app.command("prepare")(prepare.prepare)
app.command("pack")(pack.pack)
app.command("init")(init.init)
app.command("explain")(explain.explain)
app.add_typer(store.app, name="store")
app.add_typer(rules.app, name="rules")
app.add_typer(config.app, name="config")
app.add_typer(schema.app, name="schema")


def run() -> None:
    """Run the command line; what ``mlcheck`` calls."""
    try:
        app()
    except KeyboardInterrupt:  # before or after a command, which has its own guard
        sys.exit(INTERRUPTED)


def _version(value: bool) -> None:  # noqa: FBT001 - Typer's signature of a callback
    if value:
        typer.echo(f"mlcheck {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[  # noqa: FBT002 - a flag
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Check benchmark submissions, normalise their results and compare them.

    Independent of MLCommons. MLPerf is a trademark of MLCommons.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # names may hold anything
