"""Runs the command line in this process."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner, Result

from mlcheck.cli import app

PASS, FINDINGS, USAGE, NOTHING = 0, 1, 2, 4


def run(*words: str | Path) -> Result:
    """Run ``mlcheck WORDS``."""
    return CliRunner().invoke(app, [str(word) for word in words])
