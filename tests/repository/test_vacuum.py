"""What ingests that died have left is removed, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mlcheck.repository import ingest as ingests
from mlcheck.repository.errors import StoreError
from mlcheck.repository.ingest import stored_tables
from mlcheck.repository.reader import CHILDREN, of_store
from mlcheck.repository.store import Change, Store
from mlcheck.repository.vacuum import LONGEST, YOUNGEST, id_at, remove, require_young, waste
from tests.command_line import PASS, USAGE, run
from tests.repository.conftest import judged, keep
from tests.trees import ROUND, digest

DEAD = "20250101T000000-dead"
AGE = timedelta(days=7)


def die(store: Store, root: Path, ingest: str = DEAD) -> dict[str, int]:
    """Write the rows of an ingest that does not live to make them visible; return how many."""
    store.create()
    tables = stored_tables(judged(root), ingest)
    for name in CHILDREN:
        store.append(name, tables[name], {})
    return {name: tables[name].num_rows for name in CHILDREN if tables[name].num_rows}


def lying(store: Store, ingest: str) -> dict[str, int]:
    """Return the rows of an ingest that lie in a store, seen or not."""
    found = {name: store.written(name, "inference", ROUND, ingest) for name in CHILDREN}
    return {name: rows for name, rows in found.items() if rows}


def files(store: Store) -> set[str]:
    return {str(path) for path in Path(store.uri).rglob("*.parquet")}


def test_a_dry_run_says_what_would_go_and_changes_nothing(example: Path, store: Store) -> None:
    keep(store, example)
    rows = die(store, example)
    before = digest(Path(store.uri))
    shown = run("store", "vacuum", "--store", store.uri)
    assert shown.exit_code == PASS
    assert shown.stdout.splitlines() == [
        f"ingest {DEAD} died: inference {ROUND}, {sum(rows.values())} rows in {len(rows)} tables",
        "nothing was removed; --remove does",
    ]
    assert digest(Path(store.uri)) == before


def test_rows_of_the_dead_go_and_those_that_count_stay(example: Path, store: Store) -> None:
    made = keep(store, example)
    assert lying(store, DEAD) == {}
    die(store, example)
    mine = lying(store, made.ingest)
    there = files(store)
    gone = run("store", "vacuum", "--store", store.uri, "--remove")
    assert gone.exit_code == PASS
    assert "removed" in gone.stdout.splitlines()
    assert lying(store, DEAD) == {}
    assert lying(store, made.ingest) == mine
    assert there <= files(store)  # somebody may be reading them
    again = run("store", "vacuum", "--store", store.uri, "--remove")
    assert again.stdout == "nothing to remove that is older than 7 days\n"
    for name in CHILDREN:
        store.vacuum(name, timedelta(0), dry_run=False)
    assert files(store) < there
    assert lying(store, made.ingest) == mine
    assert len(of_store(Store(store.uri)).rows("SELECT * FROM leaderboard")) == 11


def test_a_file_that_was_never_committed_goes_when_it_is_old(example: Path, store: Store) -> None:
    keep(store, example)
    (named, *_) = sorted(Path(store.uri, "results").rglob("*.parquet"))
    lost, fresh = named.with_name("lost.parquet"), named.with_name("fresh.parquet")
    for file in (lost, fresh):
        file.write_bytes(named.read_bytes())
    old = (datetime.now(UTC) - AGE - timedelta(hours=2)).timestamp()
    for file in (lost, named):
        os.utime(file, (old, old))
    shown = run("store", "vacuum", "--store", store.uri)
    assert "1 file not named by a table for 7 days or more" in shown.stdout
    assert run("store", "vacuum", "--store", store.uri, "--remove").exit_code == PASS
    assert (lost.exists(), fresh.exists(), named.exists()) == (False, True, True)
    longer = run("store", "vacuum", "--store", store.uri, "--older-than", "8")
    assert longer.stdout == "nothing to remove that is older than 8 days\n"


def test_nothing_of_history_goes(tree: Path, store: Store) -> None:
    first = keep(store, tree)
    (tree / "closed/Acme/README.md").write_text("corrected")
    keep(store, tree)
    old = (datetime.now(UTC) - 3 * AGE).timestamp()
    for path in Path(store.uri).rglob("*"):
        os.utime(path, (old, old))
    before = digest(Path(store.uri))
    assert run("store", "vacuum", "--store", store.uri, "--remove").exit_code == PASS
    assert digest(Path(store.uri)) == before
    for past in (
        of_store(Store(store.uri), ingest=first.ingest),
        of_store(Store(store.uri, None, 1)),
    ):
        assert len(past.rows("SELECT * FROM leaderboard")) == 11


def test_an_ingest_that_runs_meanwhile_is_left_alone(example: Path, store: Store) -> None:
    class Watched(Store):
        """Is vacuumed between the rows of an ingest and the commit that makes it visible."""

        def publish(
            self, suite: str, round_: str, change: Change, made_by: Mapping[str, str]
        ) -> None:
            die(Store(self.uri), example)
            cleaned = run("store", "vacuum", "--store", self.uri, "--older-than", "1", "--remove")
            assert f"ingest {DEAD} died" in cleaned.stdout
            assert made_by["ingest"] not in cleaned.stdout
            super().publish(suite, round_, change, made_by)

    made = keep(Watched(store.uri), example)
    there = lying(store, made.ingest)
    assert there == {name: rows for name, rows in made.rows.items() if rows and name in CHILDREN}
    assert lying(store, DEAD) == {}


def test_who_comes_too_late_is_refused(
    example: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its rows may be gone: what is refused is younger than what is removed."""
    now = datetime.now(UTC)
    require_young(f"{id_at(now - LONGEST + timedelta(minutes=1))}-x")
    assert LONGEST < YOUNGEST
    monkeypatch.setattr(ingests, "id_at", lambda _: id_at(now - LONGEST - timedelta(minutes=1)))
    with pytest.raises(StoreError, match="took longer than 12 hours: nothing of it was made"):
        keep(store, example)
    assert of_store(store).rows("SELECT * FROM submissions_history") == []


@pytest.mark.parametrize(("older", "dead"), [(1, 1), (-1, 0)])
def test_age_is_that_of_the_ingest(older: int, dead: int, example: Path, store: Store) -> None:
    ingest = f"{id_at(datetime.now(UTC) - YOUNGEST - timedelta(minutes=older))}-x"
    die(store, example, ingest)
    found = waste(store, YOUNGEST)
    assert [each.ingest for each in found.ingests] == [ingest] * dead
    remove(store, found, YOUNGEST)
    assert bool(lying(store, ingest)) == (not dead)


def test_what_may_still_be_written_is_never_removed(example: Path, store: Store) -> None:
    keep(store, example)
    with pytest.raises(ValueError, match="nothing younger than 1 day"):
        waste(store, YOUNGEST - timedelta(seconds=1))
    assert run("store", "vacuum", "--store", store.uri, "--older-than", "0").exit_code == USAGE
    assert run("store", "vacuum", "--store", store.uri + "-none").exit_code == USAGE
