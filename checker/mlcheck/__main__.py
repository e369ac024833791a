"""``python -m mlcheck``."""

from mlcheck.cli import run

run()
