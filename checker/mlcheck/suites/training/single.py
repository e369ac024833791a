"""A training log by itself: where it would lie in a submission."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from mlcheck.suites.training.log_lines import Event
from mlcheck.suites.training.mllog import read_log
from mlcheck.suites.training.recognise import LOG, forms
from mlcheck.tree import Tree

BENCHMARK = "submission_benchmark"
HOME = "submitter/results/system"
FIRST = f"{LOG}0.txt"
_MARK = re.compile(rb'"key":\s*"submission_benchmark"')


def name_of(raw: bytes) -> str | None:
    """Return the name that a log has in a submission; None: it is none of a training run."""
    return FIRST if _MARK.search(raw) else None


def single_home(tree: Tree, path: PurePosixPath, benchmark: str | None) -> str | None:
    """Return the folder of a submission in which the files of a folder belong.

    Args:
        tree: the folder.
        path: where it really lies; not needed, the log names its benchmark.
        benchmark: its name, if the user says it.

    Returns:
        None: there is no log of a training run.

    Raises:
        ValueError: no log names a benchmark.
    """
    root = tree.folder("")
    logs = [name for name in root.files if name.startswith(LOG)] if root else []
    for name in sorted(logs):
        event = _named(tree, name)
        if event:
            said = event.value if isinstance(event.value, str) else None
            if not (benchmark or said) or "/" in (benchmark or said or ""):
                raise ValueError("the log names no benchmark: give --benchmark")
            return f"{HOME}/{benchmark or said}"
    return None


def _named(tree: Tree, name: str) -> Event | None:
    """Return the line that names the benchmark, in whatever form the log is written."""
    for form in forms():
        event = read_log(tree, name, frozenset((BENCHMARK,)), form).first(BENCHMARK)
        if event:
            return event
    return None
