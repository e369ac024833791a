"""What was read of a submission: one :class:`Entry` per scenario folder, typed and immutable.

An absent file is ``None``; a file that could not be read says why. Nothing here judges.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mlcheck.documents import Document, Text
from mlcheck.loadgen import DetailLog, SummaryLog
from mlcheck.power.meter_log import MeterLog
from mlcheck.power.samples import SampleLog
from mlcheck.power.session import Session
from mlcheck.power.synchronised import Synchronisation
from mlcheck.suites.inference.facts import Benchmark, ComplianceTest, Division, Scenario, Target
from mlcheck.suites.inference.power_time import TimedRun


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A folder with the logs of one LoadGen execution."""

    path: str
    names: frozenset[str]
    detail: DetailLog | None
    summary: SummaryLog | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A quality value as a line of an accuracy file prints it."""

    metric: str
    text: str
    value: float | None  # None: no number, such as 1.2.3
    official: bool  # the official tool reads it, too
    path: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyText:
    """The readings of an accuracy file, in order, and the line of its hash (0: none)."""

    path: str
    readings: tuple[Reading, ...]
    hash_line: int
    problem: str | None
    stray: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyFolder:
    """The folder ``accuracy`` of a scenario."""

    path: str
    names: frozenset[str]
    text: AccuracyText | None
    detail: DetailLog | None
    summary: SummaryLog | None
    json_bytes: int | None  # size of mlperf_log_accuracy.json
    logs_nothing: bool  # and it holds no sample
    samples: Mapping[str, frozenset[str]]  # subfolder -> file names without their ending


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplianceRun:
    """What lies in ``compliance/…/TESTnn``."""

    test: ComplianceTest
    path: str
    present: bool
    run: Run | None
    verify_performance: Text | None
    verify_accuracy: Text | None
    passes: Mapping[str, Text]  # those of its files that have to say that it passed
    accuracy_sizes: Mapping[str, int] | None  # of the files in accuracy/; None: no such folder
    logs_nothing: bool  # its accuracy log holds no sample
    baseline: AccuracyText | None
    compliance: AccuracyText | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A line ``BENCHMARK.SCENARIO.KEY = VALUE`` of a configuration of LoadGen."""

    benchmark: str
    scenario: str
    key: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurements:
    """The folder that says how a result was measured."""

    path: str
    sizes: Mapping[str, int]
    description: Document | None
    user_conf: Text | None
    implementation: str  # what the name of the description says of the implementation
    settings: tuple[tuple[Setting, ...], ...]  # of each configuration that the round asks to read


@dataclass(frozen=True, slots=True)
class Digest:
    """SHA-1 of a file as it lies here, and as it was before its line endings were changed."""

    sha1: str
    other_line_ends: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerFolder:
    """Files of a power measurement. None: a file is not there.

    Attributes:
        names: files in ``power/``.
        ranging: the run that the ranges of the meter were found by.
        samples, ranging_samples: what the meter read during the two runs.
        client, server: what either side recorded of the session.
        synchronised: what client.log and server.log say of their clocks.
        digests: file below ``performance/`` whose hash is recorded -> its hashes here.
        documents: required prefix -> (path, size) of the file found.
        analyzer_table: the one found.
        ranging_run, testing_run: the two runs with their times in UTC.
    """

    path: str
    names: frozenset[str]
    ranging: Run | None
    ranging_path: str
    samples: SampleLog | None
    samples_path: str
    ranging_samples: SampleLog | None
    client: Session | None
    server: Session | None
    meter_log: MeterLog | None
    synchronised: tuple[Synchronisation, ...]
    digests: Mapping[str, Digest | None]
    documents: Mapping[str, tuple[str, int]]
    analyzer_table: Text | None
    ranging_run: TimedRun
    testing_run: TimedRun


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoints:
    """What lies there in place of LoadGen's logs, if an endpoint was measured.

    Attributes:
        config, run, accuracy: the three documents; None: not there.
        audits: test -> its audit file, of those that are there; ``audit_paths``: of all.
        sizes: files of the scenario folder.
    """

    config: Document | None
    config_path: str
    run: Document | None
    run_path: str
    accuracy: Document | None
    accuracy_path: str
    audits: Mapping[str, Document]
    audit_paths: Mapping[str, str]
    sizes: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemView:
    """A system folder below ``results`` with its description and all of its entries."""

    division: Division
    submitter: str
    name: str
    path: str
    description: Document | None
    description_path: str
    system_type: str | None
    model_mapping: Document | None = None  # names of models -> benchmarks, open division
    nameplate: Document | None = None  # what the power supplies can deliver; None: not there
    nameplate_path: str = ""
    entries: tuple[Entry, ...] = ()

    @property
    def result_ids(self) -> tuple[str, ...]:
        """Ids of all results on this system."""
        return tuple(entry.id for entry in self.entries)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One scenario folder: ``results/SYSTEM/BENCHMARK/SCENARIO``."""

    id: str
    path: str
    division: Division
    submitter: str
    system: str
    system_type: str | None
    network_system: bool
    benchmark: Benchmark | None  # None: the round does not know it
    benchmark_by: str  # how it was found: "name", "alias", "mapping", "case", "guess", ""
    benchmark_raw: str
    scenario: Scenario | None  # None: no scenario of the round
    scenario_raw: str
    performance: Run | None  # of several runs the last one, whose value is published
    performance_path: str
    further_runs: tuple[Run, ...]
    missing_runs: tuple[str, ...]
    accuracy: AccuracyFolder | None
    accuracy_path: str
    measurements: Measurements | None
    measurements_path: str
    code_path: str
    code_found: bool  # a folder for this benchmark
    code_present: bool  # any code at all
    compliance_path: str
    compliance_present: bool
    compliance: tuple[ComplianceRun, ...]
    power: PowerFolder | None
    endpoints: Endpoints | None = None  # None: measured by LoadGen

    @property
    def targets(self) -> tuple[Target, ...]:
        """The quality targets of the benchmark in this scenario."""
        name = self.scenario.name if self.scenario else ""
        return tuple(
            target
            for target in (self.benchmark.targets if self.benchmark else ())
            if target.scenarios is None or name in target.scenarios
        )

    @property
    def log(self) -> DetailLog | None:
        """The detail log of the performance run, if it could be read."""
        detail = self.performance.detail if self.performance else None
        return detail if detail and detail.problem is None else None

    @property
    def accuracy_log(self) -> DetailLog | None:
        """The detail log of the accuracy run, if it could be read."""
        detail = self.accuracy.detail if self.accuracy else None
        return detail if detail and detail.problem is None else None

    def run_logs(self) -> Iterator[DetailLog]:
        """Yield the logs of the performance runs that could be read."""
        for run in (self.performance, *self.further_runs):
            if run and run.detail and run.detail.problem is None:
                yield run.detail

    def measured_logs(self) -> Iterator[DetailLog]:
        """Yield the logs that the performance rules are about: the run and its compliance tests."""
        yield from self.run_logs()
        for test in self.compliance:
            if test.test.as_run and test.run and test.run.detail:
                yield test.run.detail


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkView:
    """All scenarios of one benchmark on one system."""

    division: Division
    path: str
    system_type: str | None
    benchmark: Benchmark | None
    benchmark_raw: str
    entries: tuple[Entry, ...] = field(default_factory=tuple)

    @property
    def result_ids(self) -> tuple[str, ...]:
        """Ids of the results of this benchmark."""
        return tuple(entry.id for entry in self.entries)


def is_network(value: Any) -> bool:
    """Tell what ``is_network`` of a description says; text and booleans are both in use."""
    return value is True or (isinstance(value, str) and value.lower() == "true")
