"""Rules about what logs hold: are they as the tables of their division and benchmark ask for?"""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Flaw, Rule, Scope
from mlcheck.suites.training.checks_log import flaw_of
from mlcheck.suites.training.compliance import MISSING, REPEATED, TABLE, TARGET, Breach
from mlcheck.suites.training.entry import Entry, Run
from mlcheck.suites.training.facts import Facts
from mlcheck.suites.training.predicate import About

TR_RUN = "training_rules.adoc#section-run-results"
TR_HYPER = "training_rules.adoc#hyperparameters"
TR_QUALITY = "training_rules.adoc#quality-measure"


def missing_key(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """A log holds every key that its division and benchmark ask for."""
    yield from _breaches(entry, {MISSING}, official=False)


def missing_key_official(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """In open, the official tool asks for keys of the closed division too."""
    yield from _breaches(entry, {MISSING}, official=True)


def repeated_key(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """A key that is logged once is not logged again with another value."""
    yield from _breaches(entry, {REPEATED}, official=False, same=False)


def repeated_key_official(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """In open, the official tool counts keys of the closed division too."""
    yield from _breaches(entry, {REPEATED}, official=True, same=False)


def key_said_twice(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """A key that is logged once is not logged again, not even with the same value."""
    yield from _breaches(entry, {REPEATED}, official=False, same=True)


def refused_value(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Hyperparameters and other values are those that the round allows."""
    yield from _breaches(entry, {About.VALUE}, official=False)


def refused_value_official(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """The official tool compares some computed values exactly, does not look at others, and in
    open holds values to the closed division's limits.
    """
    yield from _breaches(entry, {About.VALUE}, official=True)


def unlike_table(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Values are those that the policy prints, even where the official tool does not look.

    By the policy the official tool is right where both differ, so that a person has to look.
    """
    yield from _breaches(entry, {TABLE}, official=False)


def missing_metadata(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Lines carry the metadata that tells how much was trained, and how the run ended."""
    yield from _breaches(entry, {About.METADATA}, official=False)


def missing_metadata_official(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """In open, the official tool asks for the count of the closed division, or for epochs where
    closed counts samples.
    """
    yield from _breaches(entry, {About.METADATA}, official=True)


def out_of_order(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Initialisation comes first, then the run; before v0.7, epochs and evaluations are counted one
    by one, and each ends before the next begins.
    """
    yield from _breaches(entry, _ORDERED, official=False)


def out_of_order_official(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """The official tool counts epochs from 1, where the policy of the time has them from 0."""
    yield from _breaches(entry, _ORDERED, official=True)


def slow_initialisation(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Initialisation outside the clock takes no longer than the division allows."""
    yield from _breaches(entry, {About.LIMIT}, official=False)


def slow_initialisation_official(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """The official tool has other limits for GPT3 of v3.0, and none for Minigo before v0.7."""
    yield from _breaches(entry, {About.LIMIT}, official=True)


def off_schedule(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Evaluations stand where the table of the benchmark asks for them."""
    yield from _breaches(entry, {About.SCHEDULE}, official=False)


def off_schedule_official(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """In open, the official tool asks for the schedule of closed too."""
    yield from _breaches(entry, {About.SCHEDULE}, official=True)


def target_missed(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """An evaluation of every run meets the quality target."""
    yield from _breaches(entry, {TARGET}, official=False)


def target_missed_official(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """In open, the official tool asks for a range of the quality, mostly without meaning."""
    yield from _breaches(entry, {TARGET}, official=True)


_SAYS = {
    MISSING: "{key} is not logged as often as asked for",
    REPEATED: "{key} is logged more than once",
    TARGET: "no {key} meets the target",
    About.VALUE: "{key} has a value that is not allowed",
    TABLE: "{key} is not as the policy prints it",
    About.METADATA: "{key} lacks metadata",
    About.ORDER: "{key} is out of order",
    About.SEQUENCE: "{key} does not count on from the lines before",
    About.LIMIT: "{key} comes too late",
    About.SCHEDULE: "{key} is off the schedule",
}
_ORDERED = {About.ORDER.value, About.SEQUENCE.value}


def _breaches(
    entry: Entry, about: set[str], *, official: bool, same: bool | None = None
) -> Iterator[Flaw]:
    for run in entry.runs:
        if run.log.lines == 0:
            continue  # the log as a whole is reported
        for breach in run.breaches:
            counts = breach.official if official else breach.policy
            if breach.about in about and counts and same in (None, breach.same):
                yield _broken(entry, run, breach)


def _broken(entry: Entry, run: Run, breach: Breach) -> Flaw:
    message = _SAYS[breach.about].format(key=breach.key[:60])
    return flaw_of(entry, run, breach.line, message, breach.expected, breach.actual)


RULES = (
    Rule(
        id="TRN304",
        name="log-key-missing",
        scope=Scope.RESULT,
        why="Each key answers a question of the review, such as which batch size was used.",
        fix="Log the key; docs of the reference implementation show where.",
        policy=TR_HYPER,
        check=missing_key,
        official_check=missing_key_official,
    ),
    Rule(
        id="TRN305",
        name="log-key-contradicts-itself",
        scope=Scope.RESULT,
        why="With two values nobody can tell which one the run used.",
        fix="Log the key once, from one process.",
        policy=TR_HYPER,
        check=repeated_key,
        official_check=repeated_key_official,
    ),
    Rule(
        id="TRN306",
        name="log-key-said-twice",
        scope=Scope.RESULT,
        why="Several processes log the same: harmless, and the official tool warns.",
        fix="Log from one process.",
        policy=TR_HYPER,
        check=key_said_twice,
    ),
    Rule(
        id="TRN307",
        name="log-value-refused",
        scope=Scope.RESULT,
        why="In closed all hyperparameters are those of the reference or within stated limits.",
        fix="Train with a value that is allowed, or submit to open.",
        policy=TR_HYPER,
        check=refused_value,
        official_check=refused_value_official,
    ),
    Rule(
        id="TRN308",
        name="log-metadata-missing",
        scope=Scope.RESULT,
        why="Convergence is read from the metadata of evaluations, the end from that of run_stop.",
        fix="Pass the metadata to mllog.",
        policy=TR_QUALITY,
        check=missing_metadata,
        official_check=missing_metadata_official,
    ),
    Rule(
        id="TRN309",
        name="log-out-of-order",
        scope=Scope.RESULT,
        why="The order of the lines shows that no training took place before the clock started.",
        fix="Log init_start, init_stop, run_start and run_stop in this order.",
        policy=TR_RUN,
        check=out_of_order,
        official_check=out_of_order_official,
    ),
    Rule(
        id="TRN310",
        name="initialisation-too-long",
        scope=Scope.RESULT,
        why="What takes longer than the limit has to be inside the clock.",
        fix="Start the clock when the limit is reached.",
        policy=TR_RUN,
        check=slow_initialisation,
        official_check=slow_initialisation_official,
    ),
    Rule(
        id="TRN311",
        name="evaluation-misplaced",
        scope=Scope.RESULT,
        why="Evaluating earlier or later than the reference changes when the target is noticed.",
        fix="Evaluate at the samples that the benchmark prescribes.",
        policy=TR_QUALITY,
        check=off_schedule,
        official_check=off_schedule_official,
    ),
    Rule(
        id="TRN312",
        name="target-missed",
        scope=Scope.RESULT,
        why="A run is a run to the quality target.",
        fix="Train on until the target is met, or drop the run if only one is concerned.",
        policy=TR_QUALITY,
        check=target_missed,
        official_check=target_missed_official,
    ),
    Rule(
        id="TRN314",
        name="value-unlike-the-policy",
        scope=Scope.RESULT,
        why="Such a value is to be checked by hand: no tool does.",
        fix="Log the value that was used, as a number; explain it in the review.",
        policy=TR_HYPER,
        check=unlike_table,
        voids=False,
    ),
)
