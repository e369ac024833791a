"""``mlcheck schema``: JSON schemas for editors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from mlcheck.cli import judging

app = typer.Typer(help="JSON schemas, for editors and other programs.", no_args_is_help=True)


@app.command("list")
def list_() -> None:
    """List the names of the schemas."""
    from mlcheck.editor_schemas import names

    for name in names():
        typer.echo(name)


@app.command()
def export(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Such as system or measurements.")],
    suite: Annotated[str, typer.Option(help="Suite of a description.")] = "inference",
    round_: Annotated[str | None, typer.Option("--round", help="Round; the newest.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="File; else printed.")] = None,
) -> None:
    """Print a schema, so that an editor checks a document while it is typed."""
    from mlcheck.editor_schemas import editor_schema, names
    from mlcheck.output.write import write_whole
    from mlcheck.overlay import RulesetError

    try:
        schema = editor_schema(name, suite, round_)
    except RulesetError as err:
        judging.leave(str(err), judging.USAGE)
    except KeyError:
        known = ", ".join(names())
        judging.leave(f"no schema {name} of {suite}; known: {known}", judging.USAGE)
    text = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        write_whole(out, text)
    except OSError as err:
        judging.leave(f"cannot write {out}: {err.strerror}", judging.USAGE)
