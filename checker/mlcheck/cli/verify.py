"""``mlcheck verify``."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mlcheck.cli import configuring, judging, receipts
from mlcheck.cli.gating import carried_out, planned
from mlcheck.cli.single import is_single, judged_single
from mlcheck.model import Report
from mlcheck.output.formats import Format, View, base_of, render
from mlcheck.output.summary import Gate, summarise
from mlcheck.settings.keys import Stage

if TYPE_CHECKING:
    from mlcheck.engine import Job
    from mlcheck.settings.resolve import Settings

ListOption = list[str] | None


def verify(
    path: judging.Root,
    suite: judging.Suite = None,
    round_: judging.Round = None,
    submitter: judging.Submitter = None,
    select: Annotated[
        ListOption,
        typer.Option(help="Run these rules only: ids or their beginnings, such as INF3,PWR."),
    ] = None,
    ignore: Annotated[ListOption, typer.Option(help="Do not run these rules.")] = None,
    tolerate: Annotated[
        ListOption, typer.Option(help="Run these rules, but let pass what they find.")
    ] = None,
    gate: Annotated[Gate | None, typer.Option(help="Whose word decides the exit code.")] = None,
    stage: Annotated[
        Stage | None, typer.Option(help="How far it is built; later rules are not run.")
    ] = None,
    partial: Annotated[
        bool | None,
        typer.Option("--partial/--no-partial", help="Do not ask for what is not there yet."),
    ] = None,
    waivers: Annotated[
        str | None, typer.Option(metavar="FILE", help="Findings that people let pass.")
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Findings that are known: only new ones fail."),
    ] = None,
    write_baseline: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what is found as a baseline.")
    ] = None,
    profile: configuring.Profile = None,
    config: configuring.Config = None,
    no_config: configuring.NoConfig = False,  # noqa: FBT002
    format_: Annotated[Format | None, typer.Option("--format", help="Format on stdout.")] = None,
    output: Annotated[
        ListOption, typer.Option(metavar="FORMAT=FILE", help="Write this format as well.")
    ] = None,
    verbose: Annotated[
        bool | None, typer.Option("--verbose/--no-verbose", "-v", help="Text: every finding.")
    ] = None,
    statistics: Annotated[
        bool | None, typer.Option("--statistics/--no-statistics", help="Text: a line per rule.")
    ] = None,
    max_findings: Annotated[
        int | None, typer.Option(min=0, help="Show so many, the gravest; JSON and JUnit have all.")
    ] = None,
    watch: Annotated[  # noqa: FBT002
        bool, typer.Option("--watch", help="Look again and again; show what changes.")
    ] = False,
    benchmark: Annotated[
        str | None, typer.Option(help="Of a single log or run folder, if its path does not tell.")
    ] = None,
    receipt: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what was judged, by what, and how.")
    ] = None,
    check_receipt: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Tell whether a receipt still holds.")
    ] = None,
    executor: judging.Cluster = None,
    jobs: judging.Jobs = None,
    cache: Annotated[
        bool | None,
        typer.Option("--cache/--no-cache", help="Take what did not change from the last run."),
    ] = None,
) -> None:
    """Check a submission. Reads only: not a byte of the tree is changed.

    PATH may also be a single log, the folder of a run, a scenario or an app's session, or - for a
    log on standard input: then the rules are run that need no more.

    Exit code: 0 clean, 1 findings, 2 usage, 3 a bug in mlcheck, 4 nothing to check.
    """
    given = {
        "suite": suite, "round": round_, "submitter": submitter, "select": _split(select),
        "ignore": _split(ignore), "tolerate": _split(tolerate), "gate": gate, "stage": stage,
        "partial": partial, "waivers": waivers, "baseline": baseline, "profile": profile,
        "format": format_, "output": output, "verbose": verbose, "statistics": statistics,
        "max-findings": max_findings, "jobs": jobs, "cache": cache,
    }  # fmt: skip

    def settled(**more: Any) -> Settings:
        return configuring.configured(path, config, given | more, no_config=no_config)

    if check_receipt:
        receipts.check(check_receipt, path, lambda what: _judged(path, settled(**what), executor))
    settings = settled()
    files = [_output(text) for text in settings["output"]]
    for file in (*(file for _, file in files), write_baseline, receipt):
        if file:
            judging.keep_out(path, file)
    view = view_of(path, settings)
    if watch:
        raise typer.Exit(_watched(path, settings, files, view))
    if benchmark or is_single(path):
        if receipt:
            judging.leave("a receipt is about a whole tree", judging.USAGE)
        report = judged_single(path, settings, benchmark)
    elif receipt:
        whose = settings["submitter"]
        report = receipts.write(receipt, path, whose, lambda: _judged(path, settings, executor))
    else:
        report = _judged(path, settings, executor)[1]
    write_outputs(report, files, view)
    if write_baseline:
        _write_baseline(report, write_baseline)
    show(report, Format(settings["format"]), view)
    raise typer.Exit(summarise(report).exit_code(view.gate))


def _judged(path: str, settings: Settings, executor: str | None) -> tuple[Job, Report]:
    """Judge a tree as settings want it; return what was run as well."""
    plan = planned(path, settings, executor)
    keeps = settings["cache"] and not executor
    return plan.job, carried_out(plan, judging.memory_of_user(plan.job) if keeps else None)


def _watched(path: str, settings: Settings, files: list[tuple[Format, Path]], view: View) -> int:
    """Watch a tree; return the exit code of its last report."""
    from mlcheck.cli.watching import print_changes, watch
    from mlcheck.output.text import text_report

    if settings["format"] != Format.TEXT:
        judging.leave("--watch prints text; --output writes other formats", judging.USAGE)

    def show_again(report: Report, before: Report | None) -> None:
        write_outputs(report, files, view)
        options: dict[str, Any] = {"verbose": view.verbose, "statistics": view.statistics}
        lines = text_report(report, gate=view.gate, most=view.most, **options)
        print_changes(report, before, lines)

    return summarise(watch(planned(path, settings), show_again)).exit_code(view.gate)


def view_of(path: str, settings: Settings) -> View:
    """Return how settings want a report to be looked at."""
    return View(
        gate=Gate(settings["gate"]),
        most=settings["max-findings"],
        verbose=settings["verbose"],
        statistics=settings["statistics"],
        base=base_of(path, os.environ.get("GITHUB_WORKSPACE") or "."),
    )


def _split(options: ListOption) -> list[str] | None:
    """Return the ids of options that may hold several with commas between; None: not given."""
    if options is None:
        return None
    return [part.strip().upper() for text in options for part in text.split(",")]


def _output(text: str) -> tuple[Format, Path]:
    kind, equals, file = text.partition("=")
    if kind not in list(Format) or not equals or not file:
        judging.leave(f"--output {text}: give FORMAT=FILE, FORMAT one of {', '.join(Format)}", 2)
    return Format(kind), Path(file)


def write_outputs(report: Report, files: list[tuple[Format, Path]], view: View) -> None:
    """Write a report into files, or leave and say which cannot be written."""
    whole = replace(view, verbose=True)
    for kind, file in files:
        _write(file, render(report, kind, whole))


def _write_baseline(report: Report, file: Path) -> None:
    from mlcheck.gate.baseline import baseline_of

    _write(file, baseline_of(report))


def _write(file: Path, text: str) -> None:
    from mlcheck.output.write import write_whole

    try:
        write_whole(file, text)
    except OSError as err:
        judging.leave(f"cannot write {file}: {err.strerror}", judging.USAGE)


def show(report: Report, kind: Format, view: View) -> None:
    """Print a report on standard output."""
    if kind is not Format.TEXT:
        sys.stdout.write(render(report, kind, view))
        return
    from mlcheck.output.terminal import print_lines
    from mlcheck.output.text import text_report

    options: dict[str, Any] = {"verbose": view.verbose, "statistics": view.statistics}
    print_lines(text_report(report, gate=view.gate, most=view.most, **options))
