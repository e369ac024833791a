"""What is published: the right number in the right unit, of the scenario, for every benchmark."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from mlcheck.model import Report, Result
from mlcheck.normalize.schema import TABLES
from mlcheck.normalize.tables import rows_of
from mlcheck.normalize.write import write_tables
from mlcheck.suites.inference.facts import Benchmark, Scenario
from mlcheck.suites.inference.score import primary_metric, quality
from mlcheck_report.frames.ranked import ranked, records
from mlcheck_report.numbers import significant
from mlcheck_report.tables import read
from tests.edits import CopyBeside, Delete, Place, Power, Replace, SetJson
from tests.trees import REPOSITORY, ROUND, verified
from tests.voices.made_results import entry_of, every_round, facts_for, reading, scenarios_of, since


@every_round
def test_units_of_every_benchmark(round_: str) -> None:
    facts = facts_for(round_)
    for name, benchmark in facts.benchmarks.items():
        for scenario in scenarios_of(benchmark):
            logged = facts.scenarios[facts.scenarios[scenario].logged_as]
            kind = facts.metric_kind(benchmark, logged)
            metric = primary_metric(entry_of(facts, name, scenario, {kind.key: 3.0e9}), facts)
            assert metric, (name, scenario)
            assert metric.unit in _units(benchmark, logged, round_), (name, scenario)


def _units(benchmark: Benchmark, logged: Scenario, round_: str) -> set[str]:
    """Return the units that may be published of a benchmark in a scenario."""
    if logged.power == "energy":
        return {"ms", "s", "streams"}
    if benchmark.token_latencies and round_ in since("v4.1"):
        return {"tokens/s"}
    return {"samples/s", "queries/s", "tokens/s", "tasks/s"}


@pytest.mark.parametrize("round_", ["v6.0", "v6.1"])
def test_seconds_where_milliseconds_are_too_small(round_: str) -> None:
    facts = facts_for(round_)
    values = {"early_stopping_latency_ss": 21_400_000_000}
    metric = primary_metric(entry_of(facts, "wan-2.2-t2v-a14b", "SingleStream", values), facts)
    assert metric
    assert (metric.value, metric.unit) == (21.4, "s")
    assert significant(metric.value) == "21.40"


def test_small_energies_keep_their_digits() -> None:
    assert [significant(value) for value in (14.2, 9.8, 0.0142, 0.0098)] == [
        "14.20",
        "9.800",
        "0.01420",
        "0.009800",
    ]


def result(report: Report, path: str) -> Result:
    return next(result for result in report.results if result.path.endswith(path))


@pytest.mark.parametrize(
    ("path", "unit"),
    [
        ("acme-dc-8x/llama2-70b-99/Interactive", "W"),
        ("acme-dc-8x/llama2-70b-99/Server", "W"),
        ("acme-dc-8x/retinanet/Offline", "W"),
        ("acme-edge-1x/resnet50/MultiStream", "mJ/query"),
        ("acme-edge-1x/resnet50/SingleStream", "mJ/query"),
    ],
)
def test_power_by_scenario(tree: Path, path: str, unit: str) -> None:
    Power(path=f"closed/Acme/results/{path}").apply(Place(tree, ""))
    power = result(verified(tree), path).power
    assert power
    assert power.unit == unit
    assert (power.value == power.average_w) is (unit == "W")


@every_round
def test_only_streams_are_charged_per_query(round_: str) -> None:
    scenarios = facts_for(round_).scenarios
    charged = {name for name, scenario in scenarios.items() if scenario.power == "energy"}
    assert charged == {"SingleStream", "MultiStream"} & {*scenarios}


def test_offline_of_a_singlestream_run_is_its_rate_without_overhead(tree: Path) -> None:
    place = Place(tree, "closed/Acme")
    Delete(path="*/acme-edge-1x/resnet50/Offline").apply(place)
    CopyBeside(path="*/acme-edge-1x/resnet50/SingleStream", name="Offline").apply(place)
    inferred = result(verified(tree), "acme-edge-1x/resnet50/Offline")
    assert inferred.primary
    assert (inferred.primary.value_raw, inferred.primary.unit) == ("1613.65", "samples/s")


@pytest.mark.parametrize("division", ["closed", "open"])
def test_every_quality_value_is_kept_in_order(division: str) -> None:
    facts = facts_for("v4.1")
    printed = {"ROUGE1": 12.5, "ROUGE2": 3.25, "ROUGEL": 8.0, "GEN_LEN": 4_000_000.0}
    entry = reading(entry_of(facts, "gptj-99", "Offline", division=division), **printed)
    values = quality(entry, facts)
    assert {value.name: value.value for value in values} == printed
    assert {value.target is None for value in values} == {division == "open"}


def test_commas_shift_no_columns(tree: Path) -> None:
    name = 'R750, 4xA30, "new"\nsecond line'
    members = {"system_name": name, "sw_notes": "a,b;c\td"}
    SetJson(path="systems/acme-edge-1x.json", members=members).apply(Place(tree, "closed/Acme"))
    rows = rows_of(verified(tree), lambda _: None)["systems"]
    assert [row["system_name"] for row in rows if row["system"] == "acme-edge-1x"] == [name]
    assert len({tuple(row) for row in rows}) == 1


@pytest.mark.parametrize("count", [8, "8", " 8 "])
def test_counts_may_be_numbers_or_texts(tree: Path, count: object) -> None:
    members = {"accelerators_per_node": count, "number_of_nodes": "2"}
    SetJson(path="systems/acme-edge-1x.json", members=members).apply(Place(tree, "closed/Acme"))
    report = verified(tree)
    assert [finding.message for finding in report.findings] == []
    (row,) = (
        row for row in rows_of(report, lambda _: None)["systems"] if row["system"] == "acme-edge-1x"
    )
    assert (row["accelerators_per_node"], row["nodes"], row["accelerators_total"]) == (8, 2, 16)


def tables(report: Report, folder: Path) -> dict[str, pd.DataFrame]:
    """Return the tables of a report, written and read again."""
    assert len(list(write_tables(report, folder))) == len(TABLES)
    return read(folder).of("inference", ROUND)


def test_tables_are_typed_and_complete(tree: Path, scratch: Path) -> None:
    report = verified(tree)
    frames = tables(report, scratch / "tables")
    assert frames["metrics"]["value"].dtype == "float64"
    assert len(ranked(frames)) == len(report.results) == 11


@pytest.mark.parametrize("told", [True, "true", "True", 1, "1"])
def test_a_system_entered_for_power_alone_has_no_rank(
    tree: Path, scratch: Path, told: object
) -> None:
    home = Place(tree, "closed/Acme")
    Power(path="results/acme-edge-1x/resnet50/Offline").apply(home)
    SetJson(path="systems/acme-edge-1x.json", members={"system_power_only": told}).apply(home)
    rows = records(ranked(tables(verified(tree), scratch / "tables")))
    (row,) = (
        row for row in rows if (row["system"], row["scenario"]) == ("acme-edge-1x", "Offline")
    )
    assert row["average_w"]
    assert row["rank"] is None


def test_the_report_has_no_list_of_benchmarks() -> None:
    names = {
        name
        for round_ in ("v0.7", "v4.1", "v5.1", "v6.1")
        for name in facts_for(round_).benchmarks
        if "-" in name
    }
    text = "\n".join(
        path.read_text(encoding="utf-8")
        for path in (REPOSITORY / "report").rglob("*")
        if path.suffix in (".py", ".html", ".js") and path.name != "glossary.py"  # explains words
    )
    assert {name for name in names if re.search(rf"\b{re.escape(name)}\b", text)} == set()


def test_open_below_its_target_is_published(tree: Path) -> None:
    path = "results/borealis-mini/tinynet-v1/MultiStream"
    Replace(path=f"{path}/accuracy/accuracy.txt", find="^accuracy=68.412", by="accuracy=1.5").apply(
        Place(tree, "open/Borealis")
    )
    (value,) = result(verified(tree), path).quality
    assert (value.value, value.value_raw, value.target) == (1.5, "1.5", None)
