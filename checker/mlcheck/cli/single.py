"""``mlcheck verify`` of a single log, a run, a scenario or a session of the app."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from mlcheck.cli import judging
from mlcheck.model import NotRun, Report
from mlcheck.tree import LARGEST_READ

if TYPE_CHECKING:
    from mlcheck.settings.resolve import Settings

STANDARD_INPUT = "-"
DIVISIONS = frozenset(("closed", "open", "network"))
# Names by which a run, or a folder with one, is known: of LoadGen, of the app, of training.
_SIGN = re.compile(
    r"mlperf_log_detail\.txt|(log_)?(performance|accuracy)|.+-(performance|accuracy)|results?\.json"
    r"|result_\d+\.txt"
)


def is_single(path: str) -> bool:
    """Tell whether a path is a log or holds one where a submission holds divisions."""
    if path == STANDARD_INPUT:
        return True
    if os.path.isdir(path):
        inside = os.listdir(path) if os.access(path, os.R_OK) else []
        return DIVISIONS.isdisjoint(inside) and any(map(_SIGN.fullmatch, inside))
    return os.path.isfile(path)


def judged_single(path: str, settings: Settings, benchmark: str | None) -> Report:
    """Judge a run by the rules that need no more than it, or leave."""
    from mlcheck.cli.gating import carried_out, planned
    from mlcheck.extra_rules import rules_of
    from mlcheck.gate.single import NoRunError, around, as_user_knows_it

    suite = settings["suite"]
    if suite is not None:
        judging.require_suite(suite)
    raw = _standard_input() if path == STANDARD_INPUT else None
    try:
        with around(path, raw, benchmark, suite) as single:
            plan = planned(single.root, settings)
            able = single.able
            more = tuple(
                NotRun(rule=rule.id, reason="need more than a run")
                for rule in rules_of(single.suite)
                if rule.id not in able
            )
            known = {one.rule for one in plan.not_run}
            not_run = (*plan.not_run, *(one for one in more if one.rule not in known))
            job = replace(plan.job, ignore=tuple(one.rule for one in not_run))
            report = carried_out(replace(plan, job=job, not_run=not_run), None)
            return as_user_knows_it(report, single, path)
    except NoRunError as err:
        judging.leave(str(err), judging.USAGE if os.path.isfile(path) else judging.NOTHING)


def _standard_input() -> bytes:
    raw = sys.stdin.buffer.read(LARGEST_READ + 1)
    if len(raw) > LARGEST_READ:
        judging.leave(f"standard input has more than {LARGEST_READ} bytes", judging.USAGE)
    return raw
