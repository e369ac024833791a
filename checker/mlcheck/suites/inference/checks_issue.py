"""The rule that samples of uneven size are issued equally often."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mlcheck.loadgen import DetailLog
from mlcheck.rules import Flaw, Judgement, Rule, Scope
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts

LOGGED = "effective_sample_concatenate_permutation"
SETTING = "sample_concatenate_permutation"
QUALITY_TIER = re.compile(r"-\d\d(\.\d)?$")  # such as -99.9


def unequal_issue(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Benchmarks with samples of uneven size issue each equally often
    (sample_concatenate_permutation). Where LoadGen did not log it yet, its configuration tells.
    """
    if entry.benchmark is None or not _concerns(entry, facts):
        return
    for log in entry.measured_logs():
        scenario = log.text("effective_scenario")
        if scenario not in entry.benchmark.equal_issue:
            continue
        if LOGGED in log.values or facts.equal_issue["logged"]:
            yield from _unequal(log)
        elif not _configured(entry, {scenario}):
            yield from _unconfigured(entry)


def _concerns(entry: Entry, facts: Facts) -> bool:
    return entry.division.closed_rules or bool(facts.equal_issue["in_open"])


def _unequal(log: DetailLog) -> Iterator[Flaw]:
    if log.get(LOGGED) is not True:
        yield Flaw(
            path=log.path,
            line=log.line(LOGGED),
            message="samples are not issued equally often",
            expected=f"{LOGGED} true",
            actual=log.raw(LOGGED) or "not logged",
            hint="take mlperf.conf of the round and run again",
        )


def unequal_issue_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool of some rounds looks for it in mlperf.conf and user.conf, not in the
    log.
    """
    if facts.official["equal_issue_by"] == "log":
        yield from unequal_issue(entry, facts)
        return
    asked = entry.benchmark is not None and entry.benchmark.official_equal_issue
    if asked and _concerns(entry, facts) and not _configured(entry, {entry.scenario_raw}):
        yield from _unconfigured(entry)


def _configured(entry: Entry, scenarios: set[str]) -> bool:
    """Tell whether a configuration asks for equal issue; a later file overrides a former one."""
    if entry.benchmark is None or entry.measurements is None:
        return False
    benchmark = QUALITY_TIER.sub("", entry.benchmark.name)  # configurations name no tier
    equal = False
    for settings in entry.measurements.settings:
        found = [
            setting.value
            for setting in settings
            if setting.key == SETTING
            and setting.benchmark in (benchmark, "*")
            and setting.scenario in (*scenarios, "*")
            and setting.value.isnumeric()
        ]
        equal = int(found[0]) == 1 if found else equal
    return equal


def _unconfigured(entry: Entry) -> Iterator[Flaw]:
    if entry.measurements:  # INF101
        yield Flaw(
            path=entry.measurements_path,
            message="no configuration file asks for equal issue",
            expected=f"{SETTING} = 1 in mlperf.conf or user.conf",
            hint="add mlperf.conf of the round, with which the run was made",
        )


RULES = (
    Rule(
        id="INF310",
        name="equal-issue",
        scope=Scope.RESULT,
        check=unequal_issue,
        official_check=unequal_issue_official,
        policy="inference_rules.adoc#constraints-for-the-closed-division",
        why="If samples differ in length, a lucky draw of short ones would look fast.",
        fix="Take mlperf.conf of the round and run again.",
    ),
)
