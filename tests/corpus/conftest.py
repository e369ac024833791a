"""Published rounds, where they are kept beside the project."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mlcheck.cache.memory import FolderMemory, user_folder
from mlcheck.engine import Job, verify
from mlcheck.model import Report
from tests.trees import REPOSITORY

SHARED = REPOSITORY.parent / "shared"
ACCEPTANCE = SHARED / "acceptance"

Corpus = Callable[[str], Path]


@pytest.fixture(scope="package", autouse=True)
def _judged_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let all processes of this run of tests remember what each of them judged."""
    mine = tmp_path_factory.getbasetemp()
    shared = mine.parent if os.environ.get("PYTEST_XDIST_WORKER") else mine
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MLCHECK_CACHE_DIR", str(shared / "judged"))
        yield


def judged(root: Path, suite: str, round_: str) -> Report:
    """Judge a published round, or remember it."""
    job = Job(root=str(root), suite=suite, round=round_)
    return verify(job, memory=FolderMemory(user_folder(), job))


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
