"""Rules about LoadGen itself: its seeds, its release, its sources."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.loadgen import DetailLog
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.mobile.checks_loadgen import MR_LOADGEN, MR_SEEDS
from mlcheck.suites.mobile.entry import Entry
from mlcheck.suites.mobile.facts import Facts
from mlcheck.suites.mobile.values import shown


def other_seeds(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Logs have the three seeds of the round."""
    for log in entry.logs():
        for name, seed in facts.seeds.items():
            key = f"effective_{name}"
            if seed is None:
                yield Unjudged(f"{name} of {facts.round} is not known")
            elif log.get(key) != seed:
                yield Flaw(
                    path=log.path,
                    line=log.line(key),
                    message=f"{name} is not that of the round",
                    expected=str(seed),
                    actual=log.raw(key)[:40] or "none",
                    hint="build the app of the round anew",
                )


def another_loadgen(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """LoadGen is of the release and revision that the app of the round is built with."""
    versions = tuple(facts.loadgen["versions"])
    for log in entry.logs():
        version, _, revision = (log.text("loadgen_version") or "").partition(" @ ")
        revisions = tuple(facts.loadgen["revisions"])
        if not versions:
            yield Unjudged(f"LoadGen of {facts.round} is not known")
        elif version not in versions:
            yield _loadgen(log, "another release of LoadGen", " or ".join(versions))
        elif not revisions:
            yield Unjudged(f"the app of {facts.round} records no revision of LoadGen")
        elif not revision.startswith(revisions):
            yield _loadgen(log, "another revision of LoadGen", " or ".join(revisions))


def _loadgen(log: DetailLog, what: str, expected: str) -> Flaw:
    key = "loadgen_version"
    return Flaw(
        path=log.path,
        line=log.line(key),
        message=f"run used {what}",
        expected=expected,
        actual=log.raw(key)[:80] or "none",
        hint="build the app from its repository, with the LoadGen that it names",
    )


def altered_loadgen(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """LoadGen is built from unaltered sources."""
    key = "loadgen_git_status_message"
    for log in entry.logs():
        status = log.text(key)
        if status is not None and status.strip() not in facts.loadgen["clean"]:
            yield Flaw(
                path=log.path,
                line=log.line(key),
                message="LoadGen was built from altered sources",
                expected="no changes",
                actual=shown(status),
                hint="build it from a clean checkout",
            )


RULES = (
    Rule(
        id="MOB318",
        name="mobile-seeds",
        scope=Scope.RESULT,
        why="With seeds of one's own the order of samples could be chosen.",
        fix="Build the app of the round.",
        policy=MR_SEEDS,
        check=other_seeds,
    ),
    Rule(
        id="MOB319",
        name="mobile-loadgen-version",
        scope=Scope.RESULT,
        why="LoadGen is to be a tagged, approved revision.",
        fix="Build the app with the LoadGen that it names.",
        policy=MR_LOADGEN,
        check=another_loadgen,
        voids=False,
    ),
    Rule(
        id="MOB320",
        name="mobile-loadgen-altered",
        scope=Scope.RESULT,
        why="LoadGen is to be built without alteration.",
        fix="Build it from a clean checkout.",
        policy=MR_LOADGEN,
        check=altered_loadgen,
    ),
)
