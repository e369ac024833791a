"""What was read of a submission: systems, results, runs. Immutable; no method opens a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mlcheck.documents import Document, Text
from mlcheck.power.integrate import Window
from mlcheck.suites.training.compliance import Breach
from mlcheck.suites.training.facts import Benchmark
from mlcheck.suites.training.log_lines import Event
from mlcheck.suites.training.mllog import Log
from mlcheck.suites.training.power_files import PowerFolder
from mlcheck.suites.training.rcp import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One log with what was found in it.

    Attributes:
        named: what the log says of itself, by key of the ``submission_`` lines.
        breaches: what its tables ask for and it does not meet.
        minutes: the time of the run: from the first run_start to the first run_stop, or as the log
            states it; None: it cannot be told.
        converged_at: samples or epochs until the target was reached; None: the log does not say.
        success: the run ended as converged, by its own word.
        reached: the target was met when the clock was stopped, as ``reached_line`` shows.
    """

    log: Log
    benchmark: str | None
    division: str | None
    breaches: tuple[Breach, ...]
    start: Event | None
    stop: Event | None
    evaluations: tuple[Event, ...]
    minutes: float | None
    success: bool
    converged_at: float | None
    reached: bool | None  # None: no evaluation before the clock was stopped
    reached_line: int

    @property
    def path(self) -> str:
        """Where the log lies."""
        return self.log.path

    @property
    def timed(self) -> Window | None:
        """From run_start to run_stop; None: not both are there, or nothing lies between."""
        if self.start is None or self.stop is None or self.stop.time_ms <= self.start.time_ms:
            return None
        return Window(begin_ms=self.start.time_ms, end_ms=self.stop.time_ms)

    @property
    def complies(self) -> bool:
        """Whether the log is as the policy asks for."""
        return self.readable and not any(b.policy and not b.light for b in self.breaches)

    @property
    def official(self) -> bool:
        """Whether the official tool accepts the log."""
        read = self.log.unreadable is None and self.log.lines > 0 and self.log.stumbling == 0
        return read and not any(b.official and not b.light for b in self.breaches)

    @property
    def converged(self) -> bool:
        """Whether the run reached its target within a clock that ran forwards."""
        return self.success and self.reached is not False and (self.minutes or 0) > 0

    @property
    def readable(self) -> bool:
        """Whether every marked line could be read, and there is one."""
        return self.log.unreadable is None and self.log.lines > 0 and self.log.broken == 0

    def value(self, key: str) -> Any:
        """Return the value of the last line of a key; None: there is none."""
        event = self.log.last(key)
        return event.value if event else None


class Unchecked(StrEnum):
    """Why convergence could not be held against the reference."""

    DIVISION = "the division is free in how it converges"
    BENCHMARK = "the benchmark has no reference convergence points"
    BATCH = "the logs do not agree on one batch size"
    PROGRESS = "a log does not say how much was trained when it converged"
    FAILED = "too many runs did not converge"
    FEW = "too few runs for a mean"


@dataclass(frozen=True, slots=True, kw_only=True)
class Converged:
    """What the reference says, by the policy and by the official tool; or why nothing."""

    policy: Outcome | None
    official: Outcome | None
    unchecked: Unchecked | None
    official_unchecked: Unchecked | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A result: the runs of one benchmark on one system.

    Attributes:
        benchmark: by the name of the folder; None: the round does not know it.
        logged: by the name that the logs agree on; None: none that the round knows.
        division: of the description, or of the logs if there is none; empty: neither says.
        described: the division exactly as the description has it.
        others: names of files and folders beside the logs.
        parameters: what the files of checker parameters ask for, with their places.
        scaling: the file with a scaling factor, if there is one.
        batch: the batch size that all logs agree on; None: they do not, or it is no number.
        power: what was measured; None: nothing, or the round measures no power.
    """

    id: str
    submitter: str
    system: str
    path: str
    benchmark_raw: str
    benchmark: Benchmark | None
    logged: Benchmark | None
    division: str
    described: str | None
    runs: tuple[Run, ...]
    others: tuple[str, ...]
    parameters: tuple[Text, ...]
    scaling: Document | None
    node_count: int | None
    batch: float | None
    converged: Converged
    power: PowerFolder | None

    @property
    def rules(self) -> Benchmark | None:
        """The benchmark by whose rules it is judged."""
        return self.benchmark or self.logged

    @property
    def excused(self) -> bool:
        """Whether so few runs fail that they are dropped as the slowest ones."""
        failed = sum(not (run.complies and run.converged) for run in self.runs)
        return self.rules is not None and failed <= self.rules.dropped

    @property
    def official_excused(self) -> bool:
        """Whether the official tool accepts the logs that it refuses singly."""
        failed = sum(not run.official for run in self.runs)
        return self.rules is not None and failed <= self.rules.dropped


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemView:
    """A system with its description and its results."""

    submitter: str
    name: str
    path: str  # results/SYSTEM
    systems_path: str
    systems_there: bool
    description_path: str
    description: Document | None  # None: there is none
    entries: tuple[Entry, ...]
    loose: tuple[str, ...]  # files in its folder that belong to no benchmark

    @property
    def result_ids(self) -> tuple[str, ...]:
        """Return the ids of its results."""
        return tuple(entry.id for entry in self.entries)

    @property
    def fields(self) -> Mapping[str, Any] | None:
        """Return the description; None: it is missing or cannot be read."""
        usable = self.description is not None and self.description.problem is None
        return self.description.fields if usable and self.description else None
