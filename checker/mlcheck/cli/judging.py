"""What every command that judges a tree shares: its options, and the way to a report."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from mlcheck.model import Report

if TYPE_CHECKING:
    from mlcheck.engine import Job, Memory

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
    job = job_of(root, suite, round_, submitter, executor)
    select, ignore = rule_ids(job.suite, select), rule_ids(job.suite, ignore)
    say_if_not_all(select, ignore)
    job = replace(job, select=select, ignore=ignore)
    return verified(job, jobs, memory=memory_of(job))


def memory_of(job: Job) -> Memory | None:
    """Return what is remembered of a job; None: the environment forbids it, or a cluster judges."""
    from mlcheck.settings.keys import SettingsError
    from mlcheck.settings.resolve import resolve

    try:
        settings = resolve({}, os.environ, None)
    except SettingsError as err:
        leave(str(err), USAGE)
    return memory_of_user(job) if settings["cache"] and not job.executor else None


def memory_of_user(job: Job) -> Memory | None:
    """Return what the user's cache folder remembers; say it if the folder cannot be used."""
    from mlcheck.cache.memory import FolderMemory, user_folder

    folder = user_folder()
    try:
        memory = FolderMemory(folder, job)
    except OSError as err:
        typer.echo(f"mlcheck: no cache: {folder}: {err.strerror or err}", err=True)
        return None
    memory.tidy()
    return memory


def say_if_not_all(*ids: Iterable[str]) -> None:
    """Say it if some rules are not run because the user asked for it."""
    if any(tuple(some) for some in ids):
        typer.echo("mlcheck: some rules are not run; a pass is no pass of all", err=True)


def job_of(
    root: str,
    suite: str | None,
    round_: str | None,
    submitter: str | None,
    executor: str | None = None,
) -> Job:
    """Discover what lies at ``root``; say on stderr what was guessed, or exit."""
    from mlcheck.discover import NothingHereError, discover
    from mlcheck.engine import Job
    from mlcheck.overlay import RulesetError
    from mlcheck.tree import Tree

    if not os.path.isdir(root):
        leave(f"{root} is not a folder", USAGE)
    if suite is not None:
        require_suite(suite)
    try:
        found = discover(Tree(root), suite, round_)
    except NothingHereError as err:
        leave(str(err), NOTHING)
    except RulesetError as err:
        leave(str(err), USAGE)
    if not found.sure:
        typer.echo(f"mlcheck: round {found.round}, {found.by}", err=True)
    return Job(
        root=os.path.abspath(root) if executor else root,
        suite=found.suite,
        round=found.round,
        submitter=submitter,
        executor=executor,
    )


def require_suite(name: str) -> None:
    """Leave if there is no such suite."""
    from mlcheck.suites.registry import SUITES

    if name not in SUITES:
        leave(f"no suite {name}; known: {', '.join(SUITES)}", USAGE)


def verified(job: Job, jobs: int | None, **options: Any) -> Report:
    """Verify a tree; say on stderr what is odd, or exit."""
    from mlcheck.engine import verify
    from mlcheck.executors import ExecutorError
    from mlcheck.overlay import RulesetError

    try:
        with _progress() as progress:
            report = verify(job, jobs=jobs, progress=progress, **options)
    except (RulesetError, ExecutorError) as err:
        leave(str(err), USAGE)
    if job.submitter and not report.results:
        typer.echo(f"mlcheck: nothing of {job.submitter}; {_submitters(job)}", err=True)
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


def rule_ids(suite: str | None, options: Iterable[str]) -> tuple[str, ...]:
    """Return ids of rules or their beginnings, of options that may hold several with commas.

    Leaves if there is no such rule in the suite; None: in any suite.
    """
    from mlcheck.extra_rules import rules_of
    from mlcheck.suites.registry import SUITES

    suites = [suite] if suite else list(SUITES)
    ids = tuple(part.strip().upper() for text in options for part in text.split(","))
    for id_ in ids:
        if not id_ or not any(rule.id.startswith(id_) for one in suites for rule in rules_of(one)):
            whose = f" of {suite}" if suite else ""
            leave(f"no rule{whose} is or begins with {id_!r}; see mlcheck rules list", USAGE)
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
