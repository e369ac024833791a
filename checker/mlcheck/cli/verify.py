"""``mlcheck verify``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from mlcheck.cli import judging
from mlcheck.model import Report
from mlcheck.output.formats import Format, View, base_of, render
from mlcheck.output.summary import Gate, summarise


def verify(
    path: judging.Root,
    suite: judging.Suite = None,
    round_: judging.Round = None,
    submitter: judging.Submitter = None,
    select: Annotated[
        list[str] | None,
        typer.Option(help="Run these rules only: ids or their beginnings, such as INF3,PWR."),
    ] = None,
    ignore: Annotated[list[str] | None, typer.Option(help="Do not run these rules.")] = None,
    gate: Annotated[Gate, typer.Option(help="Whose word decides the exit code.")] = Gate.POLICY,
    format_: Annotated[Format, typer.Option("--format", help="Format on stdout.")] = Format.TEXT,
    output: Annotated[
        list[str] | None, typer.Option(metavar="FORMAT=FILE", help="Write this format as well.")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Every finding.")] = False,  # noqa: FBT002
    statistics: Annotated[bool, typer.Option(help="Text: a line per rule.")] = False,  # noqa: FBT002
    max_findings: Annotated[
        int | None, typer.Option(min=0, help="Show so many, the gravest; JSON and JUnit have all.")
    ] = None,
    jobs: judging.Jobs = None,
    no_cache: Annotated[  # noqa: FBT002
        bool, typer.Option("--no-cache", help="Judge everything anew; nothing is kept as yet.")
    ] = False,
) -> None:
    """Check a submission. Reads only: not a byte of the tree is changed.

    Exit code: 0 clean, 1 findings, 2 usage, 3 a bug in mlcheck, 4 nothing to check.
    """
    del no_cache
    files = [_output(text) for text in output or ()]
    for _, file in files:
        judging.keep_out(path, file)
    rules = (tuple(select or ()), tuple(ignore or ()))
    report = judging.judged(path, suite, round_, submitter, jobs, *rules)
    view = View(
        gate=gate,
        most=max_findings,
        verbose=verbose,
        statistics=statistics,
        base=base_of(path, os.environ.get("GITHUB_WORKSPACE") or "."),
    )
    write_outputs(report, files, view)
    show(report, format_, view)
    raise typer.Exit(summarise(report).exit_code(gate))


def _output(text: str) -> tuple[Format, Path]:
    kind, equals, file = text.partition("=")
    if kind not in list(Format) or not equals or not file:
        judging.leave(f"--output {text}: give FORMAT=FILE, FORMAT one of {', '.join(Format)}", 2)
    return Format(kind), Path(file)


def write_outputs(report: Report, files: list[tuple[Format, Path]], view: View) -> None:
    """Write a report into files, or leave and say which cannot be written."""
    from dataclasses import replace

    from mlcheck.output.write import write_whole

    whole = replace(view, verbose=True)
    for kind, file in files:
        try:
            write_whole(file, render(report, kind, whole))
        except OSError as err:
            judging.leave(f"cannot write {file}: {err.strerror}", judging.USAGE)


def show(report: Report, kind: Format, view: View) -> None:
    """Print a report on standard output."""
    if kind is not Format.TEXT:
        sys.stdout.write(render(report, kind, view))
        return
    from mlcheck.output.terminal import print_lines
    from mlcheck.output.text import text_report

    print_lines(
        text_report(
            report,
            verbose=view.verbose,
            statistics=view.statistics,
            gate=view.gate,
            most=view.most,
        )
    )
