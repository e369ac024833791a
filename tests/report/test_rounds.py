"""Joins, ranks, shares, margins."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mlcheck_report.frames.ranked import ranked, records
from mlcheck_report.frames.rounds import build
from mlcheck_report.frames.shape import NONE, Round
from mlcheck_report.tables import read

Rows = dict[str, list[dict[str, Any]]]
Write = Callable[..., Path]


@pytest.fixture
def by_id(write: Write) -> Callable[[Rows], dict[str, dict[str, Any]]]:
    def rank(rows: Rows) -> dict[str, dict[str, Any]]:
        frame = ranked(read(write(rows)).of("inference", "v5.1"))
        assert len(frame) == len(rows["results"])
        return {row["id"]: row for row in records(frame)}

    return rank


@pytest.fixture
def page(write: Write) -> Callable[[Rows], Round]:
    return lambda rows: build(read(write(rows)).of("inference", "v5.1"), "inference", "v5.1", {})


def test_ranks_follow_the_direction(rows: Rows, by_id: Any) -> None:
    found = by_id(rows)
    assert (found["aa01"]["rank"], found["aa05"]["rank"]) == (1, 2)  # samples/s: higher
    assert (found["aa06"]["rank"], found["aa02"]["rank"]) == (1, 2)  # ms: lower


def test_invalid_rows_have_neither_rank_nor_share(rows: Rows, by_id: Any) -> None:
    row = by_id(rows)["aa03"]
    assert row["value"] == 5000
    assert row["rank"] is None
    assert row["share"] is None


def test_results_entered_for_their_power_alone_have_no_rank(rows: Rows, by_id: Any) -> None:
    for place in (0, 1):
        rows["results"][place]["power_only"] = True
    ranks = {id_: row["rank"] for id_, row in by_id(rows).items()}
    assert ranks["aa02"] is None
    assert (ranks["aa01"], ranks["aa05"], ranks["aa06"]) == (1, 2, 1)  # aa01 has no power


def test_row_without_metric_stays_unranked(rows: Rows, by_id: Any) -> None:
    row = by_id(rows)["aa04"]
    assert row["value"] is None
    assert row["rank"] is None


def test_ties_share_a_rank(rows: Rows, by_id: Any) -> None:
    rows["metrics"][3]["value"] = 1000.0
    found = by_id(rows)
    assert [found[id_]["rank"] for id_ in ("aa01", "aa05")] == [1, 1]


def test_only_equal_keys_are_ranked_together(rows: Rows, by_id: Any) -> None:
    rows["results"][4]["comparability_key"] = "something else"
    found = by_id(rows)
    assert [found[id_]["rank"] for id_ in ("aa01", "aa05")] == [1, 1]
    assert found["aa01"]["section"] != found["aa05"]["section"]


def test_units_are_never_mixed(rows: Rows, by_id: Any) -> None:
    rows["metrics"][3]["unit"] = "queries/s"
    found = by_id(rows)
    assert found["aa01"]["section"] != found["aa05"]["section"]


def test_row_without_value_stands_with_its_like(rows: Rows, by_id: Any) -> None:
    del rows["metrics"][0]
    rows["results"][0]["comparability_key"] += "|no metric"
    rows["systems"][2]["category"] = "datacenter"
    found = by_id(rows)
    assert found["aa01"]["section"] == found["aa05"]["section"]


def test_share_of_the_best(rows: Rows, by_id: Any) -> None:
    found = by_id(rows)
    assert found["aa05"]["share"] == pytest.approx(0.8)
    assert found["aa02"]["share"] == pytest.approx(0.5)  # twice the time, half the bar


def test_per_accelerator_only_for_rates_with_a_count(rows: Rows, by_id: Any) -> None:
    found = by_id(rows)
    assert found["aa01"]["per"] == pytest.approx(125)
    assert found["aa02"]["per"] is None  # a time
    assert found["aa03"]["per"] is None  # no accelerators


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_what_is_no_number_has_no_rank(rows: Rows, by_id: Any, value: float) -> None:
    rows["metrics"][0]["value"] = value
    row = by_id(rows)["aa01"]
    assert row["value"] is None
    assert row["rank"] is None


@pytest.mark.parametrize("ceiling", ["<=", "<"])
def test_margins(rows: Rows, by_id: Any, ceiling: str) -> None:
    rows["quality"][2]["op"] = ceiling
    found = by_id(rows)
    assert found["aa01"]["margin"] == pytest.approx(100 * 0.8 / 75.7)
    assert found["aa02"]["margin"] == pytest.approx(10)  # below a ceiling
    assert found["aa03"]["quality_ok"] is False
    assert found["aa07"]["quality_ok"] is None


def test_tightest_margin_counts(rows: Rows, by_id: Any) -> None:
    rows["quality"].append(rows["quality"][0] | {"name": "f1", "value": 75.0, "ok": False})
    row = by_id(rows)["aa01"]
    assert row["margin"] == pytest.approx(-100 * 0.7 / 75.7)
    assert row["quality_ok"] is False


@pytest.mark.parametrize(
    "name", ["metrics", "quality", "power", "findings", "provenance", "systems"]
)
def test_empty_side_tables(rows: Rows, page: Any, name: str) -> None:
    rows[name] = []
    assert len(page(rows).rows) == len(rows["results"])


def test_page_orders_divisions_and_ranks(rows: Rows, page: Any) -> None:
    built = page(rows)
    assert [row["position"] for row in built.rows] == list(range(8))
    assert [section.division for section in built.sections] == ["closed"] * 3 + ["open"] * 2
    assert [row["id"] for row in built.sections[0].rows] == ["aa01", "aa05", "aa03"]


def test_sections_know_unknown_benchmarks(rows: Rows, page: Any) -> None:
    unknown = [section.label for section in page(rows).sections if not section.known]
    assert unknown == ["</script><script>alert(3)</script>"]


def test_choices_count_both_types_and_gaps(rows: Rows, page: Any) -> None:
    choices = page(rows).choices
    assert choices["type"] == {"datacenter": 7, "edge": 2, NONE: 1}
    assert choices["scenario"] == {"Offline": 4, "Server": 1, "SingleStream": 2, NONE: 1}
    assert choices["rule"] == {"INF021": 1, "SYS003": 2}


def test_findings_stand_with_results_and_rules(rows: Rows, page: Any) -> None:
    built = page(rows)
    assert [finding["id"] for finding in built.evidence["aa03"].findings] == ["f1", "f2"]
    found = {rule.rule: [f["id"] for f in rule.findings] for rule in built.rules}
    assert found == {"INF021": ["f1"], "SYS003": ["f2"], "GEN001": ["f3"]}
    assert [rule.results for rule in built.rules] == [1, 2, 0]


def test_what_was_not_judged_stands_with_its_result(rows: Rows, page: Any) -> None:
    assert [o["reason"] for o in page(rows).evidence["aa04"].outcomes] == ["the log does not say"]


def test_hardware_is_said_in_words(rows: Rows, page: Any) -> None:
    hardware = {row["id"]: row["hardware"] for row in page(rows).rows}
    assert hardware["aa01"] == "8 \N{MULTIPLICATION SIGN} H100"
    assert hardware["aa03"] == "CPU only: 4 \N{MULTIPLICATION SIGN} EPYC in 2 nodes"
    assert hardware['"><img src=x onerror=alert(2)>'] is None


def test_mixed_accelerators_are_found_under_each_and_have_no_share(
    rows: Rows, page: Any, by_id: Any
) -> None:
    rows["systems"][0]["accelerator"] = "GPU A (x32), GPU B (x16)"
    built = page(rows)
    row = next(row for row in built.rows if row["id"] == "aa01")
    assert row["kinds"] == ["GPU A", "GPU B"]
    assert row["hardware"] == "32 \N{MULTIPLICATION SIGN} GPU A + 16 \N{MULTIPLICATION SIGN} GPU B"
    assert row["per"] is None
    assert built.choices["accelerator"]["GPU A"] == built.choices["accelerator"]["GPU B"] == 2
    assert by_id(rows)["aa01"]["rank"] == 1  # its result as a whole is ranked as any other


def test_spellings_of_an_accelerator_are_one(rows: Rows, page: Any) -> None:
    rows["systems"][2]["accelerator"] = "h100"
    assert page(rows).choices["accelerator"] == {"H100": 5, NONE: 3}


def test_notes_stand_beside_the_name(rows: Rows, page: Any) -> None:
    rows["systems"][0] |= {
        "accelerator": "GPU A (450W TDP)",
        "description_json": '{"hw_notes": "liquid cooled"}',
    }
    row = next(row for row in page(rows).rows if row["id"] == "aa01")
    assert (row["kinds"], row["notes"]) == (["GPU A"], ["450W TDP", "liquid cooled"])


@pytest.mark.parametrize(
    ("spread", "runs", "close"),
    [
        (145.0, 4, True),  # 1.96 standard errors are 201 samples/s
        (143.0, 4, False),  # 198 samples/s
        (200.0, 1, False),  # of a single run nothing is known
        (None, 4, False),
    ],
)
def test_what_runs_do_not_separate_is_marked(
    rows: Rows, page: Any, spread: float | None, runs: int, close: bool
) -> None:
    for place in (0, 4):  # 1000 and 800 samples/s
        rows["results"][place] |= {"spread": spread, "runs": runs}
    marked = {row["id"]: row["close"] for row in page(rows).rows}
    assert marked["aa05"] is close
    assert marked["aa01"] is False


def test_open_accuracy_is_always_there(rows: Rows, page: Any) -> None:
    row = next(row for row in page(rows).rows if row["id"] == "aa07")
    assert (row["division"], row["accuracy"], row["margin"]) == ("open", "acc 1", None)


def test_description_that_is_no_json(rows: Rows, page: Any) -> None:
    rows["systems"][0]["description_json"] = "{"
    rows["systems"][1]["description_json"] = "[1]"
    assert len(page(rows).rows) == 8


def test_rounds_are_kept_apart(rows: Rows, write: Write) -> None:
    rows["results"][0]["round"] = "v6.0"
    tables = read(write(rows))
    assert tables.rounds() == [("inference", "v5.1"), ("inference", "v6.0")]
    assert list(tables.of("inference", "v6.0")["metrics"]["result_id"]) == ["aa01", "aa01"]
