"""The LoadGen tests of a plan: performance, accuracy and compliance runs, each with its logs."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta

from makers.inference import load_runs, stream_runs
from makers.inference.detail_log import Pass, Start, detail_log
from makers.inference.plans import PLANS, Plan
from makers.inference.run_model import Planned, Run, period_ns
from makers.inference.samples import loaded_sets
from makers.inference.settings import ACCURACY, PERFORMANCE, Settings
from makers.inference.summary_log import summary_log

_TESTS = ("performance", "accuracy", "TEST01", "TEST04")  # in the order they ran
_SLOT = timedelta(minutes=24)  # longer than any of these tests


@dataclass(frozen=True, slots=True, kw_only=True)
class Logs:
    """What one test left behind."""

    settings: Settings
    run: Run | None  # None: an accuracy run, which is not timed
    detail: str
    summary: str


def run_test(plan: Plan, test: str) -> Logs:
    """Return the logs of one test of a plan.

    Args:
        plan: what ran.
        test: ``performance``, ``accuracy`` or the name of a compliance test.
    """
    mode = ACCURACY if test == "accuracy" else PERFORMANCE
    settings = Settings(plan=plan, mode=mode, audit=test if test.startswith("TEST") else "")
    rng = random.Random(f"{plan.place}/{test}")
    start = _start(plan, test, rng)
    run = _perform(settings, rng) if mode == PERFORMANCE else None
    passes = [_measured(settings, run, rng)] if run else _passes(settings, rng)
    results = run.results if run else {}
    return Logs(
        settings=settings,
        run=run,
        detail=detail_log(settings, start, passes=passes, results=results),
        summary=summary_log(settings, run),
    )


def _perform(settings: Settings, rng: random.Random) -> Run:
    match settings.scenario:
        case "SingleStream":
            return stream_runs.single_stream(settings, rng)
        case "MultiStream":
            return stream_runs.multi_stream(settings, rng)
        case "Offline":
            return load_runs.offline(settings, rng)
        case _ if settings.benchmark.counts_tokens:
            return load_runs.token_server(settings, rng)
        case _:
            return load_runs.server(settings, rng)


def _start(plan: Plan, test: str, rng: random.Random) -> Start:
    system = plan.system
    places = [other.place for other in PLANS if other.system is system]
    slot = places.index(plan.place) * len(_TESTS) + _TESTS.index(test)
    delay = timedelta(milliseconds=rng.uniform(0, 200_000))
    return Start(
        system=system,
        at=system.first_run + slot * _SLOT + delay,
        built=_built(system.first_run, system.name),
        pid=4000 + int(rng.random() * 60_000),
        step_ms=rng.uniform(0.006, 0.02),
    )


def _built(first_run: datetime, name: str) -> datetime:
    """Return when LoadGen was compiled: less than an hour before the first run."""
    return first_run - timedelta(microseconds=random.Random(name).uniform(6e8, 3e9))


def _measured(settings: Settings, run: Run, rng: random.Random) -> Pass:
    return Pass(
        loaded=loaded_sets(settings)[0],
        planned=run.planned,
        load_ms=rng.uniform(700, 2400),
        issued_ms=run.issued_ms,
        active_ms=run.active_ms,
    )


def _passes(settings: Settings, rng: random.Random) -> list[Pass]:
    """Return the passes of an accuracy run, which issues each sample once."""
    passes: list[Pass] = []
    for loaded in loaded_sets(settings):
        planned = _planned(settings, len(loaded), rng)
        samples = planned.queries * planned.samples_per_query
        duration_ms = samples * _ms_each(settings) * rng.uniform(1.01, 1.02)
        passes.append(
            Pass(
                loaded=loaded,
                planned=planned,
                load_ms=rng.uniform(700, 2400),
                issued_ms=duration_ms,
                active_ms=duration_ms,
            )
        )
    return passes


def _planned(settings: Settings, samples: int, rng: random.Random) -> Planned:
    if settings.scenario == "Offline":
        return Planned(queries=1, samples_per_query=samples, duration_ns=period_ns(settings))
    queries = samples // settings.samples_per_query
    duration_ns = queries * period_ns(settings)
    if settings.scenario == "Server":  # random intervals
        duration_ns = int(duration_ns * rng.uniform(0.99, 1.01))
    return Planned(
        queries=queries,
        samples_per_query=settings.samples_per_query,
        duration_ns=duration_ns,
    )


def _ms_each(settings: Settings) -> float:
    """Return how long a sample takes in an accuracy run."""
    match settings.scenario:
        case "SingleStream" | "MultiStream":
            return settings.plan.reached / settings.samples_per_query
        case "Offline":
            return 1000 / settings.plan.reached
        case _:
            return 1000 / settings.plan.target
