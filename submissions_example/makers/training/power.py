"""The logs of meters of an invented run: one per node, and one per switch."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from typing import Any

from makers.training.logs import MARKER

SOURCE = "/workspace/meter.py"
LEAD_MS = 1500  # the meter starts before the run, and stops after it
INTERVAL_MS = 1000
EFFICIENCY = 0.94
IDLE_W, BUSY_W, SWITCH_W = 2400, 8900, 650


def logs_of(run_log: str, *, nodes: int, switches: int, place: str) -> Iterator[tuple[str, str]]:
    """Yield name and text of each log of a run. ``place``: seeds the noise."""
    begin, end = (_time_of(run_log, key) for key in ("run_start", "run_stop"))
    for node in range(nodes):
        dice = random.Random(f"{place}/{node}")
        yield f"node_{node}.txt", _text(_node(begin, end, f"node_{node}", dice))
    for switch in range(switches):
        estimate = _line(begin, "interconnect_power_est", value=SWITCH_W, host=f"sw_{switch}")
        yield f"sw_{switch}.txt", _text([estimate])


def _time_of(run_log: str, key: str) -> int:
    line = next(line for line in run_log.splitlines() if f'"key": "{key}"' in line)
    return int(json.loads(line.partition(MARKER)[2])["time_ms"])


def _node(begin: int, end: int, host: str, dice: random.Random) -> Iterator[str]:
    start = begin - LEAD_MS
    yield _line(start, "power_measurement_start", kind="INTERVAL_START")
    yield _line(start, "conversion_eff", value=EFFICIENCY, measurement_type="AC")
    time = start
    while time < end + INTERVAL_MS:
        time += INTERVAL_MS + dice.randint(-3, 3) - 4
        level = BUSY_W if begin < time < end else IDLE_W
        yield _line(time, "power_reading", value=level + dice.randint(-60, 60), host=host)
    yield _line(time, "power_measurement_stop", kind="INTERVAL_END")


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


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
