"""Which samples a test loads and in which order it issues them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from makers.inference.loadgen_random import shuffled
from makers.inference.plans import Plan
from makers.inference.round_facts import QSL_SEED, SAMPLE_SEED
from makers.inference.settings import Settings


def loaded_sets(settings: Settings) -> list[tuple[int, ...]]:
    """Return the sets of samples LoadGen loads one after the other in accuracy mode.

    A performance run loads the first of them. MultiStream repeats the start of a set at its end, so
    that its queries never reach beyond it.
    """
    size = settings.benchmark.loaded
    order = shuffled(settings.benchmark.dataset_size, QSL_SEED)
    sets = [order[at : at + size] for at in range(0, len(order), size)]
    if settings.scenario == "MultiStream":
        padding = settings.samples_per_query - 1
        return [samples + samples[:padding] for samples in sets]
    return sets


def issued_once(settings: Settings) -> Iterator[int]:
    """Yield the data set in the order an accuracy run issues it."""
    stride = settings.samples_per_query if settings.scenario == "MultiStream" else 1
    size = settings.benchmark.loaded
    order = shuffled(settings.benchmark.dataset_size, QSL_SEED)
    for at in range(0, len(order), size):
        loaded = order[at : at + size]
        if settings.scenario == "Offline":
            yield from loaded
            continue
        for query in shuffled(len(loaded) // stride, SAMPLE_SEED):
            yield from loaded[query * stride : (query + 1) * stride]


def audited(settings: Settings, rng: random.Random, run_samples: int) -> list[tuple[int, int]]:
    """Return sequence number and sample of the answers TEST01 keeps.

    LoadGen keeps an answer with a probability of target by expected samples; a run has more or
    fewer samples than expected.
    """
    expected = settings.target_qps * 600 * _per_query(settings.plan)
    share = settings.benchmark.audit_samples / max(expected, settings.samples_per_query)
    mean = run_samples * share
    count = round(mean + rng.uniform(-1.5, 1.5) * mean**0.5)
    numbers = sorted({int(rng.random() * run_samples) for _ in range(count)})
    pool = loaded_sets(settings)[0]
    return [(number, pool[int(rng.random() * len(pool))]) for number in numbers]


def _per_query(plan: Plan) -> int:
    return 8 if plan.loadgen_scenario == "MultiStream" else 1
