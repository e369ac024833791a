"""``python -m mlcheck``."""

from mlcheck.cli import app

app()
