"""What every command that judges a tree shares: its options, and the way to a report."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, NoReturn

import typer

from mlcheck.model import Report

Root = Annotated[
    str, typer.Argument(metavar="PATH", help="Root of the submission: it holds closed/ or open/.")
]
Suite = Annotated[str | None, typer.Option(help="Suite; found by the folders if not given.")]
Round = Annotated[
    str | None, typer.Option("--round", help="Round, such as v5.1; found by the logs' seeds.")
]
Submitter = Annotated[str | None, typer.Option(help="Judge this submitter alone.")]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", min=1, help="Processes; one per processor.")
]

USAGE = 2
INTERNAL = 3
NOTHING = 4


def judged(
    root: str,
    suite: str | None,
    round_: str | None,
    submitter: str | None,
    jobs: int | None,
    select: tuple[str, ...] = (),
    ignore: tuple[str, ...] = (),
) -> Report:
    """Discover what lies at ``root`` and verify it; say on stderr what was decided, or exit."""
    from mlcheck.discover import NothingHereError, discover
    from mlcheck.engine import Job, verify
    from mlcheck.overlay import RulesetError
    from mlcheck.suites.registry import SUITES
    from mlcheck.tree import Tree

    if not os.path.isdir(root):
        leave(f"{root} is not a folder", USAGE)
    if suite is not None and suite not in SUITES:
        leave(f"no suite {suite}; known: {', '.join(SUITES)}", USAGE)
    try:
        found = discover(Tree(root), suite, round_)
        if not found.sure:
            typer.echo(f"mlcheck: round {found.round}, {found.by}", err=True)
        job = Job(
            root=root,
            suite=found.suite,
            round=found.round,
            submitter=submitter,
            select=select,
            ignore=ignore,
        )
        with _progress() as progress:
            return verify(job, jobs=jobs, progress=progress)
    except NothingHereError as err:
        leave(str(err), NOTHING)
    except RulesetError as err:
        leave(str(err), USAGE)


def leave(message: str, code: int) -> NoReturn:
    """Print why and exit."""
    typer.echo(f"mlcheck: {message}", err=True)
    raise typer.Exit(code)


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
    """Show a bar on stderr while places are read, on a terminal only."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("reading systems"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
