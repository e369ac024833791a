"""What all tests share: where the project lies, and throw-away copies of the examples."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.trees import EXAMPLES, copy_tree, scratch_folder

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = Path("/usr/bin/chromium")  # else the one that playwright has installed itself
GOLDEN = Path(__file__).parent / "golden"


def pytest_configure() -> None:
    """Let processes that tests start be interrupted, also if the tests run in the background."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that rewrites what tests compare with."""
    parser.addoption("--update-golden", action="store_true", help="rewrite tests/golden")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let a test fail that is skipped though ``MLCHECK_REQUIRE`` names one of its markers."""
    report = yield
    required = {name for name in os.environ.get("MLCHECK_REQUIRE", "").split(",") if name}
    needed = required & {marker.name for marker in item.iter_markers()}
    if needed and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"required, but skipped: {report.longrepr}"
    return report


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the user's cache out of tests, and tests out of it."""
    os.environ["MLCHECK_CACHE_DIR"] = str(tmp_path_factory.mktemp("cache"))


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
    """Yield an empty folder that is gone after the test; ``tmp_path`` would keep it."""
    with scratch_folder() as folder:
        yield folder


@pytest.fixture
def tree(scratch: Path, example: Path) -> Path:
    """Return a copy of the clean example that the test may damage."""
    return copy_tree(example, scratch / "tree")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Return a function that holds a text against a file of ``tests/golden``."""

    def compare(name: str, text: str) -> None:
        file = GOLDEN / name
        if request.config.getoption("--update-golden"):
            file.write_text(text, encoding="utf-8")
        assert text == file.read_text(encoding="utf-8")

    return compare


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium for all tests."""
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        path = str(CHROMIUM) if CHROMIUM.exists() else None
        try:
            started = playwright.chromium.launch(
                executable_path=path, args=["--no-sandbox", "--disable-gpu"]
            )
        except api.Error as err:
            pytest.skip(f"no Chromium: {err.message.splitlines()[0]}")
        yield started
        started.close()
