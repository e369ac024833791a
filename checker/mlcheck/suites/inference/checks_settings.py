"""Rules about what LoadGen was and what it was told: revision, user.conf, audit settings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

from mlcheck.loadgen import DetailLog
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.entry import ComplianceRun, Entry
from mlcheck.suites.inference.facts import Facts

IR_LOADGEN = "inference_rules.adoc#loadgen-operation"
SR_TESTS = "submission_rules.adoc#compliance-testing"
NO_LOG = "the detail log is missing or unreadable (INF301, INF302)"
NO_CONF = "user.conf is missing (INF102)"


def unapproved_loadgen(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """LoadGen is of a release line from which revisions were approved for the round."""
    for log in _both(entry):
        version = log.text("loadgen_version")
        if version is None:
            yield Unjudged("the log does not state the version of LoadGen")
        elif not version.startswith(tuple(f"{line}." for line in facts.loadgen["lines"])) and (
            version.partition(" ")[0] not in facts.loadgen["lines"]
        ):
            yield Flaw(
                path=log.path,
                line=log.line("loadgen_version"),
                message="LoadGen is not of a release line approved for the round",
                expected=" or ".join(f"{line}.x" for line in facts.loadgen["lines"]),
                actual=version[:80],
                hint="build LoadGen from a tag of the round and run again",
            )


def altered_loadgen(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """LoadGen was built from a clean checkout: its git status is empty."""
    for log in _both(entry):
        key = "loadgen_git_status_message"
        status = log.text(key)
        if status is None or status == "NA":
            yield Unjudged("the log does not state whether LoadGen was altered")
        elif status.strip():
            yield Flaw(
                path=log.path,
                line=log.line(key),
                message="LoadGen was built from altered sources",
                expected="an empty git status",
                actual=status[:80],
                hint="build LoadGen from an unaltered tag and run again",
            )


def _both(entry: Entry) -> Iterator[DetailLog]:
    return (log for log in (entry.log, entry.accuracy_log) if log)


_SETTING = re.compile(r"^\s*([^.\s]+)\.([^.\s]+)\.(\w+)\s*=\s*(\S+)")


def _settings(entry: Entry) -> Iterator[tuple[int, str, str]]:
    """Yield line, key and value of the settings of user.conf that are for this result."""
    conf = entry.measurements.user_conf if entry.measurements else None
    names = {"*", entry.benchmark_raw, entry.benchmark.name if entry.benchmark else ""}
    names |= {re.sub(r"-99(\.9)?$", "", name) for name in names}
    logged = entry.log.text("effective_scenario") if entry.log else None
    for number, line in conf.numbered() if conf else ():
        found = _SETTING.match(line.partition("#")[0])
        if found and found[1] in names and found[2] in ("*", logged):
            yield number, found[3], found[4]


def forbidden_settings(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """user.conf does not set what the rules of the round set: seeds, audit and test settings."""
    conf = entry.measurements.user_conf if entry.measurements else None
    if conf is None:
        yield Unjudged(NO_CONF, skipped=True)
        return
    for number, key, value in _settings(entry):
        if key in facts.user_conf["forbidden"]:
            yield Flaw(
                path=conf.path,
                line=number,
                message=f"user.conf sets {key}",
                expected="the value of mlperf.conf",
                actual=value[:40],
                hint="remove the line and run again",
            )


def unused_settings(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """What user.conf sets for the result is what the log says was asked of LoadGen."""
    conf = entry.measurements.user_conf if entry.measurements else None
    if conf is None or entry.log is None:
        yield Unjudged(NO_CONF if conf is None else NO_LOG, skipped=True)
        return
    scenario = entry.log.text("effective_scenario") or ""
    last = {key: (number, value) for number, key, value in _settings(entry)}
    for key, (number, value) in last.items():
        where = facts.user_conf["logged"].get(key)
        logged_key = where.get(scenario) if isinstance(where, dict) else where
        if logged_key and entry.log.line(logged_key) and not _same(value, entry.log, logged_key):
            yield Flaw(
                path=conf.path,
                line=number,
                message=f"user.conf and log differ in {key}",
                expected=f"{entry.log.get(logged_key)!s:.40} ({logged_key})",
                actual=value[:40],
                hint="submit the user.conf that the run was made with",
            )


def _same(text: str, log: DetailLog, key: str) -> bool:
    logged = str(log.get(key))
    if {text.lower(), logged.lower()} in ({"1", "true"}, {"0", "false"}):
        return True
    try:
        one, other = Decimal(text), Decimal(logged)
    except InvalidOperation:
        return text == logged
    return abs(one - other) <= abs(one) * Decimal("1e-5")  # LoadGen logs six significant digits


def tests_without_audit(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """A compliance test was run with the settings of its audit.config."""
    for test in entry.compliance:
        log = test.run.detail if test.run else None
        if test.test.measured and log and log.problem is None and entry.benchmark:
            yield from _audit(test, log, facts.audit_settings(test.test, entry.benchmark.name))


def _audit(test: ComplianceRun, log: DetailLog, settings: dict[str, Any]) -> Iterator[Flaw]:
    wrong = {
        key: value for key, value in settings.items() if log.line(key) and log.get(key) != value
    }
    if wrong:
        yield Flaw(
            path=log.path,
            line=log.line(next(iter(wrong))),
            message=f"{test.test.name} was run without its audit.config",
            expected=", ".join(f"{key} {str(value).lower()}" for key, value in wrong.items()),
            actual=", ".join(log.raw(key)[:20] for key in wrong),
            hint="copy audit.config beside the harness and run the test again",
        )


RULES = (
    Rule(
        id="INF340",
        name="loadgen-revision",
        scope=Scope.RESULT,
        check=unapproved_loadgen,
        policy=IR_LOADGEN,
        why="LoadGen must be compiled from a tagged approved revision, so that all results are "
        "measured alike.",
        fix="Build LoadGen from a tag of the round and run again.",
    ),
    Rule(
        id="INF341",
        name="loadgen-altered",
        scope=Scope.RESULT,
        check=altered_loadgen,
        policy=IR_LOADGEN,
        why="An altered LoadGen can report anything.",
        fix="Build LoadGen from an unaltered tag and run again.",
    ),
    Rule(
        id="INF342",
        name="user-conf-forbidden",
        scope=Scope.RESULT,
        check=forbidden_settings,
        policy=IR_LOADGEN,
        why="Seeds and audit settings are the same for everybody; user.conf is for the rate and "
        "for longer runs.",
        fix="Remove the line and run again.",
    ),
    Rule(
        id="INF343",
        name="user-conf-differs",
        scope=Scope.RESULT,
        check=unused_settings,
        policy=IR_LOADGEN,
        why="Who repeats the run with this user.conf gets another run than the one submitted.",
        fix="Submit the user.conf that the run was made with.",
    ),
    Rule(
        id="CMP111",
        name="compliance-not-audited",
        scope=Scope.RESULT,
        check=tests_without_audit,
        policy=SR_TESTS,
        why="Without its audit.config a test is an ordinary run and shows nothing.",
        fix="Copy audit.config beside the harness and run the test again.",
    ),
)
