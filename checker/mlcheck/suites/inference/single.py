"""A LoadGen log, run folder or scenario folder by itself: where it would lie in a submission."""

from __future__ import annotations

from pathlib import PurePosixPath

from mlcheck.loadgen import read_detail
from mlcheck.suites.inference.recognise import DETAIL
from mlcheck.tree import Tree, join

ACCURACY_MODE = "AccuracyOnly"
RUN = "performance/run_1"
PARTS = frozenset(("performance", "accuracy"))
HOME = "closed/submitter/results/system"


def single_home(tree: Tree, path: PurePosixPath, benchmark: str | None) -> str | None:
    """Return the folder of a submission in which the files of a folder belong.

    Args:
        tree: the folder.
        path: where it really lies; may tell the benchmark.
        benchmark: its name, if the user says it.

    Returns:
        None: there is no log of LoadGen.

    Raises:
        ValueError: nothing tells the benchmark.
    """
    root = tree.folder("")
    if root is None:
        return None
    if PARTS & set(root.folders):
        logs = [f"{RUN}/{DETAIL}", f"accuracy/{DETAIL}"]
    elif DETAIL in root.files:
        logs = [DETAIL]
    else:
        return None
    for log in logs:
        detail = read_detail(tree, log)
        if detail.values:
            break
    else:
        return None
    scenario = detail.text("effective_scenario") or detail.text("requested_scenario") or "Offline"
    name = benchmark or _told(path, scenario)
    if name is None or "/" in name:
        raise ValueError("nothing tells the benchmark: give --benchmark")
    here = join(HOME, name, scenario)
    if logs != [DETAIL]:
        return here
    accuracy = detail.text("effective_test_mode") == ACCURACY_MODE
    return join(here, "accuracy" if accuracy else RUN)


def _told(path: PurePosixPath, scenario: str) -> str | None:
    """Return the folder of the benchmark: results/SYSTEM/BENCHMARK, or the one above a scenario."""
    parts = path.parts
    for at, part in enumerate(parts):
        if part == "results" and at + 3 < len(parts):
            return parts[at + 2]
    above = (parts[at - 1] for at in range(1, len(parts)) if parts[at].lower() == scenario.lower())
    return next(above, None)
