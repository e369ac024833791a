"""Rules about what folder, logs and description say of the same thing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from mlcheck.rules import Flaw, Rule, Scope
from mlcheck.suites.training.entry import Entry, Run
from mlcheck.suites.training.facts import Facts
from mlcheck.suites.training.predicate import number

TR_RCP = "training_rules.adoc#reference-convergence-points-rcps"
TR_HYPER = "training_rules.adoc#hyperparameters"
TR_DIVISIONS = "training_rules.adoc#divisions"
TR_SYSTEM = "training_rules.adoc#system-and-framework-must-be-consistent"
SR_LAYOUT = "submission_rules.adoc#training"
_NODES = re.compile(r"^(\d{1,6})x")


def another_benchmark(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """The logs name the benchmark that the folder is named after."""
    if entry.benchmark is None:
        return  # TRN201
    for run in entry.runs:
        if run.benchmark is not None and run.benchmark != entry.benchmark_raw:
            yield _differs(run, "submission_benchmark", "log names another benchmark",
                           entry.benchmark_raw, run.benchmark,
                           "put the log where it belongs")  # fmt: skip


def another_division(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """The logs name the division that the description of the system names."""
    for run in entry.runs:
        if run.division is not None and entry.division and run.division != entry.division:
            yield _differs(run, "submission_division", "log names another division",
                           entry.division, run.division,
                           "describe the system in the division it was run for")  # fmt: skip


def another_submitter(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """The logs name the submitter."""
    yield from _each_value(
        entry,
        "submission_org",
        "log names another submitter",
        lambda value: alike(value, entry.submitter),
        entry.submitter,
        "set the organisation before the run; readers take it for the submitter",
    )


def another_platform(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """All logs of a result name one platform."""
    usual = _usual(entry, "submission_platform")
    yield from _each_value(
        entry,
        "submission_platform",
        "logs name several platforms",
        lambda value: value == usual,
        repr(usual),
        "give runs of one system",
    )


def another_node_count(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """A platform that begins with a number of nodes, as 8xNAME does, has those described."""
    usual = _usual(entry, "submission_platform")
    found = _NODES.match(usual) if isinstance(usual, str) else None
    if found and entry.node_count is not None and int(found[1]) != entry.node_count:
        run = entry.runs[0]
        yield Flaw(
            path=run.path,
            line=_line(run, "submission_platform"),
            message="log and description do not agree on the number of nodes",
            expected=f"{entry.node_count} as described",
            actual=f"{usual!r}"[:60],
            hint="mend number_of_nodes, or give the logs of this system",
        )


def another_batch(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """All logs of a result have one global batch size, a positive number."""
    usual = _usual(entry, "global_batch_size")
    for run in entry.runs:
        value = run.value("global_batch_size")
        if value is None or run.log.lines == 0:
            continue  # TRN304, TRN301
        if not _positive(value):
            yield _differs(run, "global_batch_size", "batch size is not a positive number",
                           "a positive number", repr(value)[:40],
                           "log the number of samples of a step")  # fmt: skip
        elif value != usual:
            yield _differs(run, "global_batch_size", "logs have several batch sizes",
                           repr(usual)[:40], repr(value)[:40],
                           "give runs with one set of hyperparameters")  # fmt: skip


def another_hyperparameter(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """All runs of a result have one set of hyperparameters."""
    if not entry.runs:
        return
    first = _hyperparameters(entry.runs[0], facts)
    for run in entry.runs[1:]:
        for key, value in _hyperparameters(run, facts).items():
            if key in first and first[key] != value:
                yield _differs(run, key, f"{key} is not that of the first log",
                               repr(first[key])[:40], repr(value)[:40],
                               "give runs with one set of hyperparameters")  # fmt: skip


def _hyperparameters(run: Run, facts: Facts) -> dict[str, Any]:
    heads = tuple(facts.hyperparameters)
    return {event.key: event.value for event in run.log.events if event.key.startswith(heads)}


def _positive(value: Any) -> bool:
    known = number(value)
    return known is not None and known >= 1


def _usual(entry: Entry, key: str) -> Any:
    values = [value for run in entry.runs if (value := run.value(key)) is not None]
    counts = Counter(repr(value) for value in values)
    if not counts:
        return None
    most = counts.most_common(1)[0][0]
    return next(value for value in values if repr(value) == most)


def _each_value(
    entry: Entry, key: str, message: str, fits: Callable[[Any], bool], expected: str, hint: str
) -> Iterator[Flaw]:
    for run in entry.runs:
        value = run.value(key)
        if value is not None and not fits(value):
            yield _differs(run, key, message, expected, repr(value)[:60], hint)


def _differs(run: Run, key: str, message: str, expected: str, actual: str, hint: str) -> Flaw:
    return Flaw(
        path=run.path,
        line=_line(run, key),
        message=message,
        expected=expected,
        actual=actual,
        hint=hint,
    )


def _line(run: Run, key: str) -> int:
    event = run.log.first(key)
    return event.line if event else 0


def alike(name: Any, other: str) -> bool:
    """Tell whether two spellings mean one organisation: one may be longer than the other."""
    one, two = plain(name), plain(other)
    return bool(one) and (one in two or two in one)


def plain(name: Any) -> str:
    """Return a name without case, blanks and marks, in which spellings of one name differ."""
    return re.sub(r"[\W_]+", "", name).lower() if isinstance(name, str) else ""


RULES = (
    Rule(
        id="TRN501",
        name="log-of-another-benchmark",
        scope=Scope.RESULT,
        why="The official tool judges logs by the benchmark they name, and scores by the folder.",
        fix="Put logs into the folder of their benchmark.",
        policy=SR_LAYOUT,
        check=another_benchmark,
    ),
    Rule(
        id="TRN502",
        name="log-of-another-division",
        scope=Scope.RESULT,
        why="What a log has to meet depends on its division.",
        fix="Let description and logs name one division.",
        policy=TR_DIVISIONS,
        check=another_division,
    ),
    Rule(
        id="TRN503",
        name="log-of-another-submitter",
        scope=Scope.RESULT,
        why="Code of a partner often leaves the partner's name, or a placeholder, in the logs.",
        fix="Set the organisation of the logging package.",
        policy=SR_LAYOUT,
        check=another_submitter,
        voids=False,
    ),
    Rule(
        id="TRN504",
        name="batch-sizes-differ",
        scope=Scope.RESULT,
        why="Convergence is compared at one batch size; runs of several are no result.",
        fix="Give runs with one batch size, logged as a number.",
        policy=TR_RCP,
        check=another_batch,
    ),
    Rule(
        id="TRN507",
        name="hyperparameters-differ",
        scope=Scope.RESULT,
        why="Runs of several settings are several results, of which the best could be chosen.",
        fix="Give runs with one set of hyperparameters.",
        policy=TR_HYPER,
        check=another_hyperparameter,
        voids=False,
    ),
    Rule(
        id="TRN505",
        name="platforms-differ",
        scope=Scope.RESULT,
        why="All runs of a result are made on one system.",
        fix="Give runs of one system.",
        policy=TR_SYSTEM,
        check=another_platform,
        voids=False,
    ),
    Rule(
        id="TRN506",
        name="node-count-differs",
        scope=Scope.RESULT,
        why="Results are compared by their number of accelerators.",
        fix="Mend the description.",
        policy=TR_SYSTEM,
        check=another_node_count,
        voids=False,
    ),
)
