"""Differences as text and as plain rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from mlcheck.output.ranking import NOTICE
from mlcheck.output.table import Column, counted, number, safe, text_table
from mlcheck.repository.diff import Change

TITLES = {
    "withdrawn": "Results withdrawn",
    "added": "Results added",
    "verdict": "Changed verdicts",
    "value": "Changed values",
    "quality": "Changed quality",
    "power": "Changed power",
    "description": "Changed descriptions",
}
FIELDS = ("kind", "where", "field", "old", "new", "unit", "ratio", "regression")
_COLUMNS = (
    Column("where", "what"),
    Column("field", "field"),
    Column("old", "was"),
    Column("new", "is"),
    Column("unit", "unit", whole=True),
    Column("by", "by", whole=True, right=True),
    Column("worse", "", whole=True),
)


def diff_lines(
    changes: Sequence[Change], labels: tuple[str, str], same: int, limit: int
) -> Iterator[str]:
    """Yield differences as text, at most ``limit`` of each kind."""
    yield f"{safe(labels[0])} -> {safe(labels[1])}"
    yield ""
    for kind, title in TITLES.items():
        mine = [change for change in changes if change.kind == kind]
        if not mine:
            continue
        mine.sort(key=lambda change: not change.regression)  # what is worse comes first
        yield f"{title} ({len(mine):,})"
        shown = [_shown(change) for change in mine[:limit]]
        columns = [c for c in _COLUMNS if any(row[c.key] not in (None, "") for row in shown)]
        yield from text_table(shown, columns)
        if len(mine) > limit:
            yield f"… and {len(mine) - limit:,} more (--limit)"
        yield ""
    yield from _summary(changes, same)
    yield NOTICE


def _shown(change: Change) -> dict[str, Any]:
    by = None if change.ratio is None else f"{'+' if change.ratio >= 1 else ''}{_percent(change)}"
    return {
        "where": change.where,
        "field": change.field,
        "old": safe(change.old),
        "new": safe(change.new),
        "unit": change.unit,
        "by": by,
        "worse": "worse" if change.regression else "",
    }


def _percent(change: Change) -> str:
    assert change.ratio is not None
    return f"{number(round(100 * (change.ratio - 1), 2))} %"


def _summary(changes: Sequence[Change], same: int) -> Iterator[str]:
    counts = Counter(change.kind for change in changes)
    named = [f"{counts[kind]:,} {kind}" for kind in TITLES if counts[kind]]
    worse = sum(change.regression for change in changes)
    yield ", ".join(named) or "no differences"
    yield f"{counted(same, 'result')} as they were, {worse:,} for the worse"


def diff_rows(changes: Sequence[Change]) -> list[dict[str, Any]]:
    """Return differences as plain rows."""
    return [asdict(change) for change in changes]
