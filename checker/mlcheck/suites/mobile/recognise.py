"""Tell a mobile submission and its round, or what part of one a folder is."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from mlcheck.loadgen import DetailLog, read_detail
from mlcheck.ruleset import load, rounds
from mlcheck.suites.base import Found
from mlcheck.suites.mobile import layout
from mlcheck.suites.mobile.facts import NAME, Facts, facts_of, plain
from mlcheck.suites.mobile.parse import mend_paths
from mlcheck.tree import Tree, join

SAMPLED_LOGS = 12
DATE = "test_datetime"


@functools.cache
def _facts(round_: str) -> Facts:
    return facts_of(load(NAME, round_))


def _newest() -> Facts:
    return _facts(rounds(NAME)[-1])


def holds_results(tree: Tree) -> bool:
    """Tell whether results lie where mobile keeps them, and are of the app or of its tasks.

    Inference has the same divisions, so its trees come by here: names of folders alone are read.
    """
    facts = _newest()
    signs = {plain(word) for word in facts.layout["signs"]}
    names = set(facts.layout["result_names"])
    for place in layout.system_places(tree, facts):
        folder = tree.folder(place.path)
        if folder is None:
            continue
        if not place.own or names & set(folder.files):
            return True
        for word in folder.folders:
            kind, rest = layout.kind_of(word, facts)
            if kind or plain(rest) in signs:
                return True
    return False


def round_of(tree: Tree) -> Found:
    """Tell the round by LoadGen's seeds, which are constants of the app, and the tasks."""
    logs = list(islice(_logs(tree), SAMPLED_LOGS))
    seeds = Counter(log.number("effective_qsl_rng_seed") for log in logs)
    latest = max((log.text(DATE) or "" for log in logs), default="")
    known = rounds(NAME)
    for seed, _ in seeds.most_common():
        same = [name for name in known if seed is not None and _seed(name) == seed]
        if len(same) == 1:
            return Found(NAME, same[0], "by the seeds of its logs")
        for name in same:
            until = _facts(name).logs_until
            if until is None or latest[: len(until)] <= until:
                return Found(NAME, name, "by the seeds and dates of its logs")
    fit = Counter({name: _known_tasks(tree, _facts(name)) for name in known})
    best = [name for name in known if fit[name] == max(fit.values())]
    by = "the newest that knows its tasks, as no log has the seeds of a round"
    return Found(NAME, best[-1], by, sure=False)


def _seed(round_: str) -> int | None:
    return _facts(round_).seeds["qsl_rng_seed"]


def _logs(tree: Tree) -> Iterator[DetailLog]:
    facts = _newest()
    for place in layout.system_places(tree, facts):
        for run in layout.run_places(tree, place, facts):
            yield read_detail(tree, join(run.path, facts.files["detail"]), mend_paths)


def _known_tasks(tree: Tree, facts: Facts) -> int:
    return sum(
        facts.benchmark_of(run.task, None) is not None
        for place in layout.system_places(tree, facts)
        for run in layout.run_places(tree, place, facts)
    )


def part_of_submission(tree: Tree) -> str | None:
    """Say what part of a submission a folder is, and what to verify instead."""
    here, facts = tree.root.rstrip("/") or "/", _newest()
    root = tree.folder("")
    if root and layout.holds_logs(root, facts):
        return None  # inference says it of the same logs
    if root and layout.holds_runs_itself(tree, "", facts):
        return f"{here} looks like one system of mobile: give the folder that holds closed and open"
    for name in layout.folders(tree, ""):
        if set(layout.folders(tree, name)) & set(facts.divisions) and holds_results(
            Tree(join(here, name) if here == "/" else f"{here}/{name}")
        ):
            return f"{here} holds submissions in folders of its own: try {here}/{name}"
    return None
