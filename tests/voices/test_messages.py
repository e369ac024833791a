"""A finding says what was asked for, what was found, where, and how often."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from mlcheck.documents import Document
from mlcheck.loadgen import LoggedError
from mlcheck.output.text import text_report
from mlcheck.suites.inference.entry import SystemView
from mlcheck.suites.inference.facts import Facts
from tests import case_files
from tests.edits import Delete, Place, SetJson, SetKey
from tests.trees import verified
from tests.voices.made_results import entry_of, every_round, facts_for, flaws, system_of


def test_asked_for_and_found_are_not_swapped(scratch: Path) -> None:
    case_files.build("INF309-few-samples-loaded", scratch / "tree")
    text = "\n".join(line.text for line in text_report(verified(scratch / "tree")))
    assert "expected >= 1024, found 1023" in text
    assert "mlperf_log_detail.txt:" in text
    assert "-> set performance_sample_count as in mlperf.conf" in text


def test_what_counts_comes_first(tree: Path) -> None:
    place = Place(tree, "closed/Acme")
    Delete(path="measurements/acme-edge-1x/resnet50/Offline/README.md").apply(place)
    SetKey(
        path="results/acme-dc-8x/*/*/accuracy/mlperf_log_detail.txt",
        key="loadgen_version",
        value="5.0.1 @ 0123456789",
    ).apply(place)
    SetJson(path="systems/acme-dc-8x.json", members={"favourite_colour": "blue"}).apply(place)
    lines = text_report(verified(tree))
    heads = [line for line in lines if line.style in ("error", "warning", "note")]
    assert [line.text.split()[:2] for line in heads] == [
        ["error", "INF102"],
        ["warning", "INF321"],
        ["note", "SYS014"],
    ]


def test_errors_of_a_log_are_counted() -> None:
    facts = facts_for("v5.1")
    entry = entry_of(facts, "resnet", "Offline")
    assert entry.performance
    assert entry.log
    errors = tuple(LoggedError(line, "made up") for line in range(100, 137))
    log = replace(entry.log, errors=errors)
    found = flaws(
        "INF305", replace(entry, performance=replace(entry.performance, detail=log)), facts
    )
    text = " ".join(f"{flaw.message} {flaw.actual}" for flaw in found)
    assert "37" in text
    assert "136" in text


def described(facts: Facts, fields: dict[str, object]) -> SystemView:
    """Return a system with a description."""
    return replace(system_of(facts), description=Document(path="box.json", fields=fields))


@every_round
def test_only_what_the_round_wants_filled_in_may_not_be_empty(round_: str) -> None:
    facts = facts_for(round_)
    system = described(facts, dict.fromkeys(facts.system["required"], ""))
    assert flaws("SYS004", system, facts) == []
    wanted = {*facts.system["nonempty"]} & {*facts.system["required"]}
    assert len(flaws("SYS005", system, facts)) == len(wanted)
    filled = described(facts, dict.fromkeys(wanted, "N/A"))
    assert flaws("SYS005", filled, facts) == []


def test_rated_power_may_stand_in_the_description() -> None:
    facts = facts_for("v6.1")
    assert flaws("SYS014", described(facts, {"system_power_capacity": 1200}), facts) == []
