"""Read the accuracy scores of an endpoint as the readings that accuracy.txt would hold."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mlcheck.documents import Document
from mlcheck.suites.inference.endpoints import samples_of, scores
from mlcheck.suites.inference.entry import AccuracyText, Reading
from mlcheck.suites.inference.facts import Benchmark, Target
from mlcheck.suites.inference.facts_endpoints import EndpointsFacts

PERCENT = 100


def read_scores(
    document: Document, benchmark: Benchmark, targets: Iterable[Target], rules: EndpointsFacts
) -> AccuracyText:
    """Return one reading per metric of the benchmark that the scores state."""
    metrics = dict.fromkeys(target.metric for target in targets)
    readings = (_reading(document, benchmark, metric, rules) for metric in metrics)
    return AccuracyText(
        path=document.path,
        readings=tuple(reading for reading in readings if reading),
        hash_line=0,
        problem=document.problem,
        stray=0,
    )


def _reading(
    document: Document, benchmark: Benchmark, metric: str, rules: EndpointsFacts
) -> Reading | None:
    places = rules.quality.get(metric, ())
    found = [(score, value) for score in scores(document) for value in _values(score, places)]
    if not found:
        return None
    value, text = _mean(found), ""
    if len(found) == 1:
        text = str(value)
    if value is not None and benchmark.name in rules.fractions and 0 <= value <= 1:
        value = value * PERCENT
    return Reading(
        metric=metric,
        text=(text or f"{value:.6g}, the mean of {len(found)}")[:40],
        value=value,
        official=benchmark.name in rules.official_quality,
        path=document.path,
        line=document.line_at(("accuracy_scores", places[0][0])),
    )


def _values(score: Mapping[str, Any], places: Iterable[tuple[str, ...]]) -> Iterator[float]:
    """Yield the value of the first place that holds a number; some scorers write it as text."""
    for names in places:
        value: Any = score
        for name in names:
            value = value.get(name) if isinstance(value, dict) else None
        number = _number(value)
        if number is not None:
            yield number
            return


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _mean(found: list[tuple[Mapping[str, Any], float]]) -> float:
    """Return the mean over all samples of all data sets; of the data sets if these are unknown."""
    counts = [samples_of(score) for score, _ in found]
    weights = [count for count in counts if count is not None and count > 0]
    if len(weights) < len(found):
        weights = [1] * len(found)
    parts = (weight * value for weight, (_, value) in zip(weights, found, strict=True))
    return math.fsum(parts) / sum(weights) if len(found) > 1 else found[0][1]
