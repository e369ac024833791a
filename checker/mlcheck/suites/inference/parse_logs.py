"""Read the folders of logs of a result: runs, accuracy, compliance tests."""

from __future__ import annotations

from typing import Any

from mlcheck.documents import Text, read_text
from mlcheck.loadgen import DetailLog, read_detail, read_summary
from mlcheck.suites.inference.accuracy import read_accuracy
from mlcheck.suites.inference.entry import AccuracyFolder, ComplianceRun, Run
from mlcheck.suites.inference.facts import Benchmark, ComplianceTest, Facts
from mlcheck.suites.inference.textlog import read_text_run
from mlcheck.tree import Folder, Tree, Unreadable, join

DETAIL = "mlperf_log_detail.txt"
SUMMARY = "mlperf_log_summary.txt"
ACCURACY_TEXT = "accuracy.txt"
ACCURACY_JSON = "mlperf_log_accuracy.json"
EMPTY_LIST = 16  # bytes that an empty list may take, with line ends


class LogFolders:
    """Reads the folders of one tree by the facts of its round."""

    def __init__(self, tree: Tree, facts: Facts) -> None:
        """Take what all folders share."""
        self._tree = tree
        self._facts = facts

    def run(self, path: str) -> Run | None:
        """Read the logs of a run; None: there is no such folder."""
        folder = self._tree.folder(path)
        if folder is None:
            return None
        detail, summary = join(path, DETAIL), join(path, SUMMARY)
        return Run(
            path=path,
            names=frozenset(folder.files),
            detail=self._log(detail, summary) if DETAIL in folder.files else None,
            summary=read_summary(self._tree, summary) if SUMMARY in folder.files else None,
        )

    def _log(self, detail: str, summary: str) -> DetailLog:
        if self._facts.log_format == "text":
            return read_text_run(self._tree, detail, summary, self._facts)
        return read_detail(self._tree, detail)

    def accuracy(self, path: str, benchmark: Benchmark | None) -> AccuracyFolder | None:
        """Read the folder of an accuracy run; None: there is no such folder."""
        folder = self._tree.folder(path)
        run = self.run(path)
        if folder is None or run is None:
            return None
        has_text = ACCURACY_TEXT in folder.files
        text = join(path, ACCURACY_TEXT)
        return AccuracyFolder(
            path=path,
            names=run.names,
            text=read_accuracy(self._tree, text, benchmark, self._facts) if has_text else None,
            detail=run.detail,
            summary=run.summary,
            json_bytes=folder.files.get(ACCURACY_JSON),
            logs_nothing=self._logs_nothing(folder),
            samples={
                name: self._stems(join(path, name))
                for name in (benchmark.accuracy_samples if benchmark else ())
                if name in folder.folders
            },
        )

    def _logs_nothing(self, folder: Folder | None) -> bool:
        """Tell whether the accuracy log of a folder is an empty list, or not even that."""
        if folder is None or folder.files.get(ACCURACY_JSON, EMPTY_LIST + 1) > EMPTY_LIST:
            return False
        raw = self._tree.read(join(folder.path, ACCURACY_JSON))
        return not isinstance(raw, Unreadable) and not raw.strip(b"[] \t\r\n")

    def _stems(self, path: str) -> frozenset[str]:
        folder = self._tree.folder(path)
        return frozenset(name.partition(".")[0] for name in folder.files) if folder else frozenset()

    def test(self, path: str, test: ComplianceTest, benchmark: Benchmark) -> ComplianceRun:
        """Read the folder of a compliance test, whether it is there or not."""
        folder = self._tree.folder(path) or Folder(path)
        accuracy = self._tree.folder(join(path, "accuracy"))

        def quality(name: str) -> Any:
            if accuracy is None or name not in accuracy.files:
                return None
            return read_accuracy(self._tree, join(accuracy.path, name), benchmark, self._facts)

        return ComplianceRun(
            test=test,
            path=path,
            present=self._tree.folder(path) is not None,
            run=self.run(join(path, self._facts.layout["performance"])) if test.measured else None,
            verify_performance=_lines(self._tree, folder, "verify_performance.txt"),
            verify_accuracy=_lines(self._tree, folder, "verify_accuracy.txt"),
            passes={
                name: read_text(self._tree, join(path, name))
                for name in test.passes
                if name in folder.files
            },
            accuracy_sizes=accuracy.files if accuracy else None,
            logs_nothing=self._logs_nothing(accuracy),
            baseline=quality("baseline_accuracy.txt"),
            compliance=quality("compliance_accuracy.txt"),
        )


def _lines(tree: Tree, folder: Folder, name: str) -> Text | None:
    return read_text(tree, join(folder.path, name)) if name in folder.files else None
