"""``mlcheck prepare``."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlcheck.cli import judging

if TYPE_CHECKING:
    from mlcheck.engine import Job
    from mlcheck.prepare.plan import Plan
    from mlcheck.tree import Tree


def prepare(
    path: judging.Root,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder to write; without it, only what would be done."),
    ] = None,
    suite: judging.Suite = None,
    round_: judging.Round = None,
    submitter: judging.Submitter = None,
    infer: Annotated[  # noqa: FBT002
        bool, typer.Option("--infer/--no-infer", help="Infer results where the round allows it.")
    ] = True,
) -> None:
    """Do what needs nobody's judgement, in a copy: truncate, infer, rename, leave out.

    The tree itself is never changed. Without --out nothing is written. With it, FOLDER and
    FOLDER.manifest.json are, and the copy is verified: its verdict is the exit code.
    """
    from mlcheck.output.printable import printable
    from mlcheck.prepare.prepared import plan_of
    from mlcheck.tree import Tree

    if out is not None:
        judging.keep_out(path, out)
    job = judging.job_of(path, suite, round_, submitter)
    tree = Tree(path)
    plan = plan_of(tree, job, infer=infer)
    for step in plan.steps:
        origin = f" <- {step.origin}" if step.origin else ""
        typer.echo(printable(f"{step.kind:<9}{step.path}{origin}: {step.why}"))
    for text in plan.left:
        typer.echo(printable(f"left     {text}"))
    counts = ", ".join(
        f"{kind} {number}" for kind, number in Counter(step.kind for step in plan.steps).items()
    )
    typer.echo(f"{counts or 'nothing to do'}; {len(plan.files):,} files")
    if out is None:
        typer.echo("nothing is written without --out FOLDER")
        return
    raise typer.Exit(_write(tree, plan, job, out))


def _write(tree: Tree, plan: Plan, job: Job, out: Path) -> int:
    """Write and verify the copy; return the exit code."""
    from mlcheck.output.summary import Gate, summarise
    from mlcheck.output.terminal import print_lines
    from mlcheck.output.text import text_report
    from mlcheck.output.write import write_whole
    from mlcheck.prepare.carry_out import PrepareError, carry_out, manifest
    from mlcheck.ruleset import load

    beside = out.with_name(f"{out.name}.manifest.json")
    try:
        written = carry_out(tree, plan, str(out))
        write_whole(beside, manifest(plan, written, load(job.suite, job.round).ref))
    except PrepareError as err:
        judging.leave(str(err), judging.USAGE)
    except OSError as err:
        judging.leave(f"cannot write {out}: {err.filename or ''} {err.strerror}", judging.USAGE)
    typer.echo(f"written: {out} and {beside}")
    report = judging.verified(replace(job, root=str(out)), None)
    print_lines(text_report(report))
    return summarise(report).exit_code(Gate.POLICY)
