"""Names of benchmarks and scenarios have one meaning, whatever their spelling."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlcheck.model import Verdict
from mlcheck.normalize.tables import rows_of
from mlcheck.suites.inference.score import logged_scenario
from mlcheck.suites.inference.textlog import read_text_run
from mlcheck.tree import Tree
from tests.edits import Place, Rename
from tests.trees import verified
from tests.voices.made_results import ROUNDS, entry_of, every_round, facts_for, flaws


@every_round
def test_an_alias_is_a_name_in_closed_too(round_: str) -> None:
    facts = facts_for(round_)
    for alias, benchmark in facts.aliases.items():
        entry = entry_of(facts, alias, "Offline")
        assert entry.benchmark is facts.benchmarks[benchmark]
        assert flaws("INF201", entry, facts) == []


@pytest.mark.parametrize(
    ("round_", "folder", "benchmark"),
    [
        ("v0.7", "ssd-mobilenet", "ssd-small"),
        ("v5.1", "llama3_1-405b", "llama3.1-405b"),
        ("v5.1", "llama3.1-405b", "llama3.1-405b"),
    ],
)
def test_spellings_of_early_reports(round_: str, folder: str, benchmark: str) -> None:
    facts = facts_for(round_)
    entry = entry_of(facts, folder, "Offline")
    assert entry.benchmark is facts.benchmarks[benchmark]
    assert flaws("INF201", entry, facts) == []


@pytest.mark.parametrize("division", ["closed", "open"])
@every_round
def test_another_spelling_is_told_those_of_the_round(round_: str, division: str) -> None:
    facts = facts_for(round_)
    for folder in ("llama3-405b", "Llama 3", "", "\N{SNOWMAN}"):
        (flaw,) = flaws("INF201", entry_of(facts, folder, "Offline", division=division), facts)
        assert all(name in (flaw.expected or "") for name in facts.benchmarks)


def _cases(name: str) -> set[str]:
    """Return a name in small and capital letters, its first ones and all of them."""
    return {name, name.lower(), name.upper(), name.capitalize(), name.swapcase()}


@every_round
def test_scenarios_are_known_in_letters_of_any_case(round_: str) -> None:
    facts = facts_for(round_)
    for name in facts.scenarios:
        for folder in _cases(name):
            entry = entry_of(facts, "resnet50", folder, division="open")
            assert entry.scenario is facts.scenarios[name]
            assert flaws("INF203", entry, facts) == []


@pytest.mark.parametrize(
    "round_", [name for name in ROUNDS if facts_for(name).log_format == "text"]
)
@pytest.mark.parametrize(
    ("printed", "scenario"),
    [("Single Stream", "SingleStream"), ("Multi Stream", "MultiStream"), ("Server", "Server")],
)
def test_old_summaries_write_a_scenario_in_two_words(
    scratch: Path, round_: str, printed: str, scenario: str
) -> None:
    (scratch / "detail").write_text('"pid": 1, "tid": 1, "ts": 1ns : made up\n')
    (scratch / "summary").write_text(f"Scenario : {printed}\nMode     : Performance\n")
    facts = facts_for(round_)
    log = read_text_run(Tree(str(scratch)), "detail", "summary", facts)
    found = logged_scenario(log, facts)
    assert found
    assert found.name == scenario


def test_tables_hold_the_names_of_the_rules(tree: Path) -> None:
    place = Place(tree, "closed/Acme")
    Rename(path="*/acme-edge-1x/resnet50/SingleStream", name="SINGLESTREAM").apply(place)
    Rename(path="*/acme-edge-1x/resnet50/Offline", name="offline").apply(place)
    Rename(path="*/acme-dc-8x/llama2-70b-99/Interactive", name="interactive").apply(place)
    rows = rows_of(verified(tree), lambda _: None)["results"]
    assert len(rows) == 11
    edge = {row["scenario"] for row in rows if row["system"] == "acme-edge-1x"}
    assert edge == {"SingleStream", "MultiStream", "Offline"}
    assert {row["benchmark"] for row in rows} == {"resnet", "retinanet", "llama2-70b-99"}


@pytest.mark.parametrize("edge", ["upper", "lower", "title"])
@pytest.mark.parametrize("llm", ["upper", "lower"])
def test_letters_do_not_change_the_verdict(tree: Path, edge: str, llm: str) -> None:
    place = Place(tree, "closed/Acme")
    for pattern, change in (
        ("acme-edge-1x/resnet50/Offline", edge),
        ("acme-edge-1x/resnet50/MultiStream", edge),
        ("acme-dc-8x/llama2-70b-99/Server", llm),
    ):
        name = getattr(pattern.rpartition("/")[2], change)()
        if name != pattern.rpartition("/")[2]:
            Rename(path=f"*/{pattern}", name=name).apply(place)
    report = verified(tree)
    assert {result.verdict for result in report.results} == {Verdict.VALID}
    assert {finding.severity for finding in report.findings} <= {"note"}
