"""What an ingest leaves: every row once, nothing twice, and history."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from mlcheck import __version__
from mlcheck.fingerprint import fingerprint
from mlcheck.normalize.write import tables_of
from mlcheck.repository import ingest as ingests
from mlcheck.repository.layout import STORED
from mlcheck.repository.reader import CHILDREN, HISTORY, LEADERBOARD, of_store
from mlcheck.repository.source import Source
from mlcheck.repository.store import Store, as_of
from mlcheck.ruleset import load
from mlcheck.tree import Tree
from tests import case_files
from tests.command_line import NOTHING, PASS, USAGE, run
from tests.repository.conftest import NOWHERE, judged, keep
from tests.trees import EXAMPLES, ROUND, digest


def counts(store: Store, *, ingest: str | None = None) -> dict[str, int]:
    reader = of_store(store, ingest=ingest)
    tables = ("submissions", *CHILDREN)
    return {name: reader.rows(f"SELECT count(*) AS n FROM {name}")[0]["n"] for name in tables}


@pytest.mark.parametrize("name", ["inference-v5.1", "inference-v5.1-broken", "OK-power-measured"])
def test_rows_are_conserved(name: str, scratch: Path, store: Store) -> None:
    case_files.build(name, scratch / "tree")
    report = judged(scratch / "tree")
    made = ingests.ingest(store, report, fingerprint(Tree(report.root)), NOWHERE)
    tables = tables_of(report)
    assert made.rows == {table: rows.num_rows for table, rows in tables.items()}
    assert counts(store) == dict(made.rows)
    reader = of_store(store)
    for table, rows in tables.items():
        mine = reader.rows(f"SELECT * FROM {table}")
        key = json.dumps
        names = [n for n in rows.column_names if not n.startswith("source_")]
        stored = sorted(key({n: row[n] for n in names}, default=str) for row in mine)
        assert stored == sorted(
            key({n: row[n] for n in names}, default=str) for row in rows.to_pylist()
        )
    board = reader.rows(f"SELECT * FROM {LEADERBOARD}")
    assert sorted(row["id"] for row in board) == sorted(result.id for result in report.results)


def test_the_same_tree_twice_changes_nothing(tree: Path, store: Store) -> None:
    first = run("ingest", tree, "--store", store.uri)
    before = digest(Path(store.uri))
    second = run("ingest", tree, "--store", store.uri)
    assert (first.exit_code, second.exit_code) == (PASS, PASS)
    assert "unchanged since ingest" in second.stdout
    assert digest(Path(store.uri)) == before
    run("ingest", tree, "--store", store.uri, "--again")
    reader = of_store(Store(store.uri))
    assert reader.rows(f"SELECT count(*) AS n FROM {HISTORY}") == [{"n": 4}]
    assert reader.rows("SELECT count(*) AS n FROM submissions") == [{"n": 2}]


def test_a_corrected_tree_takes_the_place_of_its_submissions(tree: Path, store: Store) -> None:
    first = keep(store, tree)
    system = tree / "closed/Acme/systems/acme-edge-1x.json"
    system.write_text(system.read_text().replace("Acme Pebble P16", "Acme Pebble P32"))
    shutil.rmtree(tree / "open")
    shutil.rmtree(tree / "closed/Acme/results/acme-edge-1x/resnet50/MultiStream")
    second = keep(store, tree)
    assert second.replaced == {first.ingest: (1, 8)}
    assert second.withdrawn == ("closed/Acme/results/acme-edge-1x/resnet50/MultiStream",)
    reader = of_store(store)
    rows = reader.rows("SELECT * FROM submissions ORDER BY submitter")
    assert [(row["submitter"], row["ingest"]) for row in rows] == [
        ("Acme", second.ingest),
        ("Borealis", first.ingest),
    ]
    assert reader.rows("SELECT count(*) AS n FROM results") == [{"n": 10}]
    (names,) = reader.rows("SELECT DISTINCT accelerator FROM systems WHERE system = 'acme-edge-1x'")
    assert names == {"accelerator": "Acme Pebble P32"}
    metrics = reader.rows("SELECT DISTINCT ingest, submitter FROM metrics ORDER BY submitter")
    assert [row["ingest"] for row in metrics] == [second.ingest, first.ingest]


def test_nothing_of_history_is_lost(tree: Path, store: Store) -> None:
    first = keep(store, tree)
    shutil.rmtree(tree / "open")
    (tree / "closed/Acme/README.md").write_text("corrected")
    keep(store, tree)
    assert counts(store, ingest=first.ingest) == dict(first.rows)
    past = Store(store.uri, as_of=1)  # 0 made the table
    assert [row["ingest"] for row in of_store(past).rows("SELECT ingest FROM submissions")] == [
        first.ingest
    ] * 2
    answer = run("results", "--store", store.uri, "--as-of", "0")
    assert answer.exit_code == USAGE
    assert "the store holds no results" in answer.stderr
    assert run("results", "--store", store.uri, "--as-of", "99").exit_code == USAGE
    assert run("results", "--store", store.uri, "--as-of", "yesterday").exit_code == USAGE


def test_each_commit_says_what_it_was_made_by(example: Path, store: Store) -> None:
    tree = fingerprint(Tree(str(example)))
    source = Source("https://example.org/results", "a" * 40)
    made = ingests.ingest(store, judged(example), tree, source)
    said = {
        "ingest": made.ingest,
        "tool_version": __version__,
        "ruleset_sha256": load("inference", ROUND).sha256,
        "tree_sha256": tree.sha256,
        "source_repository": "https://example.org/results",
        "source_commit": "a" * 40,
    }
    commit = store.commits()[0]
    assert {name: commit[name] for name in said} == said
    for row in of_store(store).rows("SELECT * FROM submissions"):
        assert {name: row[name] for name in said} == said
        assert row["sequence"] == 1


def test_a_whole_round_withdraws_what_it_lacks(tree: Path, store: Store) -> None:
    keep(store, tree)
    shutil.rmtree(tree / "open")
    run("ingest", tree, "--store", store.uri, "--collection", "other")
    made = run("ingest", tree, "--store", store.uri, "--whole")
    assert "no longer there: 3 results" in made.stdout
    reader = of_store(Store(store.uri), "main")
    assert reader.rows("SELECT submitter FROM submissions") == [{"submitter": "Acme"}]
    words = ("ingest", tree, "--store", store.uri, "--whole", "--submitter", "Acme")
    assert run(*words).exit_code == USAGE


def test_a_system_with_results_in_two_divisions_is_there_for_both(
    scratch: Path, store: Store
) -> None:
    """Training describes a system once, whatever the divisions of its results."""
    root = Path(shutil.copytree(EXAMPLES / "training-v5.1", scratch / "tree"))
    report = judged(root, "training")
    first = report.results[0]
    both = replace(
        report,
        systems=tuple(replace(s, division="") for s in report.systems),
        results=(*report.results, replace(first, id="other", division="open", path="x")),
    )
    ingests.ingest(store, both, fingerprint(Tree(str(root))), NOWHERE)
    rows = of_store(store).rows("SELECT * FROM leaderboard")
    assert len(rows) == len(both.results)
    assert all(row["system_path"] for row in rows)


def test_collections_leave_each_other_alone(tree: Path, store: Store) -> None:
    keep(store, tree)
    assert run("ingest", tree, "--store", store.uri, "--collection", "drafts").exit_code == PASS
    everything = of_store(Store(store.uri))
    assert everything.rows("SELECT count(*) AS n FROM results") == [{"n": 22}]
    for name in ("main", "drafts"):
        mine = of_store(Store(store.uri), name)
        assert mine.rows("SELECT count(*) AS n FROM leaderboard") == [{"n": 11}]


def test_one_submitter_of_a_tree(example: Path, store: Store) -> None:
    made = run("ingest", example, "--store", store.uri, "--submitter", "Borealis")
    assert made.exit_code == PASS
    assert of_store(store).rows("SELECT submitter, results FROM submissions") == [
        {"submitter": "Borealis", "results": 3}
    ]


def test_findings_about_the_package_stay_while_one_of_its_submissions_counts(
    scratch: Path, store: Store
) -> None:
    root = Path(shutil.copytree(EXAMPLES / "inference-v5.1", scratch / "tree"))
    (root / "stray.bin").write_bytes(b"x")
    keep(store, root)
    package = "SELECT rule FROM findings WHERE submitter IS NULL"
    assert of_store(store).rows(package) == [{"rule": "GEN001"}]
    (root / "stray.bin").unlink()
    shutil.rmtree(root / "open")
    keep(store, root)
    assert of_store(store).rows(package) == [{"rule": "GEN001"}]  # Borealis came with it


def test_nothing_is_kept_of_a_tree_without_results(scratch: Path, store: Store) -> None:
    (scratch / "tree/closed").mkdir(parents=True)
    assert run("ingest", scratch / "tree", "--store", store.uri).exit_code == NOTHING
    assert run("ingest", scratch / "none", "--store", store.uri).exit_code == USAGE
    assert not store.exists()


def test_where_a_store_cannot_be(scratch: Path, example: Path) -> None:
    (scratch / "file").write_text("no folder")
    made = run("ingest", example, "--store", scratch / "file/store")
    assert made.exit_code == USAGE
    assert "cannot write" in made.stderr
    asked = run("results", "--store", scratch / "nowhere")
    assert asked.exit_code == USAGE
    assert "no store at" in asked.stderr
    assert run("results", "--store", scratch, "--storage-option", "x").exit_code == USAGE


def test_a_broken_log_of_the_store_is_said(example: Path, store: Store) -> None:
    keep(store, example)
    for log in Path(store.uri, "submissions/_delta_log").glob("*.json"):
        log.write_text("{")
    asked = run("results", "--store", store.uri)
    assert asked.exit_code == USAGE
    assert "cannot read" in asked.stderr


def test_a_broken_file_of_the_store_is_said(example: Path, store: Store) -> None:
    keep(store, example)
    for file in Path(store.uri, "results").rglob("*.parquet"):
        file.write_bytes(b"PAR1 nothing")
    asked = run("results", "--store", store.uri)
    assert asked.exit_code == USAGE
    assert "cannot read" in asked.stderr


def test_a_store_with_an_address_is_read_through_arrow(example: Path, store: Store) -> None:
    """As one in object storage is, whose files DuckDB does not open itself."""
    far = Store(f"file://{store.uri}")
    keep(far, example)
    for table in ("leaderboard", "findings", "systems"):
        statement = f"SELECT * FROM {table} ORDER BY ALL"
        assert of_store(far).rows(statement) == of_store(Store(store.uri)).rows(statement)
    assert run("results", "--store", far.uri).exit_code == PASS


def test_strange_names_of_folders(example: Path, scratch: Path) -> None:
    strange = Store(str(scratch / "a (b)* ü % 'c?"))
    keep(strange, example)
    assert of_store(strange).rows("SELECT count(*) AS n FROM leaderboard") == [{"n": 11}]


def test_a_store_has_to_be_somewhere() -> None:
    made = run("results", "--store", " ")
    assert made.exit_code == USAGE
    assert "--store is empty" in made.stderr


@pytest.mark.parametrize("name", ["a[b", "a%20b", "a|b", "a\\b", "a^b"])
def test_names_that_delta_cannot_take_are_refused(name: str, scratch: Path) -> None:
    made = run("results", "--store", scratch / name)
    assert made.exit_code == USAGE
    assert "under a path with" in made.stderr


def test_a_store_of_an_older_release_is_read_after_the_next_ingest(
    example: Path, store: Store, scratch: Path
) -> None:
    """A column that did not exist then is null in old rows."""
    from deltalake import DeltaTable

    keep(store, example)
    old = Store(str(scratch / "old"))
    for name, schema in STORED.items():
        rows = DeltaTable(f"{store.uri}/{name}").to_pyarrow_table()
        names = [n for n in schema.names if n not in ("tree_part", "weight_data_types")]
        DeltaTable.create(
            f"{old.uri}/{name}", rows.select(names).schema, partition_by=["suite", "round"]
        )
        old.append(name, rows.select(names), {})
    keep(old, EXAMPLES / "inference-v5.1-broken")
    reader = of_store(Store(old.uri))
    types = reader.rows("SELECT DISTINCT submitter, weight_data_types AS t FROM results ORDER BY 1")
    assert ("Borealis", None) in [(row["submitter"], row["t"]) for row in types]
    assert {row["t"] for row in types if row["submitter"] == "Acme"} - {None}


def test_times_and_versions() -> None:
    assert as_of("3") == 3
    assert str(as_of("2025-09-09")) == "2025-09-09 00:00:00+00:00"
    assert str(as_of("2025-09-09T10:00:00+02:00")) == "2025-09-09 10:00:00+02:00"
