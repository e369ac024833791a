"""The log of an invented run, line by line."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

MARKER = ":::MLLOG "
FIRST_RUN_MS = 1_756_000_000_000  # a day in August 2025
DAY_MS = 86_400_000
SOURCE = "/workspace/train.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A benchmark as it is trained here.

    Attributes:
        division: closed or open.
        unit: the metadata that counts progress. ``step``: from one evaluation to the next.
        first: progress at the first evaluation. ``converges_at``: of each run.
        ms_per_step: time from one evaluation to the next.
        goal: quality at the end; ``begin``: at the first evaluation.
        settings: what else is logged before the run.
    """

    name: str
    division: str
    unit: str
    step: float
    first: float
    converges_at: tuple[float, ...]
    ms_per_step: int
    begin: float
    goal: float
    settings: Mapping[str, Any]


class _Clock:
    def __init__(self, start_ms: int) -> None:
        self.now = start_ms

    def after(self, ms: int) -> int:
        self.now += ms
        return self.now


def log_of(task: Task, run: int, *, submitter: str, platform: str, nodes: int, number: int) -> str:
    """Return the log of one run. ``number`` sets apart the results of a tree."""
    dice = random.Random(f"{submitter}/{platform}/{task.name}/{run}")
    clock = _Clock(FIRST_RUN_MS + number * DAY_MS + run * DAY_MS // 12)
    lines = [
        "starting training",
        *_lines(task, clock, dice, submitter, f"{nodes}x{platform}"),
        "done",
    ]
    return "".join(f"{line}\n" for line in lines)


def _lines(
    task: Task, clock: _Clock, dice: random.Random, submitter: str, platform: str
) -> Iterator[str]:
    yield _line(clock.after(1), "cache_clear", value=True)
    yield _line(clock.after(1), "init_start", kind="INTERVAL_START")
    yield _line(clock.after(5), "submission_benchmark", value=task.name)
    yield _line(clock.now, "submission_org", value=submitter)
    yield _line(clock.now, "submission_division", value=task.division)
    yield _line(clock.now, "submission_status", value="onprem")
    yield _line(clock.now, "submission_platform", value=platform)
    yield _line(clock.after(2), "seed", value=dice.randrange(1, 2**31))
    for key, value in task.settings.items():
        yield _line(clock.after(1), key, value=value)
    yield _line(clock.after(240_000), "init_stop", kind="INTERVAL_END")
    yield _line(clock.after(1), "run_start", kind="INTERVAL_START")
    yield from _run(task, clock, dice)


def _run(task: Task, clock: _Clock, dice: random.Random) -> Iterator[str]:
    goal = task.converges_at[dice.randrange(len(task.converges_at))]
    at, before = task.first, 0.0
    while True:
        yield _line(clock.after(1), "block_start", kind="INTERVAL_START", **_block(task, before))
        yield _line(clock.after(_spread(task, dice)), "block_stop", kind="INTERVAL_END",
                    **_block(task, at))  # fmt: skip
        here: dict[str, Any] = {task.unit: at}
        yield _line(clock.after(1), "eval_start", kind="INTERVAL_START", **here)
        share = min(1.0, at / goal)
        quality = round(task.begin + share * (task.goal - task.begin), 6)
        yield _line(clock.after(900), "eval_accuracy", value=quality, **here)
        yield _line(clock.after(1), "eval_stop", kind="INTERVAL_END", **here)
        if at >= goal:
            break
        before, at = at, round(at + task.step, 6)
    yield _line(clock.after(1), "run_stop", kind="INTERVAL_END", status="success")


def _block(task: Task, at: float) -> dict[str, Any]:
    if task.unit == "samples_count":
        return {"samples_count": at}
    return {"first_epoch_num": max(1, int(at)), "epoch_count": 1}


def _spread(task: Task, dice: random.Random) -> int:
    return int(task.ms_per_step * dice.uniform(0.98, 1.02))


def _line(
    time_ms: int, key: str, *, value: Any = None, kind: str = "POINT_IN_TIME", **metadata: Any
) -> str:
    document = {
        "namespace": "",
        "time_ms": time_ms,
        "event_type": kind,
        "key": key,
        "value": value,
        "metadata": {"file": SOURCE, "lineno": 1 + len(key), **metadata},
    }
    return MARKER + json.dumps(document)
