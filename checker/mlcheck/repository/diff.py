"""What changed from one set of results to another, and which changes are for the worse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mlcheck.repository.sides import Row, Side

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One thing that is not as it was.

    Attributes:
        kind: added, withdrawn, value, quality, power, verdict, description.
        where: what it is about, such as ``closed/Acme/box: resnet Offline``.
        field: what changed of it; empty: the result as a whole.
        ratio: new value by old value; None: it is no number, or there is none.
        regression: it is worse than it was.
    """

    kind: str
    where: str
    field: str = ""
    old: Any = None
    new: Any = None
    unit: str | None = None
    ratio: float | None = None
    regression: bool = False


def changes(old: Side, new: Side, tolerance: float = 0.0) -> list[Change]:
    """Return all changes, results first, in order of what they are about.

    Results are the same if suite, division, submitter, system, benchmark and scenario are.

    Args:
        old: before.
        new: after.
        tolerance: part of a value that it may get worse by before that is a regression.
    """
    before, after = _keyed(old), _keyed(new)
    rounds = {(row["suite"], row["round"]) for row in new.results}
    found: list[Change] = []
    for key in sorted({*before, *after}):
        here, there = before.get(key), after.get(key)
        if here is None and there is not None:
            found.append(_appeared(there))
        elif there is None and here is not None:
            again = (here["suite"], here["round"]) in rounds  # nobody enters every round
            found.append(_withdrawn(here, worse=again))
        elif here is not None and there is not None:
            found += _changed(here, there, tolerance)
    return [*found, *_descriptions(old, new)]


def _keyed(side: Side) -> dict[Key, Row]:
    names = ("suite", "division", "submitter", "system", "benchmark_raw", "scenario")
    keyed: dict[Key, Row] = {}
    for row in side.results:
        key = tuple(row[name] or "" for name in names)
        if row["scenario"] is None or key in keyed:  # told apart by the folder alone
            key = (*key, row["path"].rpartition("/")[2])
        keyed[key] = row
    return keyed


def place(row: Row) -> str:
    """Return how a result is called."""
    scenario = f" {row['scenario']}" if row["scenario"] else ""
    return (
        f"{row['division']}/{row['submitter']}/{row['system']}: "
        f"{row['benchmark'] or row['benchmark_raw']}{scenario}"
    )


def _appeared(row: Row) -> Change:
    return Change(kind="added", where=place(row), new=row["value"], unit=row["unit"])


def _withdrawn(row: Row, *, worse: bool) -> Change:
    return Change(
        kind="withdrawn",
        where=place(row),
        old=row["value"],
        unit=row["unit"],
        regression=worse and "valid" in (row["official_verdict"], row["verdict"]),
    )


def _changed(old: Row, new: Row, tolerance: float) -> Iterator[Change]:
    where = place(new)
    for name, title in (("verdict", "policy"), ("official_verdict", "official tool")):
        if old[name] != new[name]:
            worse = new[name] != "valid"
            yield Change(
                kind="verdict",
                where=where,
                field=title,
                old=old[name],
                new=new[name],
                regression=worse,
            )
    yield from _value(where, old, new, tolerance)
    for name in sorted({*old["quality"], *new["quality"]}):
        was, now = old["quality"].get(name), new["quality"].get(name)
        if was != now:
            yield Change(
                kind="quality", where=where, field=name, old=was, new=now, ratio=_ratio(was, now)
            )
    was, now = old["power_value"], new["power_value"]
    if was != now:
        unit = new["power_unit"] or old["power_unit"]
        yield Change(
            kind="power", where=where, field="power", old=was, new=now, unit=unit,
            ratio=_ratio(was, now),
        )  # fmt: skip


def _value(where: str, old: Row, new: Row, tolerance: float) -> Iterator[Change]:
    for name in ("metric", "unit"):
        if old[name] != new[name] and old[name] and new[name]:
            yield Change(kind="value", where=where, field=name, old=old[name], new=new[name])
    was, now = old["value"], new["value"]
    if was == now:
        return
    same = (old["metric"], old["unit"]) == (new["metric"], new["unit"])
    yield Change(
        kind="value",
        where=where,
        field=new["metric"] or old["metric"],
        old=was,
        new=now,
        unit=new["unit"] or old["unit"],
        ratio=_ratio(was, now) if same else None,
        regression=now is None or (same and _worse(was, now, new["better"], tolerance)),
    )


def _worse(was: float | None, now: float, better: str, tolerance: float) -> bool:
    if was is None:
        return False
    if better == "lower":
        return now > was * (1 + tolerance)
    return now < was * (1 - tolerance)


def _ratio(was: Any, now: Any) -> float | None:
    numbers = isinstance(was, int | float) and isinstance(now, int | float)
    return now / was if numbers and was else None


def _descriptions(old: Side, new: Side) -> Iterator[Change]:
    for key in sorted(set(old.descriptions) & set(new.descriptions)):
        was, now = old.descriptions[key], new.descriptions[key]
        where = "/".join(key[1:])
        for name in sorted({*was, *now}):
            if was.get(name) != now.get(name):
                yield Change(
                    kind="description",
                    where=where,
                    field=name,
                    old=_plain(was, name),
                    new=_plain(now, name),
                )


def _plain(fields: Mapping[str, Any], name: str) -> str | None:
    return None if name not in fields else str(fields[name])
