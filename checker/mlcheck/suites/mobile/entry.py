"""What was read of a submission: systems, results, runs. Immutable; no method opens a file."""

from __future__ import annotations

from dataclasses import dataclass

from mlcheck.documents import Document
from mlcheck.loadgen import DetailLog, SummaryLog
from mlcheck.suites.mobile.accuracy_text import PrintedAccuracy
from mlcheck.suites.mobile.description import Description
from mlcheck.suites.mobile.facts import Benchmark, Division, Scenario
from mlcheck.suites.mobile.record import Recorded, RecordedRun, ResultFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A folder with the logs of one run.

    Attributes:
        detail, summary: None: there is no such log.
        trace, answers: whether the files are there, whole or in parts.
    """

    path: str
    detail: DetailLog | None
    summary: SummaryLog | None
    trace: bool
    answers: bool

    @property
    def log(self) -> DetailLog | None:
        """The detail log, if it can be relied on."""
        return self.detail if self.detail and self.detail.whole else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """The document of a result below ``measurements``."""

    document: Document
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A result: one task in one scenario on one system.

    Attributes:
        task: as its folder or the result file writes it. ``benchmark`` None: the round has none.
        scenario: by the path, else by the task; ``written``: as the path has it.
        performance, accuracy: the runs; None: there is none.
        further: runs beside the first one of their kind.
        recorded: what the app says of it; None: it does not, or there is no result file.
        printed: what a script says of the accuracy.
        measurements: documents of the result; None: there is no folder of them.
    """

    id: str
    division: Division
    submitter: str
    system: str
    path: str
    task: str
    benchmark: Benchmark | None
    scenario: Scenario | None
    written: str | None
    performance: Run | None
    further: tuple[str, ...]
    accuracy: Run | None
    result_file: ResultFile | None
    recorded: Recorded | None
    printed: PrintedAccuracy | None
    measurements: tuple[Measurement, ...]
    measurements_path: str

    @property
    def log(self) -> DetailLog | None:
        """The performance log, if it can be relied on."""
        return self.performance.log if self.performance else None

    @property
    def accuracy_log(self) -> DetailLog | None:
        """The accuracy log, if it can be relied on."""
        return self.accuracy.log if self.accuracy else None

    @property
    def recorded_performance(self) -> RecordedRun | None:
        """What the app says of the performance run."""
        return self.recorded.performance if self.recorded else None

    @property
    def recorded_accuracy(self) -> RecordedRun | None:
        """What the app says of the accuracy run."""
        return self.recorded.accuracy if self.recorded else None

    @property
    def record_path(self) -> str:
        """The result file, or the result's own place if there is none."""
        return self.result_file.path if self.result_file else self.path

    def logs(self) -> tuple[DetailLog, ...]:
        """Return the logs that can be relied on."""
        return tuple(log for log in (self.log, self.accuracy_log) if log)

    def detail_logs(self) -> tuple[DetailLog, ...]:
        """Return all logs, whether they could be read or not."""
        runs = [run for run in (self.performance, self.accuracy) if run]
        return tuple(run.detail for run in runs if run.detail)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemView:
    """A system with its description and its results.

    Attributes:
        description: None: there is none, under whatever letter case.
        wanted: where the description ought to lie.
        result_files: all there are; the first one counts.
        images: names of pictures in its folder.
        again: tasks whose results lie in two places: task, path of the second.
    """

    division: Division
    submitter: str
    name: str
    path: str
    wanted: str
    description: Description | None
    result_files: tuple[ResultFile, ...]
    images: tuple[str, ...]
    entries: tuple[Entry, ...]
    again: tuple[tuple[str, str], ...] = ()

    @property
    def result_ids(self) -> tuple[str, ...]:
        """Return the ids of its results."""
        return tuple(entry.id for entry in self.entries)

    @property
    def record(self) -> ResultFile | None:
        """The result file, if it could be read."""
        return next((each for each in self.result_files if each.problem is None), None)
