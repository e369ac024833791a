"""Each fault that was reported of other tools has a row: what keeps it out of here, or why not."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
import yaml

from tests import case_files
from tests.trees import REPOSITORY

HERE = Path(__file__).parent
TESTS = HERE.parent
REPORTS = REPOSITORY.parent / "shared/voices/faults.jsonl"


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What became of a report."""

    covered_by: list[str] = []
    not_applicable: str = ""
    note: str = ""


def rows(suite: str) -> dict[str, Row]:
    """Read the rows of a suite."""
    raw = yaml.safe_load((HERE / f"{suite}.yaml").read_text(encoding="utf-8"))
    return msgspec.convert(raw, dict[str, Row])


INFERENCE = rows("inference")


def exists(name: str) -> bool:
    """Tell whether there is such a case or test."""
    file, colons, test = name.partition("::")
    if not colons:
        return name in case_files.names()
    path = TESTS / file
    return path.is_file() and f"def {test}(" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("id_", INFERENCE)
def test_row_names_what_is_there(id_: str) -> None:
    row = INFERENCE[id_]
    assert bool(row.covered_by) is not bool(row.not_applicable)
    assert [name for name in row.covered_by if not exists(name)] == []


def test_every_case_of_a_report_is_named() -> None:
    named = {name for row in INFERENCE.values() for name in row.covered_by}
    assert {name for name in case_files.names() if "-voice-" in name} <= named


@pytest.mark.corpus
@pytest.mark.skipif(not REPORTS.is_file(), reason="the reports are not kept beside the project")
def test_every_report_has_a_row() -> None:
    reports = map(json.loads, REPORTS.read_text(encoding="utf-8").splitlines())
    ids = {report["id"] for report in reports if report["suite"].startswith(("inference", "power"))}
    assert ids == {*INFERENCE}
