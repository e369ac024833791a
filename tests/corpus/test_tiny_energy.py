"""Energy of published rounds of MLPerf Tiny, against what the official tool prints."""

from __future__ import annotations

import csv
from typing import Any

import pytest

from mlcheck.documents import read_text
from mlcheck.power.tiny import energy_flaws, published, supply_mv, tiny_energy
from mlcheck.resources import rules_root
from mlcheck.ruleset import read_yaml
from mlcheck.tree import Tree
from tests.corpus.conftest import SHARED, Corpus

pytestmark = pytest.mark.corpus
FACTS: dict[str, Any] = read_yaml(rules_root() / "tiny" / "energy.yaml")["energy"]
ROUNDS = {"tiny-v1.3": ("tiny-v1.3", 27), "tiny-v1.2": ("tiny-v1.2-as-v1.3", 18)}


@pytest.mark.parametrize("name", ROUNDS)
def test_energy_is_what_the_official_tool_prints(name: str, corpus: Corpus) -> None:
    golden, count = ROUNDS[name]
    root = corpus(name)
    with (SHARED / "golden" / f"{golden}.csv").open(encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines) if row["energy"]]
    assert rows
    for row in rows:
        text = read_text(Tree(str(root)), f"{row['path']}/energy/results.txt")
        streaming = row["path"].rpartition("/")[2] in FACTS["streaming"]
        value, unit = published(tiny_energy(text), streaming=streaming) or (0, "")
        assert value == pytest.approx(float(row["energy"]), rel=1e-9), row["path"]
        assert unit.rstrip(".") == row["energy_unit"].rstrip(".")
    assert len(list(root.glob("**/energy/results.txt"))) == count


@pytest.mark.parametrize("name", ROUNDS)
def test_published_energy_has_no_flaws(name: str, corpus: Corpus) -> None:
    root = corpus(name)
    for path in sorted(root.glob("**/energy/results.txt")):
        tree = Tree(str(root))
        here = str(path.relative_to(root))
        energy = tiny_energy(read_text(tree, here))
        streaming = path.parents[1].name in FACTS["streaming"]
        voltages = supply_mv(read_text(tree, here.replace("results.txt", "log.txt")))
        flaws = [*energy_flaws(energy, FACTS, streaming=streaming, voltages=voltages)]
        assert flaws == [], here
