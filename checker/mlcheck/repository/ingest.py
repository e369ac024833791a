"""Put what was judged of a tree into a store: whole, once, and in place of what it corrects."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from mlcheck import __version__
from mlcheck.fingerprint import Fingerprint
from mlcheck.model import Report
from mlcheck.normalize.write import tables_of
from mlcheck.overlay import RulesetError
from mlcheck.repository.errors import StoreError
from mlcheck.repository.layout import CHILDREN, STORED, owned, with_columns
from mlcheck.repository.leaderboard import twice
from mlcheck.repository.reader import HISTORY, of_store
from mlcheck.repository.source import Source
from mlcheck.repository.store import Store
from mlcheck.repository.vacuum import id_at, require_young
from mlcheck.ruleset import load

MAIN = "main"  # the collection, if none is named
Owner = tuple[str | None, str | None]
_NOBODY: Owner = (None, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested:
    """What an ingest did.

    Attributes:
        ingest: its id.
        rows: table -> rows written.
        accepted: results that the policy accepts.
        official_accepted: results that the official tool accepts.
        replaced: ingest whose submissions were replaced -> (submissions, results in them).
        withdrawn: paths of results that were there and are no longer.
        unknown_names: names of parts that no table of names has.
    """

    ingest: str
    suite: str
    round: str
    rows: Mapping[str, int]
    accepted: int
    official_accepted: int
    replaced: Mapping[str, tuple[int, int]]
    withdrawn: tuple[str, ...]
    unknown_names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A tree that was ingested before: by which ingest, and how much of it still counts."""

    ingest: str
    suite: str
    round: str
    submissions: int
    current: int


def known(
    store: Store, tree: Fingerprint, collection: str, round_: str | None = None
) -> Known | None:
    """Return the newest ingest of the same tree by the same tool and rules; None: there is none.

    Args:
        store: may be none yet.
        tree: what is to be ingested.
        collection: it is to be part of.
        round_: the round it is to be judged by, if that is asked for.
    """
    if not store.exists():
        return None
    everything = f"SELECT * FROM {HISTORY} WHERE tree_sha256 = ?"
    same = [row for row in of_store(store).rows(everything, [tree.sha256]) if _by_the_same(row)]
    same = [r for r in same if r["collection"] == collection and round_ in (None, r["round"])]
    if not same:
        return None
    newest = max(same, key=lambda row: row["sequence"])
    mine = [row for row in same if row["ingest"] == newest["ingest"]]
    return Known(
        ingest=newest["ingest"],
        suite=newest["suite"],
        round=newest["round"],
        submissions=len(mine),
        current=sum(row["replaced_by"] is None for row in mine),
    )


def _by_the_same(row: Mapping[str, Any]) -> bool:
    try:
        rules = load(row["suite"], row["round"]).sha256
    except RulesetError:
        return False
    return bool(row["tool_version"] == __version__ and row["ruleset_sha256"] == rules)


def ingest(
    store: Store,
    report: Report,
    tree: Fingerprint,
    source: Source,
    *,
    part: str | None = None,
    collection: str = MAIN,
    whole: bool = False,
) -> Ingested:
    """Write the tables of a report and make them visible as one.

    Submissions of the same collection, suite, round, division and submitter are replaced; their
    rows stay.

    Args:
        store: is made if it is not there.
        report: of the tree.
        tree: its hash.
        source: where it comes from.
        part: the submitter whose part of the tree was judged. None: all.
        collection: it is part of.
        whole: the tree is all there is of the round in this collection, so that submissions it does
            not hold are withdrawn.

    Raises:
        StoreError: the store cannot be written to, or did not keep what was written.
        ValueError: the report has no results, or two rows where there has to be one.
    """
    if not report.results:
        raise ValueError("a report without results")
    ref = report.rulesets[0]
    id_ = f"{id_at(datetime.now(UTC))}-{secrets.token_hex(4)}"
    made_by = {
        "ingest": id_,
        "tool_version": __version__,
        "ruleset_sha256": ref.sha256,
        "tree_sha256": tree.sha256,
        "tree_part": part or "",
        "collection": collection,
        "source_repository": source.repository or "",
        "source_commit": source.commit or "",
    }
    tables = stored_tables(report, id_)
    keys = {"suite": ref.suite, "round": ref.round, "ingest": id_}
    doubled = twice(tables)
    if doubled:
        raise ValueError(f"{doubled} has two rows for one result")
    store.create()
    for name in CHILDREN:
        store.append(name, tables[name], made_by)
    _require_whole(store, tables, keys)
    replacement = _Replacement(tables["submissions"], keys, made_by, report.root, whole=whole)
    store.publish(ref.suite, ref.round, replacement, made_by)
    replaced = replacement.replaced
    return Ingested(
        ingest=id_,
        suite=ref.suite,
        round=ref.round,
        rows={name: table.num_rows for name, table in tables.items()},
        accepted=_sum(tables["submissions"], "valid"),
        official_accepted=_sum(tables["submissions"], "official_valid"),
        replaced={old: _counts(replaced, old) for old in _unique(replaced, "ingest")},
        withdrawn=_withdrawn(store, replaced, tables["results"]),
        unknown_names=_unknown(tables["systems"]),
    )


def stored_tables(report: Report, ingest_id: str = "") -> dict[str, pa.Table]:
    """Return the tables of a report as a store has them."""
    ref = report.rulesets[0]
    keys = {"suite": ref.suite, "round": ref.round, "ingest": ingest_id}
    owners = _Owners(report)
    return {
        name: owned(name, table, [owners.of(name, row) for row in table.to_pylist()], keys)
        for name, table in tables_of(report).items()
    }


class _Owners:
    """Says whose a row of any table is."""

    def __init__(self, report: Report) -> None:
        self._results: dict[str, Owner] = {
            result.id: (result.division, result.submitter) for result in report.results
        }
        homes = {result.path.partition("/results/")[0] for result in report.results}
        self._homes: dict[str, set[Owner]] = {home: set() for home in homes}
        for result in report.results:
            home = result.path.partition("/results/")[0]
            self._homes[home].add((result.division, result.submitter))

    def of(self, name: str, row: Mapping[str, Any]) -> Owner:
        """Return division and submitter of a row; nobody's: it is about the package."""
        if "submitter" in row:
            return row["division"], row["submitter"]
        if "result_id" in row:
            return self._results[row["result_id"]]
        if name == "offers":
            return _NOBODY
        about, place = (
            ([row["subject"]], row["subject"])
            if name == "outcomes"
            else (row["results"], row["path"])
        )
        found = {self._results[result] for result in about if result in self._results}
        if not found:
            found = self._by_place(place)
        return found.pop() if len(found) == 1 else _NOBODY

    def _by_place(self, path: str) -> set[Owner]:
        for home, owners in self._homes.items():
            if path == home or path.startswith(f"{home}/"):
                return set(owners)
        return set()


class _Replacement:
    """The change of ``submissions`` that makes an ingest visible."""

    def __init__(
        self,
        rows: pa.Table,
        keys: Mapping[str, str],
        made_by: Mapping[str, str],
        root: str,
        *,
        whole: bool,
    ) -> None:
        self._whole = whole
        self._rows = rows
        self._keys = keys
        self._made_by = made_by
        self._root = root
        self.replaced = STORED["submissions"].empty_table()

    def __call__(self, everything: pa.Table) -> pa.Table:
        require_young(self._keys["ingest"])
        here = pc.and_(
            pc.equal(everything["suite"], self._keys["suite"]),
            pc.equal(everything["round"], self._keys["round"]),
        )
        of_round = everything.filter(here).to_pylist()
        mine = {(row["division"], row["submitter"]) for row in self._rows.to_pylist()}
        gone = [
            row
            for row in of_round
            if row["replaced_by"] is None
            and row.get("collection") == self._made_by["collection"]
            and (self._whole or (row["division"], row["submitter"]) in mine)
        ]
        self.replaced = pa.Table.from_pylist(gone, STORED["submissions"])
        for row in gone:
            row["replaced_by"] = self._keys["ingest"]
        old = pa.Table.from_pylist(of_round, STORED["submissions"])
        return pa.concat_tables([old, self._new(everything)])

    def _new(self, everything: pa.Table) -> pa.Table:
        last = pc.max(everything["sequence"]).as_py() or 0
        keys = {
            **{name: self._made_by[name] or None for name in self._made_by},
            "sequence": last + 1,
            "ingested_at": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
            "tree": self._root,
            "replaced_by": None,
        }
        return with_columns(self._rows, keys)


def _require_whole(store: Store, tables: Mapping[str, pa.Table], keys: Mapping[str, str]) -> None:
    """Count what was written before anybody can see it."""
    for name in CHILDREN:
        there = store.written(name, keys["suite"], keys["round"], keys["ingest"])
        if there != tables[name].num_rows:
            raise StoreError(
                f"{store.uri} holds {there} of {tables[name].num_rows} rows of {name}; "
                "nothing was made visible"
            )


def _withdrawn(store: Store, replaced: pa.Table, new: pa.Table) -> tuple[str, ...]:
    """Return paths of results of replaced submissions that the new tree does not hold."""
    ids = set(new["id"].to_pylist())
    owners = {(row["ingest"], row["division"], row["submitter"]) for row in replaced.to_pylist()}
    gone = []
    for ingest_id in _unique(replaced, "ingest"):
        old = of_store(store, ingest=ingest_id).rows("SELECT * FROM results")
        gone += [
            row["path"]
            for row in old
            if row["id"] not in ids and (row["ingest"], row["division"], row["submitter"]) in owners
        ]
    return tuple(sorted(gone))


def _counts(replaced: pa.Table, ingest_id: str) -> tuple[int, int]:
    rows = replaced.filter(pc.equal(replaced["ingest"], ingest_id))
    return rows.num_rows, _sum(rows, "results")


def _unique(table: pa.Table, column: str) -> list[str]:
    return sorted(pc.unique(table[column]).to_pylist())


def _sum(table: pa.Table, column: str) -> int:
    return int(pc.sum(table[column]).as_py() or 0)


def _unknown(systems: pa.Table) -> tuple[str, ...]:
    names = (name for row in systems["unknown_names"].to_pylist() for name in row)
    return tuple(sorted(set(names)))
