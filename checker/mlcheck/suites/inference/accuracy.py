"""Read what the reference accuracy scripts print, and decide which reading counts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from decimal import ROUND_HALF_EVEN, Context, Decimal

from mlcheck.documents import read_text
from mlcheck.suites.inference.entry import AccuracyText, Reading
from mlcheck.suites.inference.facts import Benchmark, Facts, Target
from mlcheck.tree import Tree


def read_accuracy(tree: Tree, path: str, benchmark: Benchmark | None, facts: Facts) -> AccuracyText:
    """Read the metrics of a benchmark from an accuracy file. Never raises."""
    text = read_text(tree, path)
    metrics = dict.fromkeys(target.metric for target in (benchmark.targets if benchmark else ()))
    patterns = [(metric, *_patterns(metric, facts)) for metric in metrics]
    readings: list[Reading] = []
    hash_line = 0
    for number, line in text.numbered():
        clean = line.rstrip("\r")
        for metric, pattern, narrow in patterns:
            found = pattern.match(clean)
            if found:
                official = narrow is pattern or narrow.match(clean) is not None
                readings.append(_reading(metric, found[1], path, number, official=official))
        if not hash_line and facts.accuracy_hash.match(clean):
            hash_line = number
    return AccuracyText(
        path=path,
        readings=tuple(readings),
        hash_line=hash_line,
        problem=text.problem,
        stray=text.stray,
    )


def _patterns(metric: str, facts: Facts) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what the policy and what the official tool reads a metric by."""
    narrow = facts.accuracy_patterns[metric]
    return facts.wider_patterns.get(metric, narrow), narrow


def _reading(metric: str, text: str, path: str, line: int, *, official: bool) -> Reading:
    try:
        value = float(text)
    except ValueError:  # such as 1.2.3
        value = math.inf
    known = value if math.isfinite(value) else None
    return Reading(
        metric=metric, text=text[:40], value=known, official=official, path=path, line=line
    )


def reported(value: float, digits: int) -> float:
    """Round a quality value to significant figures, half to even, as it is reported."""
    return float(Decimal(repr(value)).normalize(Context(prec=digits, rounding=ROUND_HALF_EVEN)))


def counted(
    text: AccuracyText, targets: Iterable[Target], stop_at: str = "reached"
) -> tuple[Reading, ...]:
    """Return the readings that the official tool takes note of.

    It stops at the first line by which the hash has been seen and every metric has reached its
    lower bound, or in older rounds is merely stated; what comes later is not read.
    """
    stated = stop_at == "stated"
    lows = {target.metric: None if stated else target.official_low for target in targets}
    reached: dict[str, int] = {}
    readings = tuple(reading for reading in text.readings if reading.official)
    for reading in readings:
        low = lows[reading.metric]
        if reading.value is not None and (low is None or reading.value >= low):
            reached.setdefault(reading.metric, reading.line)
    if len(reached) < len(lows) or not text.hash_line:
        return readings
    stop = max(text.hash_line, *reached.values())
    read = tuple(reading for reading in readings if reading.line <= stop)
    return tuple(last_of_each(read).values()) if stated else read


def last_of_each(readings: Iterable[Reading]) -> dict[str, Reading]:
    """Return the last reading of every metric."""
    return {reading.metric: reading for reading in readings}
