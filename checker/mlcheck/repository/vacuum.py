"""Remove what no question can reach: rows of ingests that died, and files that no table names.

An ingest writes its rows first and becomes visible last, or dies in between. Whether one that is
not visible has died or still writes, its age tells: one that is older than :data:`LONGEST` is
refused when it wants to become visible, and here nothing is touched that is younger than
:data:`YOUNGEST`, which leaves hours for clocks that differ.

`submissions` is left alone. Its old files are what ``--as-of`` reads; of the other tables only the
newest version is ever read, as rows of all ingests lie in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from mlcheck.repository.errors import StoreError
from mlcheck.repository.reader import CHILDREN, HISTORY, of_store
from mlcheck.repository.store import Store

LONGEST = timedelta(hours=12)  # from the first row of an ingest to its commit
YOUNGEST = 2 * LONGEST
_BEGAN = "%Y%m%dT%H%M%S"  # how the id of an ingest begins, UTC


@dataclass(frozen=True, slots=True, kw_only=True)
class Dead:
    """An ingest that began long ago and never became visible.

    Attributes:
        rows: table -> rows of it that lie there.
    """

    ingest: str
    suite: str
    round: str
    rows: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Waste:
    """What may be removed.

    Attributes:
        files: table -> files in its folder that it has not named for so long.
    """

    ingests: tuple[Dead, ...]
    files: Mapping[str, tuple[str, ...]]


def id_at(moment: datetime) -> str:
    """Return the beginning of the id of an ingest that begins at this moment."""
    return f"{moment.astimezone(UTC):{_BEGAN}}"


def require_young(ingest: str) -> None:
    """Raise if an ingest has taken so long that its rows may have been removed.

    Raises:
        StoreError: it has.
    """
    if ingest < id_at(datetime.now(UTC) - LONGEST):
        raise StoreError(
            f"ingest {ingest} took longer than {LONGEST.total_seconds() / 3600:g} hours: nothing "
            "of it was made visible; run it again"
        )


def waste(store: Store, age: timedelta) -> Waste:
    """Return what may be removed.

    Args:
        store: is only read.
        age: of what is removed, at least.

    Raises:
        StoreError: there is no store, or it is broken.
        ValueError: an ingest may still write what is so young.
    """
    if age < YOUNGEST:
        raise ValueError(f"nothing younger than {YOUNGEST} is removed")
    return Waste(
        ingests=tuple(_dead(store, datetime.now(UTC) - age)),
        files={name: tuple(store.vacuum(name, age, dry_run=True)) for name in CHILDREN},
    )


def _dead(store: Store, before: datetime) -> Iterator[Dead]:
    reader = of_store(store)
    counted = " UNION ALL ".join(
        f"SELECT '{name}' AS name, suite, round, ingest, count(*) AS n FROM raw_{name} "
        f"ANTI JOIN {HISTORY} USING (ingest) WHERE ingest < ? GROUP BY ALL"
        for name in CHILDREN
    )
    rows = reader.rows(f"{counted} ORDER BY ALL", [id_at(before)] * len(CHILDREN))
    for ingest in sorted({row["ingest"] for row in rows}):
        mine = [row for row in rows if row["ingest"] == ingest]
        yield Dead(
            ingest=ingest,
            suite=mine[0]["suite"],
            round=mine[0]["round"],
            rows={row["name"]: row["n"] for row in mine},
        )


def remove(store: Store, found: Waste, age: timedelta) -> None:
    """Remove what :func:`waste` found.

    Files with removed rows are left until they, too, have not been named for so long: somebody may
    be reading them.

    Raises:
        StoreError: the store cannot be written to.
    """
    for name in CHILDREN:
        dead = [each.ingest for each in found.ingests if name in each.rows]
        if dead:
            store.delete(name, dead, {"removed": "rows of ingests that died"})
        if found.files[name]:
            store.vacuum(name, age, dry_run=False)
