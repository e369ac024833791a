"""An ingest that is killed, and ingests that run at once: submissions are whole or not there."""

from __future__ import annotations

import math
import random
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from mlcheck.fingerprint import fingerprint
from mlcheck.repository.errors import StoreError
from mlcheck.repository.layout import CHILDREN
from mlcheck.repository.reader import Reader, of_store
from mlcheck.repository.store import Store
from mlcheck.tree import Tree
from tests.repository import crash
from tests.repository.conftest import judged, keep
from tests.trees import ROUND

MOMENTS = 50


def whole(reader: Reader) -> list[tuple[str, str]]:
    """Return the submissions that count, having made sure that they have all their rows."""
    rows = reader.rows("SELECT * FROM submissions")
    results = Counter(
        (row["ingest"], row["division"], row["submitter"])
        for row in reader.rows("SELECT * FROM results")
    )
    for row in rows:
        assert results[row["ingest"], row["division"], row["submitter"]] == row["results"]
    same = "r.id = m.result_id AND r.ingest = m.ingest"
    missing = reader.rows(f"SELECT r.path FROM results r ANTI JOIN metrics m ON {same}")
    assert missing == []
    places = [(row["division"], row["submitter"]) for row in rows]
    assert len(set(places)) == len(places)  # one of each
    return sorted(places)


def lying(reader: Reader) -> set[str]:
    """Return the ingests whose rows lie there, whether they count or not."""
    return {row["ingest"] for row in reader.rows("SELECT DISTINCT ingest FROM raw_systems")}


@pytest.mark.skipif(sys.platform != "linux", reason="clocks of other processes are read")
def test_killed_at_fifty_moments(example: Path, scratch: Path) -> None:
    report, tree = judged(example), fingerprint(Tree(str(example)))
    server = crash.context()
    crash.started(server, str(scratch / "warm"), report, tree).join()
    first = crash.started(server, str(scratch / "measured"), report, tree)
    whole_work = 0.0
    while (work := crash.work_of(first)) < math.inf:
        whole_work = work
        time.sleep(0.001)
    first.join()
    assert first.exitcode == 0
    uri = str(scratch / "store")
    moments = random.Random(7)
    everything = [("closed", "Acme"), ("open", "Borealis")]
    killed = 0
    for _ in range(MOMENTS):
        process = crash.started(server, uri, report, tree)
        moment = moments.uniform(0, whole_work)
        while crash.work_of(process) < moment:
            time.sleep(0.001)
        process.kill()
        process.join()
        killed += process.exitcode != 0
        if Store(uri).exists():
            assert whole(of_store(Store(uri))) in ([], everything)
    reader = of_store(Store(uri))
    ever = {row["ingest"] for row in reader.rows("SELECT ingest FROM submissions_history")}
    assert killed > MOMENTS / 4
    assert lying(reader) - ever  # some died between their first row and the commit
    last = crash.started(server, uri, report, tree)
    last.join()
    assert last.exitcode == 0
    reader = of_store(Store(uri))
    assert whole(reader) == everything
    for name in CHILDREN:
        mine = of_store(Store(str(scratch / "measured"))).rows(f"SELECT count(*) AS n FROM {name}")
        assert reader.rows(f"SELECT count(*) AS n FROM {name}") == mine


def test_four_at_once(example: Path, broken_example: Path, scratch: Path) -> None:
    server = crash.context()
    uri = str(scratch / "store")
    start = server.Barrier(4)
    trees = [(judged(root), fingerprint(Tree(str(root)))) for root in (example, broken_example)]
    processes = [crash.started(server, uri, *trees[i % 2], start) for i in range(4)]
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0, 0]
    reader = of_store(Store(uri))
    assert whole(reader) == [("closed", "Acme"), ("open", "Borealis")]
    history = reader.rows("SELECT DISTINCT ingest, sequence FROM submissions_history")
    assert sorted(row["sequence"] for row in history) == [1, 2, 3, 4]
    replaced = reader.rows(
        "SELECT count(*) AS n FROM submissions_history WHERE replaced_by IS NOT NULL"
    )
    assert replaced == [{"n": 4}]  # 2 x 2 and 2 x 1 rows came, 2 count


@pytest.mark.parametrize("suite", ["inference", "training"])
def test_who_is_overtaken_tries_again(
    suite: str, example: Path, broken_example: Path, store: Store
) -> None:
    """Also by an ingest of another round, so that no two get the same place in the order."""
    keep(store, example)
    seen = []

    def change(everything: pa.Table) -> pa.Table:
        seen.append(everything.num_rows)
        if len(seen) == 1:
            keep(Store(store.uri), broken_example)
        return everything.filter(pc.equal(everything["suite"], suite))

    store.publish(suite, ROUND, change, {})
    assert seen == [2, 3]
    assert len(of_store(store).rows("SELECT * FROM submissions_history")) == 3


class Losing(Store):
    """A store on a disk that loses the first row of what is written."""

    def append(self, name: str, table: pa.Table, made_by: Mapping[str, str]) -> None:
        super().append(name, table.slice(1), made_by)


def test_what_is_lost_while_writing_is_noticed(example: Path, store: Store) -> None:
    with pytest.raises(StoreError, match="rows of systems; nothing was made visible"):
        keep(Losing(store.uri), example)
    assert of_store(store).rows("SELECT * FROM submissions_history") == []


@pytest.mark.parametrize("last", CHILDREN)
def test_a_store_that_is_half_made_is_none_and_is_completed(last: str, store: Store) -> None:
    class Dying(Store):
        def _create(self, name: str, schema: pa.Schema) -> None:
            if name == last:
                raise KeyboardInterrupt
            super()._create(name, schema)

    with pytest.raises(KeyboardInterrupt):
        Dying(store.uri).create()
    assert not store.exists()
    store.create()
    assert of_store(Store(store.uri)).rows("SELECT * FROM leaderboard") == []
