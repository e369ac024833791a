"""``mlcheck verify``."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mlcheck.cli import judging, receipts
from mlcheck.model import Report
from mlcheck.output.summary import Gate, summarise


class Format(StrEnum):
    """How a report is written."""

    TEXT = "text"
    JSON = "json"


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
    jobs: judging.Jobs = None,
    receipt: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what was judged, by what, and how.")
    ] = None,
    check_receipt: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Tell whether a receipt still holds.")
    ] = None,
    executor: judging.Cluster = None,
    no_cache: Annotated[  # noqa: FBT002
        bool, typer.Option("--no-cache", help="Judge everything anew; nothing is kept as yet.")
    ] = False,
) -> None:
    """Check a submission. Reads only: not a byte of the tree is changed.

    Exit code: 0 clean, 1 findings, 2 usage, 3 a bug in mlcheck, 4 nothing to check.
    """
    del no_cache
    if check_receipt:
        receipts.check(check_receipt, path, jobs, executor)
    files = [_output(text) for text in output or ()]
    for file in (*(file for _, file in files), *([receipt] if receipt else [])):
        judging.keep_out(path, file)
    rules = (tuple(select or ()), tuple(ignore or ()))

    def judge() -> Report:
        return judging.judged(path, suite, round_, submitter, jobs, *rules, executor)

    scope = (submitter, select or [], ignore or [])
    report = receipts.write(receipt, path, judge, scope) if receipt else judge()
    for kind, file in files:
        _write(file, "".join(f"{line}\n" for line in _lines(report, kind, verbose=True)))
    _print(report, format_, verbose=verbose)
    raise typer.Exit(summarise(report).exit_code(gate))


def _output(text: str) -> tuple[Format, Path]:
    kind, equals, file = text.partition("=")
    if kind not in list(Format) or not equals or not file:
        judging.leave(f"--output {text}: give FORMAT=FILE, FORMAT one of {', '.join(Format)}", 2)
    return Format(kind), Path(file)


def _lines(report: Report, kind: Format, *, verbose: bool) -> list[str]:
    if kind is Format.JSON:
        from mlcheck.output.json_report import json_report

        return [json_report(report)]
    from mlcheck.output.text import text_report

    return [line.text for line in text_report(report, verbose=verbose)]


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as err:
        judging.leave(f"cannot write {file}: {err.strerror}", judging.USAGE)


def _print(report: Report, kind: Format, *, verbose: bool) -> None:
    if kind is Format.JSON:
        sys.stdout.write(_lines(report, kind, verbose=verbose)[0] + "\n")
        return
    from mlcheck.output.terminal import print_lines
    from mlcheck.output.text import text_report

    print_lines(text_report(report, verbose=verbose))
