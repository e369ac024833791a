"""Tell a mobile submission and its round, or what part of one a folder is."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from mlcheck.loadgen import DetailLog, read_detail
from mlcheck.ruleset import glance, load, rounds
from mlcheck.suites.base import Found
from mlcheck.suites.mobile import layout
from mlcheck.suites.mobile.bare_paths import mend_paths
from mlcheck.suites.mobile.facts import NAME, Facts, facts_of, plain
from mlcheck.suites.mobile.result_file import read_result_file
from mlcheck.suites.mobile.values import member, text
from mlcheck.tree import Tree, join

SAMPLED_LOGS = 12
DATE = "test_datetime"
DIVISIONS = ("closed", "open")
RESULTS = "results"
RECORDS = frozenset(("result.json", "results.json"))
TASKS = frozenset(  # of whatever round, and what older apps have in their place
    ("imageclassification", "imageclassificationoffline", "imageclassificationv2",
     "imageclassificationofflinev2", "objectdetection", "imagesegmentation", "imagesegmentationv2",
     "naturallanguageprocessing", "superresolution", "mobilenetedgetpu", "mobilenetv4",
     "mobiledetssd", "deeplabv3", "mobilenetv2deeplabv3", "mosaic", "mobilebert", "edsr",
     "logperformance", "logaccuracy")
)  # fmt: skip
KIND = re.compile(r"-(?:performance|accuracy)$")


@functools.cache
def _facts(round_: str) -> Facts:
    return facts_of(load(NAME, round_))


def _newest() -> Facts:
    return _facts(rounds(NAME)[-1])


def holds_results(tree: Tree) -> bool:
    """Tell whether results lie where mobile keeps them, and are of the app or of its tasks.

    Inference has the same divisions, so all its trees come by here: names of folders alone are
    looked at, and no rules are read.
    """
    return any(
        _is_sign(tree, path)
        for division in DIVISIONS
        for submitter in layout.folders(tree, division)
        for path in _places(tree, join(division, submitter, RESULTS))
    )


def _places(tree: Tree, results: str) -> Iterator[str]:
    """Yield where the results of a system may lie: in a folder of its own, or in none."""
    yield results
    yield from (join(results, name) for name in layout.folders(tree, results))


def _is_sign(tree: Tree, path: str) -> bool:
    folder = tree.folder(path)
    if folder is None:
        return False
    return bool(RECORDS & set(folder.files)) or any(map(is_task, folder.folders))


def is_task(name: str) -> bool:
    """Tell whether a folder has the name of a task, of whatever kind of run."""
    return plain(KIND.sub("", name)) in TASKS


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
            until = glance(NAME, name)["logs_until"]
            if until is None or latest[: len(until)] <= until:
                return Found(NAME, name, "by the seeds and dates of its logs")
    fit = Counter({name: _known_tasks(tree, _facts(name)) for name in known})
    best = [name for name in known if fit[name] == max(fit.values())]
    versions = set(_versions(tree))
    built = [name for name in best if any(map(_facts(name).is_app_of_round, versions))]
    by = "that of the version of its app" if built else "the newest that knows its tasks"
    by += ", as no log has the seeds of a round"
    return Found(NAME, (built or best)[-1], by, sure=False)


def _versions(tree: Tree) -> Iterator[str]:
    """Yield the versions of the app that result files record."""
    facts = _newest()
    for place in islice(layout.system_places(tree, facts), SAMPLED_LOGS):
        for name in facts.layout["result_names"]:
            build = read_result_file(tree, join(place.path, name)).build
            yield text(member(build, "version")) or ""


def _seed(round_: str) -> int | None:
    seed: int | None = glance(NAME, round_)["seeds"]["qsl_rng_seed"]
    return seed


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
    here = tree.root.rstrip("/") or "/"
    above = "give the folder that holds closed/ or open/"
    if _is_sign(tree, ""):
        return f"{here} looks like one system of mobile: {above}"
    if any(_is_sign(tree, path) for path in _places(tree, RESULTS)):
        return f"{here} looks like the folder of one submitter of mobile: {above}"
    for name in layout.folders(tree, ""):
        if any(_is_sign(tree, path) for path in _places(tree, join(name, RESULTS))):
            return f"{here} looks like a division of mobile: give the folder above it"
    return None
