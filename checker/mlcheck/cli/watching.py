"""``mlcheck verify --watch``: look again and again, and judge what changed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import datetime

from mlcheck.cache.memory import ProcessMemory
from mlcheck.cli.gating import Plan, carried_out
from mlcheck.model import Finding, Report
from mlcheck.output.grouping import place, said
from mlcheck.output.printable import printable
from mlcheck.output.terminal import print_lines
from mlcheck.output.text import Line

SHORTEST_S = 0.1  # between two looks; the tree may be large, so a fifth of the time at most
SHARE = 5


def watch(plan: Plan, show: Callable[[Report, Report | None], None]) -> Report:
    """Show a report, and again whenever it is another, until the user interrupts.

    Changes are found by looking, as file systems of clusters tell nobody of them.

    Returns:
        The last report.
    """
    memory = ProcessMemory()
    last: Report | None = None
    try:
        while True:
            started = time.perf_counter()
            memory.begin()
            report = carried_out(plan, memory)
            if report != last:
                before, last = last, report  # first: an interruption while it is shown ends with it
                show(report, before)
            took = time.perf_counter() - started
            time.sleep(max(SHORTEST_S, (SHARE - 1) * took))
    except KeyboardInterrupt:
        if last is None:
            raise
        return last


def changes(report: Report, before: Report) -> Iterator[Line]:
    """Yield what is new and what is gone since the report before."""
    known = {finding.id for finding in before.findings}
    now = {finding.id for finding in report.findings}
    yield Line(f"-- {datetime.now().astimezone():%H:%M:%S}", "dim")
    for finding in before.findings:
        if finding.id not in now:
            yield Line(f"gone  {_line(finding)}", "pass")
    for finding in report.findings:
        if finding.id not in known:
            yield Line(f"new   {_line(finding)}", finding.severity)
            if finding.hint:
                yield Line(f"      -> {printable(finding.hint)}", "dim")


def _line(finding: Finding) -> str:
    return f"{finding.severity} {finding.rule} {place(finding)}: {said(finding)}"


def print_changes(report: Report, before: Report | None, text: tuple[Line, ...]) -> None:
    """Print the whole report the first time, and then what changed with the verdict."""
    lines = text if before is None else (*changes(report, before), *text[-2:])
    print_lines(lines)
