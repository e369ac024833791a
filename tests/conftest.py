"""What all tests share: where the project lies, and throw-away copies of the examples."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.trees import EXAMPLES

Copy = Callable[[str], Path]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that rewrites what tests compare with."""
    parser.addoption("--update-golden", action="store_true", help="rewrite tests/golden")


@pytest.fixture(scope="session")
def example() -> Path:
    """Return the clean example. Read only."""
    return EXAMPLES / "inference-v5.1"


@pytest.fixture(scope="session")
def broken_example() -> Path:
    """Return the broken example. Read only."""
    return EXAMPLES / "inference-v5.1-broken"


@pytest.fixture
def scratch() -> Iterator[Path]:
    """Yield an empty folder that is gone after the test; ``tmp_path`` would keep a thousand trees."""
    with tempfile.TemporaryDirectory(prefix="mlcheck-test-") as name:
        yield Path(name)


@pytest.fixture
def tree(scratch: Path, example: Path) -> Path:
    """Return a copy of the clean example that the test may damage."""
    return Path(shutil.copytree(example, scratch / "tree"))
