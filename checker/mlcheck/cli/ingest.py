"""``mlcheck ingest``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from mlcheck.cli import asking, judging

if TYPE_CHECKING:
    from mlcheck.repository.ingest import Ingested, Known
    from mlcheck.repository.store import Store

_FEW = 5  # names shown where there may be many


@asking.explained
def ingest(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH…", help="Roots of submissions or results.")
    ],
    store: asking.Uri = asking.DEFAULT_STORE,
    suite: judging.Suite = None,
    round_: judging.Round = None,
    submitter: judging.Submitter = None,
    repository: Annotated[
        str | None, typer.Option(help="Where the tree comes from; read from its .git if not given.")
    ] = None,
    commit: Annotated[str | None, typer.Option(help="At which commit.")] = None,
    collection: Annotated[
        str, typer.Option(help="Submissions of one collection replace each other.")
    ] = "main",
    whole: Annotated[  # noqa: FBT002 - a flag
        bool,
        typer.Option("--whole", help="The tree is all of its round: what it lacks is withdrawn."),
    ] = False,
    again: Annotated[  # noqa: FBT002 - a flag
        bool, typer.Option("--again", help="Also a tree that was ingested before.")
    ] = False,
    jobs: judging.Jobs = None,
    executor: judging.Cluster = None,
    options: asking.Options = None,
) -> None:
    """Verify trees and keep their results in a store, all of a tree or nothing.

    The same tree twice changes nothing. A corrected tree takes the place of its submissions; what
    was there stays readable (--as-of, mlcheck diff). Exit code: 0 kept, 2 usage, 3 a bug in
    mlcheck (nothing is kept of that tree), 4 nothing to keep.
    """
    if whole and submitter:
        judging.leave("--whole and --submitter exclude each other", judging.USAGE)
    results = asking.opened(store, options)
    asked = _Asked(
        suite=suite,
        round=round_,
        submitter=submitter,
        repository=repository,
        commit=commit,
        collection=collection,
        whole=whole,
        again=again,
        jobs=jobs,
        executor=executor,
    )
    for path in paths:
        for line in _one(results, path, asked):
            typer.echo(line)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """The options, for every path the same."""

    suite: str | None
    round: str | None
    submitter: str | None
    repository: str | None
    commit: str | None
    collection: str
    whole: bool
    again: bool
    jobs: int | None
    executor: str | None


def _one(store: Store, path: str, asked: _Asked) -> list[str]:
    """Keep one tree; return what is said about it."""
    from mlcheck.fingerprint import fingerprint
    from mlcheck.output.summary import summarise
    from mlcheck.repository.ingest import ingest as keep
    from mlcheck.repository.ingest import known
    from mlcheck.repository.source import Source, source_of
    from mlcheck.tree import Tree

    if not os.path.isdir(path):
        judging.leave(f"{path} is not a folder", judging.USAGE)
    tree = Tree(os.path.abspath(path))
    digest = fingerprint(tree, asked.submitter)
    before = known(store, digest, asked.collection, asked.round)
    if before and not asked.again:
        return _unchanged(path, before)
    what = (asked.suite, asked.round, asked.submitter, asked.jobs)
    report = judging.judged(tree.root, *what, executor=asked.executor)
    if not report.results:
        judging.leave(f"nothing to keep: no results in {path}", judging.NOTHING)
    if summarise(report).internal_errors:
        judging.leave(f"a bug in mlcheck: nothing of {path} is kept; see mlcheck verify", 3)
    found = source_of(tree)
    made = keep(
        store,
        report,
        digest,
        Source(asked.repository or found.repository, asked.commit or found.commit),
        part=asked.submitter,
        collection=asked.collection,
        whole=asked.whole,
    )
    return _lines(path, made)


def _unchanged(path: str, before: Known) -> list[str]:
    from mlcheck.output.table import safe

    lines = [
        safe(path),
        f"  {before.suite} {before.round}, unchanged since ingest {before.ingest}",
    ]
    gone = before.submissions - before.current
    if gone:
        lines.append(f"  {gone} of its {before.submissions} submissions were replaced since;")
        lines.append("  --again puts them back")
    return lines


def _lines(path: str, made: Ingested) -> list[str]:
    from mlcheck.output.table import counted, safe

    results = counted(made.rows["results"], "result")
    lines = [
        safe(path),
        f"  {made.suite} {made.round}, {results} of "
        f"{counted(made.rows['submissions'], 'submission')}, ingest {made.ingest}",
        f"  accepted: {made.accepted:,} by the policy, "
        f"{made.official_accepted:,} by the official tool",
    ]
    for old, (submissions, rows) in made.replaced.items():
        lines.append(
            f"  takes the place of {counted(submissions, 'submission')} "
            f"({counted(rows, 'result')}) of ingest {old}"
        )
    if made.withdrawn:
        lines.append(f"  no longer there: {counted(len(made.withdrawn), 'result')}")
        lines += [f"    {safe(name)}" for name in _some(made.withdrawn)]
    if made.unknown_names:
        lines.append("  not in rules/names, kept as written:")
        lines += [f"    {safe(name)}" for name in _some(made.unknown_names)]
    return lines


def _some(names: tuple[str, ...]) -> list[str]:
    more = len(names) - _FEW
    return [*names[:_FEW], *([f"… and {more} more"] if more > 0 else [])]
