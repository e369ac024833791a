"""What lies here? Find suite and round of a tree, or say what it looks like instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from mlcheck.ruleset import load, rounds
from mlcheck.suites.inference.loadgen import read_detail, read_summary
from mlcheck.tree import Tree, join

DIVISIONS = ("closed", "network", "open")
SUMMARY = "mlperf_log_summary.txt"
SUMMARY_SEED = "qsl_rng_seed"
SAMPLED_LOGS = 12  # enough to see the round, even if the first log has wrong seeds


class NothingHereError(Exception):
    """The folder is not a submission; the message says what it looks like."""


@dataclass(frozen=True, slots=True)
class Found:
    """Suite and round of a tree, and how the round was told."""

    suite: str
    round: str
    by: str


def discover(tree: Tree, suite: str | None, round_: str | None) -> Found:
    """Return suite and round; what the caller already knows is believed.

    Raises:
        NothingHereError: the folder does not look like a submission of a known suite.
    """
    root = tree.folder("")
    if root is None or root.problem:
        raise NothingHereError(f"cannot list {tree.root}: {root.problem if root else 'no folder'}")
    if suite is None:
        if not any(name in root.folders for name in DIVISIONS):
            raise NothingHereError(_looks_like(tree))
        suite = "inference"
    if round_ is not None:
        return Found(suite, round_, "as asked for")
    return _round_by_seeds(tree, suite)


def _round_by_seeds(tree: Tree, suite: str) -> Found:
    """LoadGen's seeds are drawn anew for every round, so the logs tell which one it is."""
    seeds = Counter(_seed(tree, path) for path in islice(_run_logs(tree), SAMPLED_LOGS))
    known = rounds(suite)
    for seed, _ in seeds.most_common():
        for name in reversed(known):
            if seed == load(suite, name).document["seeds"]["qsl_rng_seed"]:
                return Found(suite, name, "by the seeds of its logs")
    return Found(suite, known[-1], "the newest known, as no log has the seeds of a round")


def _seed(tree: Tree, path: str) -> int | float | None:
    """Return the seed of a run; old logs hold it in the summary alone."""
    seed = read_detail(tree, path).number("effective_qsl_rng_seed")
    if seed is not None:
        return seed
    folder = path.rpartition("/")[0]
    _, text = read_summary(tree, join(folder, SUMMARY)).values.get(SUMMARY_SEED, (0, ""))
    return int(text) if text.isascii() and text.isdigit() else None


def _run_logs(tree: Tree) -> Iterator[str]:
    """Yield one performance log per system."""
    for division in DIVISIONS:
        for results in _below(tree, division, "results"):
            for system in _folders(tree, results):
                path = next(_logs(tree, join(results, system)), None)
                if path:
                    yield path


def _logs(tree: Tree, system: str) -> Iterator[str]:
    for benchmark in _folders(tree, system):
        for scenario in _folders(tree, join(system, benchmark)):
            run = tree.folder(join(system, benchmark, scenario, "performance/run_1"))
            if run and "mlperf_log_detail.txt" in run.files:
                yield join(run.path, "mlperf_log_detail.txt")


def _below(tree: Tree, path: str, name: str) -> Iterator[str]:
    for inside in _folders(tree, path):
        if name in _folders(tree, join(path, inside)):
            yield join(path, inside, name)


def _folders(tree: Tree, path: str) -> tuple[str, ...]:
    folder = tree.folder(path)
    return folder.folders if folder else ()


def _looks_like(tree: Tree) -> str:
    """Say what a folder without divisions looks like, and what to do."""
    root = tree.folder("")
    folders = set(root.folders) if root else set()
    files = set(root.files) if root else set()
    here = tree.root.rstrip("/") or "/"
    if {"results", "systems"} <= folders:
        return (
            f"{here} looks like the folder of one submitter: "
            "give the folder that holds closed/ or open/"
        )
    inside = sorted(n for n in folders if set(_folders(tree, n)) & set(DIVISIONS))
    if inside:
        return f"{here} holds submissions in folders of its own: try {here}/{inside[0]}"
    if any({"results", "systems"} <= set(_folders(tree, name)) for name in folders):
        if any(_holds_training_logs(tree, name) for name in folders):
            return f"{here} looks like an MLPerf Training round: that suite is not known yet"
        return f"{here} looks like a division: give the folder above it"
    if "mlperf_log_detail.txt" in files or {"performance", "accuracy"} & folders:
        return f"{here} looks like a single run: give the root of the submission"
    if not folders and not files:
        return f"{here} is empty"
    return (
        f"{here} does not look like a submission: expected folders "
        f"{', '.join(DIVISIONS)} with SUBMITTER/results/SYSTEM/BENCHMARK/SCENARIO"
    )


def _holds_training_logs(tree: Tree, submitter: str) -> bool:
    results = join(submitter, "results")
    for system in _folders(tree, results):
        for benchmark in _folders(tree, join(results, system)):
            folder = tree.folder(join(results, system, benchmark))
            if folder and any(name.startswith("result_") for name in folder.files):
                return True
    return False
