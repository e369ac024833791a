"""What the app recorded of a session, whatever form the file had."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRun:
    """What the app says of one run. None: it does not say.

    Attributes:
        throughput: in samples per second. ``latency_p90_s``, ``duration_s``: in seconds.
        fraction: the accuracy as a fraction; ``printed``: as the app shows it.
        started: when it began, in whatever time zone; ``exact``: not when the file was written.
        line: of the run in the file.
    """

    throughput: float | None = None
    fraction: float | None = None
    printed: str | None = None
    duration_s: float | None = None
    samples: int | None = None
    started: str | None = None
    exact: bool = True
    dataset: str | None = None
    queries: int | None = None
    latency_p90_s: float | None = None
    valid: bool | None = None
    duration_met: bool | None = None
    queries_met: bool | None = None
    early_stopping_met: bool | None = None
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Backend:
    """The software path that a task took: backend, its runtime, the delegate, what it ran on."""

    filename: str | None = None
    vendor: str | None = None
    runtime: str | None = None
    delegate: str | None = None
    asked: str | None = None  # description of the accelerator that the settings ask for
    used: str | None = None  # accelerator that the backend says it ran on

    @property
    def library(self) -> str | None:
        """The file of the backend without its ending."""
        return self.filename.removesuffix(".so").removesuffix(".dll") if self.filename else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What the app recorded of one task."""

    task: str
    scenario: str | None
    performance: RecordedRun | None
    accuracy: RecordedRun | None
    backend: Backend
    min_duration_s: float | None
    min_samples: int | None
    line: int


@dataclass(frozen=True, slots=True)
class Misshapen:
    """A place where a file is not as its schema says."""

    place: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultFile:
    """The record of a session, or why there is none.

    Attributes:
        build: of the app, as written. ``environment``: of the device, by plain names.
        tasks: one per task; of flat entries, those of one task are joined.
        again: tasks that are recorded twice, with the line of the later record.
    """

    path: str
    problem: str | None = None
    line: int = 0
    uuid: str | None = None
    tasks: tuple[Recorded, ...] = ()
    again: tuple[tuple[str, int], ...] = ()
    build: Mapping[str, Any] | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    misshapen: tuple[Misshapen, ...] = ()
    text: str = ""

    @property
    def identities(self) -> tuple[str, ...]:
        """By what a copy is known: the session's own name, and the runs that it records."""
        runs = [(each.task, each.performance) for each in self.tasks if each.performance]
        told = [
            (task, run.throughput, run.samples, run.duration_s, run.started)
            for task, run in runs
            if run.throughput is not None and run.samples
        ]
        of_runs = hashlib.sha256(repr(sorted(told, key=repr)).encode("utf-8", "replace"))
        return (*([self.uuid] if self.uuid else []), *([of_runs.hexdigest()] if told else []))

    def line_of(self, name: str) -> int:
        """Return the line of the first member of that name; 0: it is not there."""
        found = self.text.find(f'"{name}"')
        return self.text.count("\n", 0, found) + 1 if found >= 0 else 0
