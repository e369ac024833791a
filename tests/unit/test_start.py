"""A command imports what it needs and nothing heavy: it is run forty times a day."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.trees import EXAMPLES

HEAVY = ("pandas", "pyarrow", "numpy", "jinja2", "mlcheck_report", "mlcheck.normalize")
VALIDATION = ("jsonschema",)
TERMINAL = ("rich.console", "typer.rich_utils")
OTHER_SUITES = ("mlcheck.suites.training.suite", "mlcheck.suites.mobile.suite")
SUITES = ("mlcheck.suites.inference.suite", *OTHER_SUITES)
CODE = """
import sys
from mlcheck.cli import app
try:
    app(sys.argv[2:])
finally:
    print(*(name for name in sys.argv[1].split(",") if name in sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("words", "unwanted"),
    [
        (["--help"], (*HEAVY, *VALIDATION, *TERMINAL, *SUITES, "mlcheck.engine", "yaml")),
        (["verify", "--help"], (*HEAVY, *VALIDATION, *TERMINAL, *SUITES, "mlcheck.engine")),
        (["explain", "INF504"], (*HEAVY, *VALIDATION, *TERMINAL, *OTHER_SUITES)),
        (["verify", str(EXAMPLES / "inference-v5.1")], (*HEAVY, *TERMINAL, *OTHER_SUITES)),
    ],
    ids=lambda value: " ".join(value[:1]) if isinstance(value, list) else "",
)
def test_what_is_imported(words: list[str], unwanted: tuple[str, ...]) -> None:
    command = [sys.executable, "-c", CODE, ",".join(unwanted), *words]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    assert made.stderr.strip() == ""
