"""Stores made of the examples, in this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mlcheck.engine import Job, verify
from mlcheck.fingerprint import fingerprint
from mlcheck.model import Report
from mlcheck.repository.ingest import Ingested, ingest
from mlcheck.repository.source import Source
from mlcheck.repository.store import Store
from mlcheck.tree import Tree
from tests.trees import EXAMPLES, ROUND

pytest.importorskip("deltalake", reason="the extra store is not installed")
pytest.importorskip("duckdb", reason="the extra store is not installed")

NOWHERE = Source(None, None)
Keep = Callable[[Path], Ingested]


def judged(root: Path, suite: str = "inference", round_: str = ROUND) -> Report:
    return verify(Job(root=str(root), suite=suite, round=round_), jobs=1)


def keep(store: Store, root: Path, suite: str = "inference", round_: str = ROUND) -> Ingested:
    return ingest(store, judged(root, suite, round_), fingerprint(Tree(str(root))), NOWHERE)


@pytest.fixture
def store(scratch: Path) -> Store:
    """Return a store that is not there yet."""
    return Store(str(scratch / "store"))


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a store with all examples. Read only."""
    uri = str(tmp_path_factory.mktemp("examples") / "store")
    store = Store(uri)
    keep(store, EXAMPLES / "inference-v5.1")
    keep(store, EXAMPLES / "training-v5.1", "training")
    return uri


@pytest.fixture(scope="module")
def devices(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a store with the example of mobile. Read only."""
    store = Store(str(tmp_path_factory.mktemp("devices") / "store"))
    keep(store, EXAMPLES / "mobile-v5.0", "mobile", "v5.0")
    return store.uri
