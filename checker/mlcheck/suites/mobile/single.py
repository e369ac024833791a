"""A log, a run folder, a session folder or a result file of the app by itself."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from mlcheck.loadgen import DetailLog, read_detail
from mlcheck.suites.mobile.bare_paths import mend_paths
from mlcheck.suites.mobile.recognise import KIND, RECORDS, is_task
from mlcheck.suites.mobile.result_file import read_result_file
from mlcheck.tree import Folder, Tree, join

DETAIL, RECORD = "mlperf_log_detail.txt", "result.json"
ACCURACY_MODE = "AccuracyOnly"
HOME = "closed/submitter/results/system"
KINDS = ("performance", "accuracy")
KIND_FOLDERS = frozenset((*KINDS, "log_performance", "log_accuracy"))
NEAR = 5  # words of a path that may name the task: TASK/SCENARIO/performance/run_1/FILE
_RECORD_MARK = re.compile(rb'"benchmark_id"\s*:')


def name_of(raw: bytes) -> str | None:
    """Return the name that a file has in a submission; None: it is none of the app's own."""
    return RECORD if _RECORD_MARK.search(raw) else None


def single_home(tree: Tree, path: PurePosixPath, benchmark: str | None) -> str | None:
    """Return the folder of a submission in which the files of a folder belong.

    Args:
        tree: the folder.
        path: where it really lies; may tell the task.
        benchmark: its task, if the user says it.

    Returns:
        None: nothing tells that it is of the app; LoadGen's logs by themselves are of any suite.
    """
    root = tree.folder("")
    if root is None:
        return None
    if _is_session(tree, root):
        return HOME
    task = benchmark if benchmark and is_task(benchmark) else _told(path)
    if task is None or "/" in task:
        return None
    if DETAIL in root.files:
        accuracy = _log(tree, DETAIL).text("effective_test_mode") == ACCURACY_MODE
        return join(HOME, f"{task}-{KINDS[accuracy]}")
    if KIND_FOLDERS & set(root.folders):
        return join(HOME, task, _scenario(tree, root))
    return None


def _is_session(tree: Tree, root: Folder) -> bool:
    records = RECORDS & set(root.files)
    if any(read_result_file(tree, name).tasks for name in records):
        return True
    return any(is_task(name) for name in root.folders if name not in KIND_FOLDERS)


def _told(path: PurePosixPath) -> str | None:
    """Return the task that the last words of a path name, without what kind of run it was."""
    for word in reversed(path.parts[-NEAR:]):
        if word not in KIND_FOLDERS and is_task(word):
            return KIND.sub("", word)
    return None


def _log(tree: Tree, path: str) -> DetailLog:
    return read_detail(tree, path, mend_paths)


def _scenario(tree: Tree, root: Folder) -> str:
    """Return the scenario that the logs of a result were made in."""
    for kind in sorted(KIND_FOLDERS & set(root.folders)):
        for run in (kind, join(kind, "run_1")):
            scenario = _log(tree, join(run, DETAIL)).text("effective_scenario")
            if scenario:
                return scenario
    return "SingleStream"
