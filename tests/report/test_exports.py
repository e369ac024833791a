"""Data files of a site: what their schemas say holds, and says the same as the columns."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from mlcheck_report.frames.exported import COLUMNS

ROUND = "inference-v5.1"


def load(path: Path) -> Any:
    return json.loads(path.read_bytes())


def validator(site: Path, name: str) -> Draft202012Validator:
    schemas = {path.name: load(path) for path in (site / "schemas").iterdir()}
    registry: Registry[Any] = Registry().with_resources(
        (name, Resource.from_contents(document)) for name, document in schemas.items()
    )
    Draft202012Validator.check_schema(schemas[name])
    return Draft202012Validator(schemas[name], registry=registry)


def test_data_files_are_as_their_schemas_say(site: Path) -> None:
    for path, depth in ((site / ROUND / "results.json", 1), (site / ROUND / "results", 2)):
        files = sorted(path.glob("*.json")) if path.is_dir() else [path]
        assert files
        for file in files:
            document = load(file)
            assert document["$schema"].count("../") == depth
            schema = (file.parent / document["$schema"]).resolve()
            assert schema.is_file()
            assert list(validator(site, schema.name).iter_errors(document)) == []


def test_every_column_is_explained(site: Path) -> None:
    schema = load(site / "schemas" / "site-results.schema.json")
    explained = schema["$defs"]["result"]["properties"]
    names = [name for name, _ in COLUMNS]
    assert [name for name in explained if name != "findings_of_rules"] == names
    assert all(facts["description"] for facts in explained.values())
    with (site / ROUND / "results.csv").open(encoding="utf-8", newline="") as file:
        assert next(csv.reader(file)) == names


def test_a_schema_refuses_what_is_none_of_it(site: Path) -> None:
    document = load(site / ROUND / "results.json")
    document["results"][0]["result"] = "1000"
    assert not validator(site, "site-results.schema.json").is_valid(document)
    del document["results"][0]["result"]
    assert not validator(site, "site-results.schema.json").is_valid(document)


def test_derived_columns(site: Path) -> None:
    rows = {row["id"]: row for row in load(site / ROUND / "results.json")["results"]}
    assert rows["aa01"]["per_accelerator_derived"] == 125
    assert rows["aa03"]["per_node_derived"] == 2500
    assert rows["aa03"]["per_accelerator_derived"] is None
    assert rows["aa02"]["per_watt_derived"] is None  # a time
