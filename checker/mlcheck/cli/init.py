"""``mlcheck init``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
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
    result: Annotated[
        list[str] | None,
        typer.Option(metavar="BENCHMARK/SCENARIO", help="Make its measurements; repeatable."),
    ] = None,
    implementation: Annotated[str, typer.Option(help="Name of the implementation.")] = "reference",
    write: Annotated[bool, typer.Option("--write", help="Write; else only show.")] = False,  # noqa: FBT002
) -> None:
    """Make the description, measurements and READMEs of a new inference system, to be filled in.

    A file that is there is never touched. What you have to say is left blank, and mlcheck verify
    names it until it is said.
    """
    from mlcheck.overlay import RulesetError
    from mlcheck.prepare.scaffold import NewSystem, empty_files, files_like, write_new
    from mlcheck.ruleset import load, rounds
    from mlcheck.suites.inference.build_facts import facts_of
    from mlcheck.tree import Tree

    for name in (submitter, system, implementation, from_ or system):
        _require_name(name)
    try:
        rules = facts_of(load("inference", round_ or rounds("inference")[-1]))
    except RulesetError as err:
        judging.leave(str(err), judging.USAGE)
    if division not in rules.divisions:
        judging.leave(f"no division {division}; known: {', '.join(rules.divisions)}", judging.USAGE)
    new = NewSystem(
        division=division,
        submitter=submitter,
        name=system,
        implementation=implementation,
        results=tuple(_result(text, rules.scenarios) for text in result or ()),
    )
    try:
        files = files_like(Tree(path), from_, new, rules) if from_ else empty_files(new, rules)
        for file in write_new(files, path) if write else files:
            there = "" if write or not os.path.lexists(os.path.join(path, file)) else " (is there)"
            typer.echo(f"{file}{there}")
    except ValueError as err:
        judging.leave(str(err), judging.USAGE)
    except OSError as err:
        judging.leave(f"cannot write {err.filename}: {err.strerror}", judging.USAGE)
    if not write:
        typer.echo("nothing is written without --write")


def _require_name(name: str) -> None:
    if not re.fullmatch(r"[A-Za-z0-9][\w.+-]*", name, re.ASCII):
        judging.leave(f"{name!r} is no name for a folder", judging.USAGE)


def _result(text: str, known: Iterable[str]) -> tuple[str, str]:
    benchmark, slash, scenario = text.partition("/")
    if not slash or scenario not in known:
        judging.leave(f"{text}: give BENCHMARK/SCENARIO, {', '.join(known)}", judging.USAGE)
    _require_name(benchmark)
    return benchmark, scenario
