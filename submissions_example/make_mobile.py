"""Writes an example submission of MLPerf Mobile v5.0: clean, small, and all invented.

Nothing was measured and nobody is described. No clock and no random number is asked: the script
writes the same bytes every time. One device keeps its logs as the app exports them, the other in
folders of tasks and scenarios.

    python submissions_example/make_mobile.py [--out DIR]
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator
from pathlib import Path

from makers.mobile import documents, logs, record
from makers.mobile.plans import DEVICES, MODES, TASKS, Device, Score, Task

ROUND = "mobile-v5.0"


def files() -> Iterator[tuple[str, str | bytes]]:
    """Yield path and content of every file."""
    yield "README.md", documents.README
    for device in DEVICES:
        home = f"closed/{device.submitter}"
        results = f"{home}/results/{device.system}"
        yield f"{home}/Calibration.md", documents.CALIBRATION
        yield f"{home}/code/README.md", documents.CODE
        yield f"{home}/systems/{device.system}.json", documents.description(device)
        yield f"{results}/result.json", record.result_file(device)
        for mode in MODES:
            yield f"{results}/{mode}.png", documents.picture()
        for place, task in enumerate(TASKS):
            if task.id not in device.scores:
                continue
            measured = f"{home}/measurements/{device.system}/{task.folder}/{task.scenario}"
            name = f"{device.system}_TFLite_{task.scenario}.json"
            yield f"{measured}/{name}", documents.measurement(task)
            yield from _runs(device, place, task, results)


def _runs(device: Device, place: int, task: Task, results: str) -> Iterator[tuple[str, str]]:
    score: Score = device.scores[task.id]
    for mode in MODES:
        path = f"{task.id}-{mode}" if device.flat else f"{task.folder}/{task.scenario}/log_{mode}"
        folder = f"{results}/{path}"
        started = device.start(place, mode)
        yield f"{folder}/mlperf_log_detail.txt", logs.detail(task, score, mode, started)
        yield f"{folder}/mlperf_log_summary.txt", logs.summary(task, score, mode)
        yield f"{folder}/mlperf_log_trace.json", logs.trace(task, mode)
        if mode == "accuracy":
            yield f"{folder}/mlperf_log_accuracy.json", logs.answers(task)


def main() -> None:
    """Write the tree anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    root = parser.parse_args().out / ROUND
    shutil.rmtree(root, ignore_errors=True)
    for path, content in files():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            (root / path).write_bytes(content)
        else:
            (root / path).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
