"""The words that all suites share: what was judged, what was found, what is published.

Everything here is immutable. A :class:`Report` is the one thing that all outputs are views of.
Paths are strings relative to the verified root, with ``/``, so that a report is the same on every
machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

OFFICIAL_CHECKER = "official checker"
INTERNAL_ERROR = "MLC001"  # id of the finding that a bug of ours becomes
FOREVER = "9999-12-31"  # of what settings let pass: they name no day


class Severity(StrEnum):
    """What the policy says of a flaw."""

    ERROR = "error"  # must not be: a reviewer can object
    WARNING = "warning"  # a person has to look
    NOTE = "note"  # information
    OFF = "off"  # the rule does not exist in this round


class Official(StrEnum):
    """What the official tool of the round does about a flaw."""

    ERROR = "error"  # refuses the results concerned
    SUBMISSION = "submission"  # keeps the results, but calls the whole submission faulty
    WARNING = "warning"  # prints a line and goes on
    NONE = "none"  # does not look


class Verdict(StrEnum):
    """Whether a result stands."""

    VALID = "valid"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a number was read. Line 0: the file as a whole."""

    path: str
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One judged fact at a place."""

    id: str
    rule: str
    name: str
    severity: Severity
    official: Official
    path: str
    line: int
    message: str
    expected: str | None
    actual: str | None
    hint: str | None
    policy: str
    results: tuple[str, ...]  # ids of the results it is about
    voids: bool  # an error of this kind makes those results invalid
    waived: str | None = None  # by whom, why and until when: then the policy does not hold it
    known: bool = False  # stands in the baseline, so the gate does not count it

    @property
    def sort_key(self) -> tuple[str, int, str, str]:
        """Order of findings in every output."""
        return (self.path, self.line, self.rule, self.message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A rule that came to no verdict about a result. Passing is implied and not recorded."""

    rule: str
    result: str  # id of a result, or a path where no result is concerned
    outcome: str  # "skipped": another rule reported the cause; "not-evaluable": evidence is absent
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A measured value with its unit and direction."""

    name: str
    role: str  # primary, secondary, derived
    value: float
    value_raw: str  # as logged
    unit: str
    better: str  # higher, lower
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """A quality value held against its target. ``target`` None: the division sets none."""

    name: str
    value: float
    value_raw: str
    target: float | None
    op: str | None
    ok: bool | None
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerDetail:
    """How good a power measurement is, inside its window. None: not known.

    Attributes:
        energy_j: rectangle rule.
        begin_ms, end_ms: the window, ms UTC since 1970.
        coverage: share of the window without gaps, 0 to 1.
        longest_gap_ms: longest time without a usable reading.
        unused: readings that are zero, negative or no number.
        uncertainty, uncertainty_most: mean and largest relative uncertainty, as the meter says.
        range_a, range_v: ranges that the meter was set to; largest_a: the largest current.
        meter: its model.
    """

    energy_j: float | None = None
    begin_ms: float | None = None
    end_ms: float | None = None
    coverage: float | None = None
    longest_gap_ms: float | None = None
    unused: int | None = None
    uncertainty: float | None = None
    uncertainty_most: float | None = None
    range_a: float | None = None
    range_v: float | None = None
    largest_a: float | None = None
    meter: str | None = None


@dataclass(frozen=True, slots=True)
class TracePoint:
    """Readings that lie close together: their mean, smallest and largest in watts.

    ``second`` is counted from the beginning of the window.
    """

    second: float
    mean_w: float
    least_w: float
    most_w: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """A power measurement attached to a result.

    ``value`` is what is published: average watts, or millijoules per query for stream scenarios, or
    joules of a training run. ``efficiency`` is samples per joule. None: it cannot be computed, or
    the suite knows no such figure. ``valid``: the official check of power takes it, alone; the
    policy's word about it is part of the verdict of the result.
    """

    kind: str
    value: float | None
    unit: str
    average_w: float | None
    efficiency: float | None
    valid: bool
    samples: int
    source: Source
    method: str = "SPEC PTDaemon"  # who read the meter
    detail: PowerDetail | None = None
    trace: tuple[TracePoint, ...] = ()  # thinned out, for a plot


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDetail:
    """One log behind a result.

    ``alone``: it is judged by itself, not as the result is. ``energy_j``: of this run, if its
    energy was measured.
    """

    path: str
    verdict: Verdict
    alone: bool = False
    energy_j: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One line of a results table, with both verdicts."""

    id: str
    suite: str
    round: str
    division: str
    submitter: str
    system: str
    benchmark: str | None  # None: the round does not know it
    benchmark_raw: str
    scenario: str | None
    path: str
    verdict: Verdict = Verdict.VALID
    official_verdict: Verdict = Verdict.VALID
    metrics: tuple[Metric, ...] = ()
    quality: tuple[Quality, ...] = ()
    power: Power | None = None
    inferred: bool = False
    aggregation: str = "single"  # how the runs make the primary metric
    spread: float | None = None  # standard deviation over the runs, in the unit of the metric
    runs_detail: tuple[RunDetail, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    findings: tuple[str, ...] = ()

    @property
    def primary(self) -> Metric | None:
        """The metric the result is ranked by."""
        return next((metric for metric in self.metrics if metric.role == "primary"), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """A described system, its description as it was submitted.

    Attributes:
        stated: columns of the tables that the suite fills, where descriptions name facts otherwise.
    """

    division: str
    submitter: str
    name: str
    path: str
    description: Mapping[str, Any] | None  # None: absent or unreadable
    stated: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """A decision of people that findings of a rule at some paths are let pass, until a date.

    Attributes:
        path: glob relative to the root; ``*`` stays inside a folder, ``**`` does not.
        expires: last day on which it holds, ``YYYY-MM-DD``.
        line: where it stands in its file.
        findings: ids of the findings it let pass.
    """

    rule: str
    path: str
    reason: str
    approver: str
    expires: str
    line: int = 0
    findings: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Why it may pass, who said so, and until when."""
        until = "" if self.expires == FOREVER else f", until {self.expires}"
        return f"{self.reason} ({self.approver}{until})"


@dataclass(frozen=True, slots=True, kw_only=True)
class NotRun:
    """A rule that was not run at all, and why: a pass is no pass of it."""

    rule: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesetRef:
    """The rules a report was made by. ``checker``: who the official verdict is of."""

    suite: str
    round: str
    sha256: str
    checker: str = OFFICIAL_CHECKER


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraRulesRef:
    """A package of an organisation whose rules were run as well."""

    package: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All that one run of the checker found. Outputs, counts and exit codes are derived from it."""

    root: str
    rulesets: tuple[RulesetRef, ...]
    systems: tuple[System, ...]
    results: tuple[Result, ...]
    findings: tuple[Finding, ...]
    outcomes: tuple[Outcome, ...]
    waivers: tuple[Waiver, ...] = ()
    not_run: tuple[NotRun, ...] = ()
    extra_rules: tuple[ExtraRulesRef, ...] = ()


def stable_id(*parts: str) -> str:
    """Return a short id that depends on what a thing is, not on when or where it was seen."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]
