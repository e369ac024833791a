"""Tell an inference submission and its round, or what part of one a folder is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from mlcheck.loadgen import read_detail, read_summary
from mlcheck.ruleset import glance, rounds
from mlcheck.suites.base import Found
from mlcheck.suites.inference.facts_endpoints import endpoints_facts
from mlcheck.tree import Tree, join
from mlcheck.yaml_documents import read_yaml_document

NAME = "inference"
DIVISIONS = ("closed", "network", "open")
SAMPLED_LOGS = 12  # enough to see the round, even if the first log has wrong seeds
DETAIL = "mlperf_log_detail.txt"
SUMMARY = "mlperf_log_summary.txt"
SEED_DIGITS = 20  # of 2**64


def has_divisions(tree: Tree) -> bool:
    """Tell whether the root holds divisions."""
    return any(name in _folders(tree, "") for name in DIVISIONS)


def round_by_seeds(tree: Tree) -> Found:
    """LoadGen's seeds are drawn anew for every round, so the logs tell which one it is."""
    seeds = Counter(_seed(tree, path) for path in islice(_run_logs(tree), SAMPLED_LOGS))
    known = rounds(NAME)
    for seed, _ in seeds.most_common():
        for name in reversed(known):
            if seed == glance(NAME, name)["seeds"]["qsl_rng_seed"]:
                return Found(NAME, name, "by the seeds of its logs")
    for name in reversed(known):
        if _has_endpoints_of(tree, glance(NAME, name)):
            return Found(NAME, name, "by the seeds of its endpoints' settings")
    return Found(
        NAME, known[-1], "the newest known, as no log has the seeds of a round", sure=False
    )


def _seed(tree: Tree, path: str) -> int | float | None:
    """Return the seed of a run; the oldest logs hold it in the summary alone."""
    log, key = read_detail(tree, path), "effective_qsl_rng_seed"
    if key in log.values:
        return log.number(key)
    summary = read_summary(tree, join(path.rpartition("/")[0], SUMMARY))
    _, text = summary.values.get("qsl_rng_seed", (0, ""))
    return int(text) if text.isascii() and text.isdigit() and len(text) <= SEED_DIGITS else None


def _has_endpoints_of(tree: Tree, document: Mapping[str, Any]) -> bool:
    """Tell whether settings of an endpoint hold a seed of a round that takes such results."""
    rules = endpoints_facts(document)
    if rules is None:
        return False
    key = "effective_sample_index_rng_seed"
    seed, where = document["seeds"]["sample_index_rng_seed"], rules.fields[key].config
    settings = (
        read_yaml_document(tree, join(folder, name))
        for folder in _scenario_folders(tree)
        for name in rules.config_files
        if name in _files(tree, folder)
    )
    return any(
        found.at(names) == seed for found in islice(settings, SAMPLED_LOGS) for names in where
    )


def _scenario_folders(tree: Tree) -> Iterator[str]:
    for division in DIVISIONS:
        for submitter in _folders(tree, division):
            results = join(division, submitter, "results")
            for system in _folders(tree, results):
                for benchmark in _folders(tree, join(results, system)):
                    here = join(results, system, benchmark)
                    yield from (join(here, scenario) for scenario in _folders(tree, here))


def _files(tree: Tree, path: str) -> Mapping[str, int]:
    folder = tree.folder(path)
    return folder.files if folder else {}


def part_of_submission(tree: Tree) -> str | None:
    """Say what part of a submission a folder is, and what to verify instead."""
    here = tree.root.rstrip("/") or "/"
    folders = set(_folders(tree, ""))
    root = tree.folder("")
    if {"results", "systems"} <= folders and any(_scenarios(tree, "results")):
        return (
            f"{here} looks like the folder of one submitter: "
            "give the folder that holds closed/ or open/"
        )
    inside = sorted(n for n in folders if set(_folders(tree, n)) & set(DIVISIONS))
    if inside:
        return f"{here} holds submissions in folders of its own: try {here}/{inside[0]}"
    if any(_logs_of_submitter(tree, name) for name in folders):
        return f"{here} looks like a division: give the folder above it"
    if (root and DETAIL in root.files) or {"performance", "accuracy"} & folders:
        return f"{here} looks like a single run: give the root of the submission"
    return None


def _logs_of_submitter(tree: Tree, submitter: str) -> bool:
    results = join(submitter, "results")
    return any(next(_logs(tree, join(results, s)), None) for s in _folders(tree, results))


def _run_logs(tree: Tree) -> Iterator[str]:
    """Yield one performance log per system."""
    for division in DIVISIONS:
        for submitter in _folders(tree, division):
            results = join(division, submitter, "results")
            for system in _folders(tree, results):
                path = next(_logs(tree, join(results, system)), None)
                if path:
                    yield path


def _logs(tree: Tree, system: str) -> Iterator[str]:
    for benchmark in _folders(tree, system):
        for scenario in _folders(tree, join(system, benchmark)):
            run = tree.folder(join(system, benchmark, scenario, "performance/run_1"))
            if run and DETAIL in run.files:
                yield join(run.path, DETAIL)


def _folders(tree: Tree, path: str) -> tuple[str, ...]:
    folder = tree.folder(path)
    return folder.folders if folder else ()


def _scenarios(tree: Tree, results: str) -> Iterator[str]:
    """Yield the folders of scenarios below the results of a submitter."""
    for system in _folders(tree, results):
        for benchmark in _folders(tree, f"{results}/{system}"):
            yield from _folders(tree, f"{results}/{system}/{benchmark}")
