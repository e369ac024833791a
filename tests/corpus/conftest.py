"""Published rounds, where they are kept beside the project."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.trees import REPOSITORY

SHARED = REPOSITORY.parent / "shared"
ACCEPTANCE = SHARED / "acceptance"

Corpus = Callable[[str], Path]


@pytest.fixture(scope="session")
def acceptance() -> Path:
    """Return the folder of the acceptance kit, or skip."""
    if not ACCEPTANCE.is_dir():
        pytest.skip("the published corpora are not beside the project (../shared)")
    return ACCEPTANCE


@pytest.fixture(scope="session")
def corpus(acceptance: Path) -> Corpus:
    """Return a function that unpacks a corpus, once for all, and says where it lies."""

    def unpacked(name: str) -> Path:
        made = subprocess.run(
            [sys.executable, acceptance / "unpack.py", name],
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode:
            pytest.skip(made.stderr.strip())
        return Path(made.stdout.strip())

    return unpacked
