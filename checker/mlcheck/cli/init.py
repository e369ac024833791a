"""``mlcheck init``."""

from __future__ import annotations

import os
import re
from typing import Annotated

import typer

from mlcheck.cli import judging


def init(
    path: Annotated[str, typer.Argument(metavar="PATH", help="Root of the submission.")],
    submitter: Annotated[str, typer.Option(help="Name of the organisation's folder.")],
    system: Annotated[str, typer.Option(help="Name of the new system.")],
    from_: Annotated[
        str | None, typer.Option("--from", metavar="SYSTEM", help="Take what another one has.")
    ] = None,
    division: Annotated[str, typer.Option(help="closed, open or network.")] = "closed",
    round_: Annotated[str | None, typer.Option("--round", help="Round; the newest.")] = None,
    suite: Annotated[str, typer.Option(help="Suite of the submission.")] = "inference",
    result: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BENCHMARK[/SCENARIO]",
            help="Make its documents; repeatable. SCENARIO: of inference.",
        ),
    ] = None,
    implementation: Annotated[str, typer.Option(help="Name of the implementation.")] = "reference",
    write: Annotated[bool, typer.Option("--write", help="Write; else only show.")] = False,  # noqa: FBT002
) -> None:
    """Make the description, documents and READMEs of a new system, to be filled in.

    A file that is there is never touched. What you have to say is left blank, and mlcheck verify
    names it until it is said.
    """
    from mlcheck.overlay import RulesetError
    from mlcheck.prepare.new_system import files_of
    from mlcheck.prepare.scaffold import NewSystem, write_new
    from mlcheck.ruleset import load, rounds
    from mlcheck.tree import Tree

    judging.require_suite(suite)
    parts = [part for text in result or () for part in text.split("/")]
    for name in (submitter, system, implementation, from_ or system, *parts):
        _require_name(name)
    new = NewSystem(
        division=division,
        submitter=submitter,
        name=system,
        implementation=implementation,
        results=tuple(result or ()),
    )
    try:
        files = files_of(Tree(path), new, load(suite, round_ or rounds(suite)[-1]), from_)
        for file in write_new(files, path) if write else files:
            there = "" if write or not os.path.lexists(os.path.join(path, file)) else " (is there)"
            typer.echo(f"{file}{there}")
    except (ValueError, RulesetError) as err:
        judging.leave(str(err), judging.USAGE)
    except OSError as err:
        judging.leave(f"cannot write {err.filename}: {err.strerror}", judging.USAGE)
    if not write:
        typer.echo("nothing is written without --write")


def _require_name(name: str) -> None:
    if not re.fullmatch(r"[A-Za-z0-9][\w.+-]*", name, re.ASCII):
        judging.leave(f"{name!r} is no name for a folder", judging.USAGE)
