"""Tell a training submission and its round, or what part of one a folder is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice

from mlcheck.ruleset import glance, rounds
from mlcheck.suites.base import Found
from mlcheck.suites.training.facts import NAME, format_of
from mlcheck.suites.training.layout import folders
from mlcheck.suites.training.log_lines import Format
from mlcheck.suites.training.mllog import read_log
from mlcheck.tree import Tree, join

SAMPLED_LOGS = 6
RUN = ("run_start", "run_stop")
RESULTS, SYSTEMS, LOG = "results", "systems", "result_"


def holds_results(tree: Tree) -> bool:
    """Tell whether a folder of the root holds logs where training keeps them."""
    return any(True for _ in _result_folders(tree))


def round_of(tree: Tree) -> Found:
    """Tell the round: it writes logs like these, knows the benchmarks, and came after the logs."""
    names = Counter(path.rpartition("/")[2] for path in _result_folders(tree))
    form, latest = _form_and_day(tree)
    known: list[tuple[int, str, str | None]] = []  # benchmarks known, round, day of publication
    for name in reversed(rounds(NAME)):
        document = glance(NAME, name)
        if form != format_of(document):
            continue
        published = document["published"]
        if latest and published is not None and published < latest and known:
            break  # older rounds are older still
        fit = sum(count for each, count in names.items() if each in document["benchmarks"])
        known.append((fit, name, published))
    best = [each for each in known if each[0] == max(fit for fit, _, _ in known)]
    _, oldest, published = best[-1]
    if latest and published is not None and latest <= published:
        return Found(NAME, oldest, "by the benchmarks and dates of its logs")
    by = "the newest that knows its benchmarks, as dates do not tell"
    return Found(NAME, best[0][1], by, sure=len(best) == 1)


def _form_and_day(tree: Tree) -> tuple[Format, str]:
    """Return how the sampled logs are written, and the day of the latest; empty: none tells.

    Where logs of no form can be read, they are taken to be written as today.
    """
    paths = list(_sampled(tree))
    days = {form: [_day(tree, path, form) for path in paths] for form in forms()}
    best = max(days, key=lambda form: sum(day is not None for day in days[form]))
    return best, max((day for day in days[best] if day), default="")


def forms() -> tuple[Format, ...]:
    """Return the ways in which logs have been written, the latest first."""
    documents = (glance(NAME, name) for name in reversed(rounds(NAME)))
    return tuple(dict.fromkeys(map(format_of, documents)))


def _sampled(tree: Tree) -> Iterator[str]:
    for path in islice(_result_folders(tree), SAMPLED_LOGS):
        folder = tree.folder(path)
        logs = sorted(name for name in folder.files if name.startswith(LOG)) if folder else []
        if logs:
            yield join(path, logs[0])


def _day(tree: Tree, path: str, form: Format) -> str | None:
    """Return the day of a log; empty: its clock is not set; None: it has no run in this form."""
    log = read_log(tree, path, frozenset(RUN), form)
    event = log.events[-1] if log.events else None
    if event is None:
        return None
    try:
        return datetime.fromtimestamp(event.time_ms / 1000, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


def part_of_submission(tree: Tree) -> str | None:
    """Say what part of a submission a folder is, and what to verify instead."""
    here = tree.root.rstrip("/") or "/"
    root = tree.folder("")
    inside = set(folders(tree, ""))
    if root and any(n.startswith(LOG) and n.endswith(".txt") for n in root.files):
        return f"{here} looks like one result of training: give the folder that holds the submitter"
    if {RESULTS, SYSTEMS} <= inside and _logs_below(tree, RESULTS):
        return (
            f"{here} looks like the folder of one submitter of training: give the folder above it, "
            "with --submitter"
        )
    for name in sorted(inside):
        if any(_logs_below(tree, join(name, own, RESULTS)) for own in folders(tree, name)):
            return f"{here} holds submissions in folders of its own: try {here}/{name}"
    return None


def _logs_below(tree: Tree, results: str) -> bool:
    return any(True for _ in _results(tree, results))


def _result_folders(tree: Tree) -> Iterator[str]:
    for submitter in folders(tree, ""):
        yield from _results(tree, join(submitter, RESULTS))


def _results(tree: Tree, results: str) -> Iterator[str]:
    for system in folders(tree, results):
        for benchmark in folders(tree, join(results, system)):
            path = join(results, system, benchmark)
            folder = tree.folder(path)
            if folder and any(n.startswith(LOG) and n.endswith(".txt") for n in folder.files):
                yield path
