"""Outliers: results far from those of the same accelerator in the same section.

What is compared is the result per accelerator, or for times to train the product of time and
accelerators. Distance is the modified z-score of its logarithm, from median and median absolute
deviation. Source of formula and limit: Iglewicz and Hoaglin, How to Detect and Handle Outliers
(1993), 3.5.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import median

from mlcheck_report.frames.ranked import Record
from mlcheck_report.frames.shape import Round, Section

FEWEST = 5  # peers, the result itself among them
LIMIT = 3.5
_SCALE = 0.6745
_LEAST_DEVIATION = 0.005  # of the logarithm: half a percent, so that equal peers raise no alarm


@dataclass(frozen=True, slots=True)
class Outlier:
    """A result far from its peers. `ratio`: to the median of the peers; above 1 is better."""

    row: Record
    kind: str
    peers: int
    ratio: float
    score: float


def outliers(round_: Round) -> list[Outlier]:
    """Return the outliers of a round, the farthest first."""
    found = [one for section in round_.sections for one in _of_section(section)]
    return sorted(found, key=lambda one: (-abs(one.score), one.row["position"]))


def _of_section(section: Section) -> list[Outlier]:
    groups: defaultdict[str, list[tuple[Record, float]]] = defaultdict(list)
    for row in section.ranked:
        work = _work(row)
        if work is not None and row["model"] is None:
            groups[row["kinds"][0]].append((row, work))
    return [one for kind, rows in groups.items() for one in _of_group(kind, rows)]


def _work(row: Record) -> float | None:
    """Return the logarithm of what an accelerator does per time; more is better."""
    count = row["accelerators_total"] or 0
    if not row["kinds"] or row["mixed"] or count <= 0 or row["value"] <= 0:
        return None
    if row["better"] == "higher":
        return math.log(row["value"] / count)
    return -math.log(row["value"] * count)


def _of_group(kind: str, rows: list[tuple[Record, float]]) -> list[Outlier]:
    if len(rows) < FEWEST:
        return []
    middle = median(work for _, work in rows)
    deviation = max(median(abs(work - middle) for _, work in rows), _LEAST_DEVIATION)
    scored = [(row, work - middle, _SCALE * (work - middle) / deviation) for row, work in rows]
    return [
        Outlier(row, kind, len(rows), math.exp(distance), score)
        for row, distance, score in scored
        if abs(score) > LIMIT
    ]
