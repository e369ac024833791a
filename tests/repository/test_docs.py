"""The tour of docs/repository.md runs as it is written."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mlcheck.repository.layout import STORED
from mlcheck.repository.store import Store
from tests.repository.conftest import keep
from tests.trees import EXAMPLES, REPOSITORY

pytest.importorskip("xlsxwriter", reason="the extra xlsx is not installed")


DOCS = REPOSITORY / "docs/repository.md"
ENGINES = re.findall(r"^```python\n(.*?)^```", DOCS.read_text(encoding="utf-8"), re.M | re.S)


@pytest.mark.parametrize("code", ENGINES, ids=["polars", "duckdb", "spark"])
def test_other_engines_read_the_store_as_it_is(code: str, scratch: Path) -> None:
    """What counts, and no row of a submission that was replaced."""
    for module in re.findall(r"^(?:import|from) (\w+)", code, re.M):
        pytest.importorskip(module)
    if "pyspark" in code and shutil.which("java") is None:
        pytest.skip("no Java")
    store = Store(str(scratch / "results-store"))
    for name in ("inference-v5.1-broken", "inference-v5.1"):
        keep(store, EXAMPLES / name)
    made = subprocess.run(
        [sys.executable, "-c", code], cwd=scratch, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    assert re.search(r"v5\.1\W+11\W", made.stdout), made.stdout


def test_every_reader_of_delta_lake_knows_the_protocol(examples: str) -> None:
    for name in STORED:
        protocol = Store(examples).table(name).protocol()
        assert (protocol.min_reader_version, protocol.min_writer_version) == (1, 2)


def test_the_tour(scratch: Path) -> None:
    text = DOCS.read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)
    assert len(blocks) > 4
    for name in ("submissions_example", "rules"):
        (scratch / name).symlink_to(REPOSITORY / name)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    made = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(blocks)],
        cwd=scratch,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    assert "this edit changes 11 of 11" in made.stdout or "changes 0 of 11" in made.stdout
    assert "the receipt holds" in made.stdout
    for name in ("summary.csv", "summary_results.json", "inference.xlsx", "site/index.html"):
        assert (scratch / name).stat().st_size > 0
    for command in re.findall(r"mlcheck (\w+)", text):
        assert command in made.args[-1] or command in {"is", "will"}
