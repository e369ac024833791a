"""All published rounds in one store: nothing is lost, and exports are what was published."""

from __future__ import annotations

import csv
import fnmatch
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mlcheck.repository.reader import Reader, of_store
from mlcheck.repository.store import Store
from tests.command_line import PASS, run
from tests.corpus.conftest import Corpus
from tests.trees import REPOSITORY, scratch_folder

pytestmark = pytest.mark.corpus
pytest.importorskip("deltalake", reason="the extra store is not installed")
pytest.importorskip("duckdb", reason="the extra store is not installed")

ROUNDS = (
    "inference-v5.1", "inference-v5.0-unofficial", "training-v5.1", "training-v4.1",
    "mobile-v1.1", "mobile-v2.0", "mobile-v4.1", "mobile-v5.0",
)  # fmt: skip
APART = (  # parts of rounds above, and other repositories of the same round
    "inference-v5.1-mini", "inference-v5.0-test", "power-v1.1", "power-v5.1",
    "training-v5.1-mini", "training-power-v4.0", "training-power-v5.0",
)  # fmt: skip
PARITY = REPOSITORY / "rules/exports/parity.csv"
GOLDEN = REPOSITORY.parent / "shared/golden"


@pytest.fixture(scope="module")
def everything(corpus: Corpus) -> Iterator[str]:
    """Yield a store of all corpora of suites there are."""
    with scratch_folder() as folder:
        uri = str(folder / "store")
        for name in (*ROUNDS, *APART):
            collection = "main" if name in ROUNDS else name
            words = ("ingest", corpus(name), "--store", uri, "--collection", collection)
            assert run(*words).exit_code == PASS
        yield uri


@pytest.fixture(scope="module")
def reader(everything: str) -> Reader:
    """Return what counts in it."""
    return of_store(Store(everything))


def test_rows_are_conserved(reader: Reader) -> None:
    """Rows of submissions = rows of results = rows of leaderboards."""
    stated = reader.rows(
        "SELECT collection, sum(results) AS results, sum(official_valid) AS accepted "
        "FROM submissions GROUP BY ALL ORDER BY ALL"
    )
    shown = reader.rows(
        "SELECT s.collection, count(*) AS results, "
        "count(*) FILTER (b.official_verdict = 'valid') AS accepted FROM leaderboard b "
        "JOIN submissions s USING (ingest, division, submitter) GROUP BY ALL ORDER BY ALL"
    )
    assert [list(row.values()) for row in stated] == [list(row.values()) for row in shown]
    assert len(stated) == 1 + len(APART)


def test_results_of_devices_are_all_there(reader: Reader) -> None:
    """As many as published, each with what LoadGen logged of it."""
    for name in (name for name in ROUNDS if name.startswith("mobile")):
        rows = reader.rows(
            "SELECT * FROM leaderboard WHERE suite = 'mobile' AND round = ?",
            [name.partition("-")[2]],
        )
        assert {row["path"] for row in rows} == {row["path"] for row in golden(name)}
        assert all(row["value"] is not None and row["unit"] for row in rows)
        assert all(row["soc"] and row["soc_raw"] and row["accelerator"] for row in rows)


@pytest.mark.parametrize("round_", ["v1.1", "v2.0", "v4.1", "v5.0"])
def test_the_summary_of_devices_holds_every_accepted_result(round_: str, everything: str) -> None:
    words = ("export", "--suite", "mobile", "--round", round_, "--store", everything)
    answer = run(*words, "--format", "summary-csv")
    assert answer.exit_code == PASS
    values = sorted(
        float(cell)
        for row in csv.DictReader(io.StringIO(answer.stdout))
        for title, cell in row.items()
        if cell and title.endswith((" (ms)", " (samples/s)"))
    )
    rows = json.loads(run(*words, "--format", "json").stdout)
    assert values == sorted(row["value"] for row in rows)


def golden(name: str) -> list[dict[str, str]]:
    with (GOLDEN / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def explained(field: str, path: str) -> bool:
    with PARITY.open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["field"] == field]
    assert all(row["reason"].strip() for row in rows)
    return any(fnmatch.fnmatchcase(path, row["path"]) for row in rows)


def exported(uri: str, *words: str) -> str:
    only = ("--suite", "inference", "--round", "v5.1", "--collection", "main", "--store", uri)
    answer = run("export", *words, *only)
    assert answer.exit_code == PASS, answer.stderr
    return answer.stdout


def test_every_published_value_of_v5_1_is_exported_or_explained(everything: str) -> None:
    documents = json.loads(exported(everything, "--format", "summary-json"))
    found: dict[str, dict[str, Any]] = {row["Location"]: row for row in documents}
    assert len(found) == len(documents)
    published = 0
    for row in golden("inference-v5.1"):
        mine = found.pop(row["path"], None)
        if row["artefact"]:  # evidence that the corpus lacks
            assert mine is None
            continue
        if row["published"] != "yes":
            assert mine is None or explained("published", row["path"])
            continue
        assert mine is not None, row["path"]
        published += 1
        assert mine["Performance_Result"] == pytest.approx(float(row["published_value"]), rel=1e-9)
        power = row["published_power"]
        assert ("Power_Result" in mine) == bool(power)
        if power:
            assert mine["Power_Result"] == pytest.approx(float(power), rel=1e-9)
        assert mine["Accuracy"] == row["accuracy"]
        assert mine["Performance_Units"] == row["unit"] or explained("unit", row["path"])
    assert found == {}
    assert published == 1394


def test_the_official_csv_holds_what_the_official_tool_accepts(everything: str) -> None:
    rows = list(csv.DictReader(io.StringIO(exported(everything, "--format", "summary-csv"))))
    speeds = {row["Location"] for row in rows if row["Units"] not in ("Watts", "millijoules")}
    assert speeds == {row["path"] for row in golden("inference-v5.1") if row["verdict"] == "valid"}
    measured = {row["Location"] for row in rows} - (
        speeds - {r["Location"] for r in rows if r["has_power"] == "True"}
    )
    assert measured == {row["path"] for row in golden("inference-v5.1") if row["power"]}


def test_the_official_csv_of_training(everything: str) -> None:
    words = (
        "--suite",
        "training",
        "--round",
        "v5.1",
        "--collection",
        "main",
        "--store",
        everything,
    )
    answer = run("export", "--format", "summary-csv", *words)
    values = sorted(
        float(cell)
        for row in csv.DictReader(io.StringIO(answer.stdout))
        for name, cell in row.items()
        if cell and name.startswith(("llama", "dlrm", "retinanet", "flux", "rgat", "llama31"))
    )
    accepted = [row for row in golden("training-v5.1") if row["verdict"] == "valid"]
    expected = sorted(float(row["score_minutes"]) for row in accepted if row["score_minutes"])
    assert values == pytest.approx(expected, abs=1e-9)


def test_all_names_of_published_rounds_are_known(reader: Reader) -> None:
    unknown = reader.rows("SELECT DISTINCT unnest(unknown_names) AS name FROM systems ORDER BY 1")
    # what a hypervisor reports, a kind and no name, and what a script wrote where it knew nothing
    assert [row["name"] for row in unknown] == [
        "Intel Xeon Processor (SapphireRapids)",
        "NPU",
        "undefined",
    ]


def test_two_kinds_of_accelerators_are_found_by_either(everything: str) -> None:
    words = ("results", "--store", everything, "--collection", "main", "--format", "json")
    systems = {}
    for family in ("MI300X", "MI325X"):
        rows = json.loads(run(*words, "--accelerator", family, "--suite", "inference").stdout)
        systems[family] = {row["system"] for row in rows if len(row["accelerators"]) == 2}
    assert systems["MI300X"] == systems["MI325X"] != set()


def test_differences_of_rounds(everything: str) -> None:
    words = ("--store", everything, "--collection", "main")
    made = run("diff", "training/v4.1", "training/v5.1", *words)
    assert made.exit_code == PASS
    assert "Results withdrawn" in made.stdout
    assert run("diff", "inference/v5.1", "inference/v5.1", *words, "--exit-code").exit_code == PASS


def test_history_of_an_accelerator_over_rounds(everything: str) -> None:
    words = ("history", "H100", "--suite", "training", "--store", everything, "--format", "json")
    rows = json.loads(run(*words).stdout)
    lora = [
        row for row in rows if row["benchmark"] == "llama2_70b_lora" and row["division"] == "closed"
    ]
    assert [row["round"] for row in lora] == ["v4.0", "v4.1", "v5.1"]
    assert lora[0]["times_better"] is None
    assert lora[1]["times_better"] == pytest.approx(lora[0]["value"] / lora[1]["value"])


def test_a_device_is_found_by_its_soc(everything: str) -> None:
    words = ("history", "Snapdragon 8 Elite", "--store", everything, "--format", "json")
    rows = json.loads(run(*words).stdout)
    assert {(row["suite"], row["round"], row["soc"]) for row in rows} == {
        ("mobile", "v5.0", "Qualcomm Snapdragon 8 Elite")
    }
    found = json.loads(run("results", "--accelerator", "Hexagon 780", *words[2:]).stdout)
    assert {row["system"] for row in found} == {"SDM888+"}


def test_an_edit_of_v5_1_changes_0_of_1449(everything: str, tmp_path: Path) -> None:
    rules = (REPOSITORY / "rules/inference/v5.1.yaml").read_text(encoding="utf-8")
    file = tmp_path / "edited.yaml"
    file.write_text(rules.replace("file_bytes: 52428800", "file_bytes: 52428801"), encoding="utf-8")
    words = ("rules", "impact", file, "--store", everything, "--collection", "main")
    assert run(*words).stdout.splitlines()[-1] == "this edit changes 0 of 1,449"
