"""What the commands answer, as people see it."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from mlcheck.repository.leaderboard import rankings
from mlcheck.repository.reader import of_store
from mlcheck.repository.store import Store
from tests.command_line import FINDINGS, PASS, USAGE, run
from tests.edits import Place, SetJson
from tests.repository.conftest import keep
from tests.trees import EXAMPLES

Golden = Callable[[str, str], None]
EXAMPLE = EXAMPLES / "inference-v5.1"

QUESTIONS = {
    "results": ("results", "--suite", "inference", "--division", "closed"),
    "results-training": ("results", "--suite", "training"),
    "history": ("history", "Acme", "--suite", "inference"),
    "compare": ("compare", "Acme/acme-edge-1x", "Borealis/borealis-mini", "--across"),
    "schema": ("query",),
    "sql": (
        "query",
        "SELECT submitter, benchmark, scenario, value, unit FROM leaderboard "
        "WHERE suite = 'inference' ORDER BY ALL",
    ),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_answers(name: str, examples: str, golden: Golden) -> None:
    answer = run(*QUESTIONS[name], "--store", examples)
    assert answer.exit_code == PASS, answer.stderr
    golden(f"repository/{name}.txt", answer.stdout)
    if name != "schema":
        assert max(map(len, answer.stdout.splitlines())) <= 100
        assert "\x1b" not in answer.stdout


@pytest.mark.parametrize("name", ["results", "history", "compare", "sql"])
def test_answers_as_rows(name: str, examples: str) -> None:
    as_json = json.loads(run(*QUESTIONS[name], "--store", examples, "--format", "json").stdout)
    text = run(*QUESTIONS[name], "--store", examples, "--format", "csv").stdout
    as_csv = list(csv.DictReader(io.StringIO(text)))
    assert len(as_json) == len(as_csv) > 2
    for one, other in zip(as_json, as_csv, strict=True):
        assert list(one) == list(other)
        assert one["value"] is None or float(other["value"]) == one["value"]
        assert "unit" in one


def test_a_ranking_holds_only_what_may_be_compared(examples: str) -> None:
    rows = of_store(Store(examples)).rows("SELECT * FROM leaderboard")
    for ranked in rankings(rows).values():
        assert len({(row["round"], row["division"], row["system_type"]) for row in ranked}) == 1
        assert len({(row["benchmark"], row["scenario"], row["unit"]) for row in ranked}) == 1
        values = [row["value"] for row in ranked if row["rank"]]
        assert values == sorted(values, reverse=ranked[0]["better"] == "higher")


def test_ranks_ties_and_what_has_none() -> None:
    def row(name: str, value: float | None, *, power_only: bool = False) -> dict[str, object]:
        return {
            "comparability_key": "k", "submitter": name, "system": "s", "path": name,
            "better": "lower", "value": value, "power_only": power_only,
        }  # fmt: skip

    rows = [
        row("d", None),
        row("c", 2.0),
        row("a", 1.0),
        row("b", 1.0),
        row("e", 0.5, power_only=True),
    ]
    (ranked,) = rankings(rows).values()
    assert [(r["submitter"], r["rank"]) for r in ranked] == [
        ("a", 1), ("b", 1), ("c", 3), ("e", None), ("d", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("results", "--submitter", "Nobody"), "nothing of submitter Nobody; there are: Acme,"),
        (("results", "--round", "v1.0"), "nothing of round v1.0; there are: v5.1"),
        (("results", "--benchmark", "x"), "no results pass these filters; there are inference v5"),
        (("history", "Nobody"), "no results of 'Nobody'"),
        (("compare", "Acme/acme-dc-8x"), "give two systems or more"),
        (("compare", "Acme/acme-dc-8x", "Nobody"), "no results of a system 'Nobody'"),
        (("compare", "acme-dc-8x", "acme-edge-1x"), "no benchmark and scenario in common"),
        (("compare", "Acme/acme-edge-1x", "borealis-mini"), "another division: closed and open"),
        (
            ("compare", "Acme/acme-edge-1x", "borealis-mini", "--across", "--per", "watt"),
            "nothing to compare per watt: Acme/acme-edge-1x, Borealis/borealis-mini have no meas",
        ),
        (("query", "SELECT x FROM results"), "Referenced column"),
        (("query", "DROP VIEW results"), "give one SELECT"),
        (("query", "SELECT 1; SELECT 2"), "give one SELECT"),
        (("query", "COPY (SELECT 1) TO '/tmp/mlcheck'"), "give one SELECT"),
        (("query", "SELECT * FROM read_csv('/etc/passwd')"), "Permission Error"),
        (("query", "SELEC"), "Parser Error"),
        (("diff", "v9.9", "v5.1"), "v9.9 is no folder, no round and no ingest"),
        (("diff", "v5.1", "v5.1"), "may be any of inference/v5.1, training/v5.1"),
        (("export", "--format", "summary-csv"), "give --suite and --round"),
        (("export", "--format", "csv", "--view", "x"), "no view x"),
    ],
)  # fmt: skip
def test_questions_without_an_answer(words: tuple[str, ...], said: str, examples: str) -> None:
    answer = run(*words, "--store", examples)
    assert answer.exit_code == USAGE
    assert said in answer.stderr
    assert "Traceback" not in answer.output


def test_sql_cannot_write(examples: str) -> None:
    reader = of_store(Store(examples))
    before = reader.rows("SELECT count(*) AS n FROM results")
    for statement in (
        "SET enable_external_access = true",
        "INSERT INTO submissions SELECT * FROM submissions",
    ):
        assert run("query", statement, "--store", examples).exit_code == USAGE
    assert of_store(Store(examples)).rows("SELECT count(*) AS n FROM results") == before


def test_refused_results_are_shown_if_asked_for(scratch: Path) -> None:
    store = Store(str(scratch / "store"))
    keep(store, EXAMPLES / "inference-v5.1-broken")
    assert run("results", "--store", store.uri).exit_code == USAGE
    shown = run("results", "--store", store.uri, "--accepted-by", "any")
    assert shown.exit_code == PASS
    assert "policy: invalid, official: invalid" in shown.stdout


def test_submitted_text_is_not_obeyed(tree: Path, scratch: Path) -> None:
    name = "=cmd|' /C calc'!A0\x1b[31m\nred"
    SetJson(path="systems/acme-edge-1x.json", members={"system_name": name}).apply(
        Place(tree, "closed/Acme")
    )
    store = Store(str(scratch / "store"))
    keep(store, tree)
    shown = run("results", "--store", store.uri, "--system", "acme-edge-1x")
    assert "\x1b" not in shown.stdout
    assert "=cmd|' /C calc'!A0\\x1b[" in shown.stdout
    rows = run("results", "--store", store.uri, "--system", "acme-edge-1x", "--format", "csv")
    (first, *_) = csv.DictReader(io.StringIO(rows.stdout))
    assert first["system_name"] == f"'{name}"
    kept = run("export", "--store", store.uri, "--format", "json", "--submitter", "Acme")
    assert name in {row["system_name"] for row in json.loads(kept.stdout)}


def test_differences_of_two_trees(golden: Golden, scratch: Path) -> None:
    broken = EXAMPLES / "inference-v5.1-broken"
    for old, new, name in ((EXAMPLE, broken, "diff"), (broken, EXAMPLE, "diff-back")):
        answer = run("diff", old, new, "--exit-code", "--limit", "4")
        text = answer.stdout.replace(f"{EXAMPLES}/", "")
        golden(f"repository/{name}.txt", text)
        assert answer.exit_code == (FINDINGS if name == "diff" else PASS)
    assert run("diff", EXAMPLE, EXAMPLE, "--exit-code").exit_code == PASS
    same = run("diff", EXAMPLE, EXAMPLE).stdout
    assert "no differences\n11 results as they were, 0 for the worse" in same


def test_differences_of_two_ingests_and_rounds(tree: Path, scratch: Path) -> None:
    store = Store(str(scratch / "store"))
    first = keep(store, tree)
    log = (
        tree
        / "closed/Acme/results/acme-edge-1x/resnet50/Offline"
        / "performance/run_1/mlperf_log_detail.txt"
    )
    key = '"result_samples_per_second", "value": '
    head, _, tail = log.read_text().partition(key)
    log.write_text(f"{head}{key}5000.0{tail[tail.index(',') :]}")
    shutil.rmtree(tree / "open")
    second = keep(store, tree)
    ids = (first.ingest, second.ingest)
    rows = json.loads(run("diff", *ids, "--store", store.uri, "--format", "json").stdout)
    values = [row for row in rows if row["kind"] == "value"]
    assert [(row["where"], row["old"], row["new"]) for row in values] == [
        ("closed/Acme/acme-edge-1x: resnet Offline", 5299.91, 5000.0)
    ]
    assert values[0]["regression"] is True
    assert {row["where"] for row in rows if row["kind"] == "withdrawn"} == {
        f"open/Borealis/borealis-mini: resnet {scenario}"
        for scenario in ("MultiStream", "Offline", "SingleStream")
    }
    loose = run("diff", *ids, "--store", store.uri, "--tolerance", "10", "--format", "json")
    assert [row["regression"] for row in json.loads(loose.stdout) if row["kind"] == "value"] == [
        False
    ]
    current = run("diff", second.ingest, "v5.1", "--store", store.uri, "--format", "json").stdout
    assert {row["kind"] for row in json.loads(current)} == {"added"}  # Borealis of the first counts
    both = run("diff", "2", "v5.1", "--store", store.uri)
    assert "begins several ingests" in both.stderr


def test_the_baseline_and_divisors(examples: str) -> None:
    words = (
        "compare",
        "Acme/acme-edge-1x",
        "borealis-mini",
        "--across",
        "--store",
        examples,
        "--format",
        "json",
    )
    plain = json.loads(run(*words).stdout)
    other = json.loads(run(*words, "--baseline", "borealis-mini").stdout)
    mean = {
        row["system"]: row["times_better"] for row in plain if row["benchmark"] == "geometric mean"
    }
    back = {
        row["system"]: row["times_better"] for row in other if row["benchmark"] == "geometric mean"
    }
    one, two = "Acme/acme-edge-1x", "Borealis/borealis-mini"
    assert (mean[one], back[two]) == (1, 1)
    assert mean[two] == pytest.approx(1 / back[one])
    ratios = [
        row["times_better"]
        for row in plain
        if row["system"] == two and "result_id" in row and row["result_id"]
    ]
    product = 1.0
    for ratio in ratios:
        product *= ratio
    assert mean[two] == pytest.approx(product ** (1 / len(ratios)))
    per = json.loads(run(*words, "--per", "accelerator").stdout)
    for row in per:
        if row.get("unit", "") and row["benchmark"] != "geometric mean":
            rate = "/accelerator" in row["unit"] and row["better"] == "higher"
            assert (row["value"] is not None) == rate


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, examples: str) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "duckdb", None)
    answer = run("results", "--store", examples)
    assert answer.exit_code == USAGE
    assert "pip install 'mlcheck-toolkit[sql]'" in answer.stderr


def test_who_does_not_enter_the_next_round_is_not_worse() -> None:
    from mlcheck.repository.diff import changes
    from mlcheck.repository.sides import Side

    row: dict[str, object] = {
        "suite": "s", "round": "v1.0", "division": "closed", "submitter": "A", "system": "x",
        "benchmark": "b", "benchmark_raw": "b", "scenario": None, "path": "p", "verdict": "valid",
        "official_verdict": "valid", "metric": "m", "value": 1.0, "unit": "u", "better": "higher",
        "power_value": None, "power_unit": None, "quality": {},
    }  # fmt: skip
    old = Side(label="old", results=(row,), descriptions={})
    for round_, worse in (("v1.0", True), ("v1.1", False)):
        other = {**row, "round": round_, "submitter": "B"}
        new = Side(label="new", results=(other,), descriptions={})
        kinds = {change.kind: change.regression for change in changes(old, new)}
        assert kinds == {"withdrawn": worse, "added": False}
