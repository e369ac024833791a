"""What every command that judges a tree shares: its options, and the way to a report."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from mlcheck.model import Report

if TYPE_CHECKING:
    from mlcheck.engine import Job

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

Cluster = Annotated[
    str | None,
    typer.Option("--executor", metavar="dask://HOST:PORT", help="Judge on a Dask cluster."),
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
    executor: str | None = None,
) -> Report:
    """Discover what lies at ``root`` and verify it; say on stderr what was decided, or exit."""
    from mlcheck.discover import NothingHereError, discover
    from mlcheck.engine import Job, verify
    from mlcheck.executors import ExecutorError
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
        select, ignore = _ids(found.suite, select), _ids(found.suite, ignore)
        if select or ignore:
            typer.echo("mlcheck: some rules are not run; a pass is no pass of all", err=True)
        job = Job(
            root=os.path.abspath(root) if executor else root,
            suite=found.suite,
            round=found.round,
            submitter=submitter,
            select=select,
            ignore=ignore,
            executor=executor,
        )
        with _progress() as progress:
            report = verify(job, jobs=jobs, progress=progress)
    except NothingHereError as err:
        leave(str(err), NOTHING)
    except (RulesetError, ExecutorError) as err:
        leave(str(err), USAGE)
    if submitter and not report.results:
        typer.echo(f"mlcheck: nothing of {submitter}; {_submitters(job)}", err=True)
    return report


def _submitters(job: Job) -> str:
    """Say which submitters there are."""
    from mlcheck.ruleset import load
    from mlcheck.suites.registry import SUITES
    from mlcheck.tree import Tree

    suite = SUITES[job.suite]
    facts = suite.facts(load(job.suite, job.round))
    names = sorted({place.submitter for place in suite.places(Tree(job.root), facts, None)})
    return f"submitters here: {', '.join(names) or 'none'}"


def _ids(suite: str, options: tuple[str, ...]) -> tuple[str, ...]:
    """Return ids of rules or their beginnings, of options that may hold several with commas."""
    from mlcheck.suites.registry import SUITES

    ids = tuple(part.strip().upper() for text in options for part in text.split(","))
    for id_ in ids:
        if not id_ or not any(rule.id.startswith(id_) for rule in SUITES[suite].rules):
            leave(f"no rule of {suite} is or begins with {id_!r}; see mlcheck rules list", USAGE)
    return ids


def keep_out(root: str, out: Path) -> None:
    """Leave if what is to be written lies inside the submission."""
    if out.resolve().is_relative_to(Path(root).resolve()):
        leave(f"{out} lies inside the submission, which is not written to", USAGE)


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
