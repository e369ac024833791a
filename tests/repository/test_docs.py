"""The tour of docs/repository.md runs as it is written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.trees import REPOSITORY

pytest.importorskip("xlsxwriter", reason="the extra xlsx is not installed")


def test_the_tour(scratch: Path) -> None:
    text = (REPOSITORY / "docs/repository.md").read_text(encoding="utf-8")
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
