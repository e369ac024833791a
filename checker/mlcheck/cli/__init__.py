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
    rich_markup_mode=None,  # plain help: boxes leave 18 columns of 80 for words, and cost 0.1 s
)
app.command("verify", short_help="Check a submission or a single run. Reads only.")(verify.verify)
app.command("normalize")(normalize.normalize)
app.command("report", short_help="Render tables as a site that works offline.")(report.report)
app.command("ingest", short_help="Verify trees and keep their results in a store.")(ingest.ingest)
app.command("results")(results.results)
app.command("history", short_help="Show the best results over the rounds.")(history.history)
app.command("diff", short_help="Show what changed from one round or upload to another.")(diff.diff)
app.command("compare")(compare.compare)
app.command("export")(export.export)
app.command("query")(query.query)
app.command("prepare", short_help="Truncate, infer, rename and leave out, in a copy.")(
    prepare.prepare
)
app.command("pack", short_help="Verify a submission and pack it, always to the same bytes.")(
    pack.pack
)
app.command("init", short_help="Make the files of a new system, to be filled in.")(init.init)
app.command("explain", short_help="Say what a rule demands, and how it was judged on a tree.")(
    explain.explain
)
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
