"""Rules about random seeds, and about runs that are no runs of their own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator
from typing import Any

from mlcheck.rules import Flaw, Judgement, Rule, Scope
from mlcheck.suites.training.entry import Entry, Run
from mlcheck.suites.training.facts import Facts
from mlcheck.suites.training.log_lines import Event, Kind

TR_SEEDS = "training_rules.adoc#random-numbers"
TR_SCORING = "training_rules.adoc#scoring"


def _seeded(entry: Entry, facts: Facts) -> bool:
    return entry.division in facts.seeds_in


def _official(entry: Entry, facts: Facts) -> bool:
    """The official tool compares the division as it is written, and skips what it does not know."""
    return entry.described in facts.seeds_in and entry.benchmark is not None


def missing_seed(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """In closed, every log holds its seed."""
    for run in entry.runs if _seeded(entry, facts) else ():
        if run.log.lines and run.log.first("seed") is None:
            yield Flaw(
                path=run.path,
                message="no seed is logged",
                expected="at least one line of seed",
                actual="none",
                hint="log the seed with mllog",
            )


def unusable_seed(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """A seed is an integer."""
    for run in entry.runs if _seeded(entry, facts) else ():
        for event in run.log.all("seed"):
            if not isinstance(event.value, int) or isinstance(event.value, bool):
                yield _not_whole(run, event)


def unusable_seed_official(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The official tool takes what Python's int() takes, such as 3.7 and "12"."""
    for run in entry.runs if _official(entry, facts) else ():
        for event in run.log.all("seed"):
            if as_int(event.value) is None:
                yield _not_whole(run, event)


def _not_whole(run: Run, event: Event) -> Flaw:
    return Flaw(
        path=run.path,
        line=event.line,
        message="seed is not an integer",
        expected="an integer",
        actual=repr(event.value)[:40],
        hint="log the seed as a JSON number",
    )


def as_int(value: Any) -> int | None:
    """Return what Python's int() makes of a value; None: it refuses."""
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        return None


def reused_seed(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """No two runs of a result have the same set of seeds, wherever they were logged."""
    if not _seeded(entry, facts):
        return
    by_seeds: dict[tuple[int, ...], Run] = {}
    for run in entry.runs:
        seeds = tuple(
            sorted({n for e in run.log.all("seed") if (n := as_int(e.value)) is not None})
        )
        if not seeds:
            continue  # TRN601
        first = by_seeds.setdefault(seeds, run)
        if first is not run:
            event = run.log.first("seed")
            yield _reused(run, event.line if event else 0, seeds[0], first)


def reused_seed_official(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The official tool compares value, file and line: the same seed from another line passes,
    and two equal lines in one log are refused.
    """
    if not _official(entry, facts):
        return
    seen: dict[Hashable, Run] = {}
    for run in entry.runs:
        for event in run.log.all("seed"):
            metadata, value = event.metadata or {}, as_int(event.value)
            place = (repr(metadata.get("file")), repr(metadata.get("lineno")), value)
            if value is None:
                continue  # TRN602
            if place in seen:
                yield _reused(run, event.line, value, seen[place])
            seen.setdefault(place, run)


def _reused(run: Run, line: int, seed: int, first: Run) -> Flaw:
    other = "the same log" if first is run else first.path.rpartition("/")[2]
    return Flaw(
        path=run.path,
        line=line,
        message=f"seed is that of {other}",
        expected="a seed of its own",
        actual=str(seed)[:40],
        hint="repeat the run with a new seed",
    )


def unreadable_seed(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The official tool reads no seed from a log with a torn line, and so refuses the whole
    result, although it accepts one log that does not comply.
    """
    for run in entry.runs if _official(entry, facts) else ():
        torn = [problem for problem in run.log.problems if problem.kind is Kind.TORN]
        if torn:
            yield Flaw(
                path=run.path,
                line=torn[0].line,
                message="the official tool reads no seed from a torn log",
                expected="JSON in every line of the format",
                actual=torn[0].message,
                hint="repeat the run, and let one process write the log",
            )


def several_seeds(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """A run has one seed."""
    for run in entry.runs if _seeded(entry, facts) else ():
        values = {repr(event.value) for event in run.log.all("seed")}
        if len(values) > 1:
            lines = list(run.log.all("seed"))
            yield Flaw(
                path=run.path,
                line=lines[1].line,
                message="several seeds are logged",
                expected="one",
                actual=f"{len(values)}",
                hint="derive what else is needed from one seed",
            )


def copied_log(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """No log is a copy of another one, save for its seed."""
    by_print: dict[str, list[Run]] = defaultdict(list)
    for run in entry.runs:
        if run.log.fingerprint:
            by_print[run.log.fingerprint].append(run)
    for first, *copies in by_print.values():
        for copy in copies:
            yield Flaw(
                path=copy.path,
                message=f"log has the times and values of {first.path.rpartition('/')[2]}",
                expected="a run of its own",
                actual="a copy",
                hint="give the logs of as many runs as the benchmark asks for",
            )


RULES = (
    Rule(
        id="TRN601",
        name="seed-missing",
        scope=Scope.RESULT,
        why="Without seeds nobody can tell whether runs are independent of each other.",
        fix="Log the seed with mllog.",
        policy=TR_SEEDS,
        check=missing_seed,
    ),
    Rule(
        id="TRN602",
        name="seed-not-an-integer",
        scope=Scope.RESULT,
        why="A seed that is rounded or written as text cannot be compared.",
        fix="Log the seed as a JSON integer.",
        policy=TR_SEEDS,
        check=unusable_seed,
        official_check=unusable_seed_official,
    ),
    Rule(
        id="TRN603",
        name="seed-reused",
        scope=Scope.RESULT,
        why="With one seed twice the better of two convergences could be chosen.",
        fix="Repeat the run with a seed from the clock or from the system.",
        policy=TR_SEEDS,
        check=reused_seed,
        official_check=reused_seed_official,
    ),
    Rule(
        id="TRN604",
        name="seeds-several",
        scope=Scope.RESULT,
        why="Several seeds in a run should not be necessary.",
        fix="Derive what else is needed from one seed.",
        policy=TR_SEEDS,
        check=several_seeds,
        voids=False,
    ),
    Rule(
        id="TRN605",
        name="seed-unreadable",
        scope=Scope.RESULT,
        why="By the policy a torn log is a run that failed; of those one is dropped.",
        fix="Repeat the run.",
        policy=TR_SEEDS,
        check=unreadable_seed,
    ),
    Rule(
        id="TRN606",
        name="log-copied",
        scope=Scope.RESULT,
        why="A copy with another seed is not a run.",
        fix="Give logs of as many runs as the benchmark asks for.",
        policy=TR_SCORING,
        check=copied_log,
    ),
)
