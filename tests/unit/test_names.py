"""Names of parts: one for each, whatever was written; nothing is guessed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from mlcheck.normalize.names import KINDS, Named, Names, names
from mlcheck.normalize.tables import rows_of
from mlcheck.overlay import RulesetError
from mlcheck.ruleset import read_yaml, validate
from tests.edits import Place, SetJson
from tests.trees import verified

H100 = "NVIDIA H100-SXM-80GB"
MI300X, MI325X = "AMD Instinct MI300X 192GB HBM3", "AMD Instinct MI325X 256GB HBM3e"
GEN3 = "Qualcomm Snapdragon 8 Gen 3"
TURIN, GENOA = "AMD EPYC 9575F", "AMD EPYC 9654"


@pytest.mark.parametrize(
    ("kind", "text", "known", "unknown"),
    [
        ("accelerators", H100, [H100], []),
        ("accelerators", "  nvidia  h100-sxm5-80GB ", [H100], []),
        ("accelerators", "NVIDIA® H100 80GB HBM3", [H100], []),
        ("accelerators", "8x NVIDIA H100-SXM-80GB", [H100], []),
        ("accelerators", "NVIDIA H100-SXM-80GB (x8)", [H100], []),
        ("accelerators", "Virtualized NVIDIA H200-SXM-141GB", ["NVIDIA H200-SXM-141GB"], []),
        ("accelerators", "NVIDIA Blackwell GPU (B200-SXM-180GB)", ["NVIDIA B200-SXM-180GB"], []),
        ("accelerators", "AMD Instinct MI325X 256GB HBM3E DLC", [MI325X], []),
        ("accelerators", f"{MI300X} (x32), {MI325X} (x16)", [MI300X, MI325X], []),
        ("accelerators", f"{MI325X} + {MI300X}", [MI325X, MI300X], []),
        ("accelerators", f"{MI300X}, Acme Boulder", [MI300X], ["Acme Boulder"]),
        ("accelerators", "Acme Boulder, Acme Reed", [], ["Acme Boulder, Acme Reed"]),
        ("accelerators", "NVIDIA H100", [], ["NVIDIA H100"]),  # which of them is not said
        ("accelerators", "NVIDIA H100-SXM-80GBx", [], ["NVIDIA H100-SXM-80GBx"]),
        ("accelerators", "H100-SXM-80GB", [], ["H100-SXM-80GB"]),
        ("accelerators", "x8", [], ["x8"]),
        ("processors", "INTEL(R) XEON(R) PLATINUM 8480+", ["Intel Xeon Platinum 8480+"], []),
        ("processors", "Intel(R) Xeon(R) Gold 6252 CPU @ 2.10GHz", ["Intel Xeon Gold 6252"], []),
        ("processors", "2xAMD EPYC 9575F 64-Core Processor", [TURIN], []),
        ("processors", f"{TURIN} (MI325X), {GENOA} (MI300X)", [TURIN, GENOA], []),
        ("processors", f"{TURIN} (on MI300X node), {GENOA} (on MI325X node)", [TURIN, GENOA], []),
        ("processors", f"{TURIN} (overclocked)", [], [f"{TURIN} (overclocked)"]),
        ("processors", "Qualcomm Snapdragon 8 Gen 3 Mobile Platform", [GEN3], []),
        ("processors", "Qualcomm Snapdragon X Elite Platform", ["Qualcomm Snapdragon X Elite"], []),
        ("accelerators", "Qualcomm Hexagon(TM) NPU", ["Qualcomm Hexagon NPU"], []),
        ("accelerators", "NPU", [], ["NPU"]),  # whose, is not said
        ("processors", "undefined", [], ["undefined"]),
        ("processors", "", [], [""]),
    ],
)  # fmt: skip
def test_what_a_text_names(kind: str, text: str, known: list[str], unknown: list[str]) -> None:
    assert names(kind).named(text) == Named(tuple(known), tuple(unknown))


@pytest.mark.parametrize("kind", KINDS)
def test_every_name_and_alias_names_its_part(kind: str) -> None:
    path = Path(__file__).parents[2] / "rules/names" / f"{kind}.yaml"
    for entry in read_yaml(path)["names"]:
        for text in (entry["name"], *entry.get("aliases", ())):
            assert names(kind).named(text) == Named((entry["name"],), ())
        assert entry["name"].split()[0].lower() == entry["vendor"].lower()


@pytest.mark.parametrize("kind", KINDS)
def test_names_are_in_the_table_once(kind: str) -> None:
    path = Path(__file__).parents[2] / "rules/names" / f"{kind}.yaml"
    counted = Counter(entry["name"] for entry in read_yaml(path)["names"])
    assert max(counted.values()) == 1


def test_a_text_that_names_two_parts_is_an_error_of_the_table() -> None:
    part = {"vendor": "v", "family": "f"}
    document = {
        "drop": [],
        "names": [{**part, "name": "a", "aliases": ["x"]}, {**part, "name": "X"}],
    }
    validate(document, "names", "test")
    with pytest.raises(RulesetError, match="'X' names two parts"):
        Names(document)


def test_raw_text_is_kept_and_the_unknown_is_told(tree: Path) -> None:
    members = {
        "accelerator_model_name": f"{MI325X} (x4),  Acme Boulder (x4)",
        "host_processor_model_name": " AMD EPYC 9654 96-Core Processor",
    }
    SetJson(path="systems/acme-edge-1x.json", members=members).apply(Place(tree, "closed/Acme"))
    systems = rows_of(verified(tree), lambda _: None)["systems"]
    (row,) = (row for row in systems if row["system"] == "acme-edge-1x")
    assert row["accelerator_raw"] == members["accelerator_model_name"]
    assert row["accelerator"] == f"{MI325X} (x4), Acme Boulder (x4)"  # not a half of it
    assert row["accelerators"] == [MI325X]
    assert row["unknown_names"] == ["Acme Boulder (x4)"]
    assert row["host_cpu_raw"] == members["host_processor_model_name"]
    assert row["host_cpu"] == GENOA


def test_two_kinds_have_one_spelling_whatever_their_order() -> None:
    for text in (f"{MI300X} (x8), {MI325X} (x8)", f"{MI325X} and {MI300X}"):
        assert names("accelerators").named(text).text(text) == f"{MI300X} + {MI325X}"
