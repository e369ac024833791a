"""Schemas for editors say what verify says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mlcheck.editor_schemas import editor_schema, names
from mlcheck.ruleset import rounds
from mlcheck.settings.files import read_file
from mlcheck.settings.keys import SettingsError
from tests.command_line import PASS, USAGE, run
from tests.trees import EXAMPLES, REPOSITORY, verified

SYSTEM = "closed/Acme/systems/acme-edge-1x.json"
MEASURED = "closed/Acme/measurements/acme-edge-1x/resnet50/Offline/acme-edge-1x_acmert_Offline.json"
FIELDS: dict[str, Any] = json.loads((EXAMPLES / "inference-v5.1" / SYSTEM).read_text())


def fits(name: str, document: Any, round_: str = "v5.1") -> bool:
    return Draft202012Validator(editor_schema(name, "inference", round_)).is_valid(document)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("round_", [rounds("inference")[0], "v5.1", None])
def test_every_schema_is_one(name: str, round_: str | None) -> None:
    Draft202012Validator.check_schema(editor_schema(name, "inference", round_))


def test_every_training_round_has_one() -> None:
    for round_ in rounds("training"):
        schema = editor_schema("system", "training", round_)
        Draft202012Validator.check_schema(schema)
        path = next((EXAMPLES / "training-v5.1").glob("*/systems/*.json"))
        assert Draft202012Validator(schema).is_valid(json.loads(path.read_text())) or round_ < "v5"


def test_the_examples_fit() -> None:
    for path in (EXAMPLES / "inference-v5.1").glob("*/*/systems/*.json"):
        assert fits("system", json.loads(path.read_text()))
    for path in (EXAMPLES / "inference-v5.1").glob("*/*/measurements/*/*/*/*.json"):
        assert fits("measurements", json.loads(path.read_text()))


CHANGES: list[tuple[str, Any]] = [
    *((name, None) for name in FIELDS),
    ("number_of_nodes", "one"), ("number_of_nodes", 0), ("status", "sold"), ("status", "AVAILABLE"),
    ("system_type", "cloud"), ("accelerator_model_name", " "), ("framework", ""), ("submitter", ""),
    ("hw_notes", ""), ("accelerators_per_node", -1), ("cooling", []),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), CHANGES)
def test_editor_and_verify_agree_about_systems(tree: Path, name: str, value: Any) -> None:
    fields = {**FIELDS, name: value}
    if value is None:
        del fields[name]
    (tree / SYSTEM).write_text(json.dumps(fields))
    found = {
        finding.rule
        for finding in verified(tree).findings
        if finding.severity == "error" and finding.path == SYSTEM
    }
    found -= {"SYS009", "SYS010"}  # they hold it against its folder, which an editor does not see
    assert fits("system", fields) == (not found), found


@pytest.mark.parametrize("value", [None, "", " ", [], "fp32", ["fp32"]])
def test_editor_and_verify_agree_about_measurements(tree: Path, value: Any) -> None:
    fields = json.loads((tree / MEASURED).read_text())
    fields["weight_data_types"] = value
    (tree / MEASURED).write_text(json.dumps(fields))
    found = {f.rule for f in verified(tree).findings if f.path == MEASURED}
    assert fits("measurements", fields) == (not found), found


@pytest.mark.parametrize(
    "text",
    [
        'gate = "official"',
        'gate = "x"',
        "jobs = 0",
        "x = 1",
        "[profiles.a]\nx = 1",
        "[rules]\na = 1",
    ],
)
def test_editor_and_mlcheck_agree_about_settings(scratch: Path, text: str) -> None:
    import tomllib

    file = scratch / "mlcheck.toml"
    file.write_text(text)
    try:
        read_file(str(file))
        read = True
    except SettingsError:
        read = False
    assert fits("settings", tomllib.loads(text)) == read


def test_on_the_command_line(scratch: Path) -> None:
    assert "system\n" in run("schema", "list").stdout
    made = run("schema", "export", "system", "--round", "v5.1")
    assert made.exit_code == PASS
    assert json.loads(made.stdout)["title"].endswith("v5.1")
    run("schema", "export", "system", "--round", "v5.1", "--out", scratch / "s.json")
    assert (scratch / "s.json").read_text() == made.stdout
    for words in (["nothing"], ["system", "--suite", "x"], ["system", "--round", "v0.1"]):
        assert run("schema", "export", *words).exit_code == USAGE
    assert run("schema", "export", "measurements", "--suite", "training").exit_code == USAGE


def test_schemas_that_are_kept_are_listed() -> None:
    for name in ("waivers", "baseline", "report"):
        assert (REPOSITORY / f"schemas/{name}.schema.json").is_file()
        assert name in names()
