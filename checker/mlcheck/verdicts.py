"""From findings to verdicts: which results stand, by the policy and for the official tool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from mlcheck.model import Finding, Official, Result, Severity, Verdict, stable_id

POWER_AREA = "PWR"  # ids of rules about power, in every suite


def told_apart(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings with ids of their own.

    An id depends on rule, path and message and not on the line, so that it outlives edits above
    it. The same flaw twice in one file is told apart by counting.
    """
    seen: Counter[str] = Counter()
    apart = []
    for finding in findings:
        seen[finding.id] += 1
        count = seen[finding.id]
        apart.append(
            finding if count == 1 else replace(finding, id=stable_id(finding.id, str(count)))
        )
    return tuple(apart)


def decided(results: Sequence[Result], findings: Iterable[Finding]) -> tuple[Result, ...]:
    """Return results with their verdicts and the ids of what is said about them.

    A waiver is a decision about the policy: it lets a result stand, but no official tool sees it.
    """
    void: set[str] = set()
    refused_power: set[str] = set()
    refused: set[str] = set()
    about: dict[str, list[str]] = {}
    for finding in findings:
        if finding.voids and finding.severity is Severity.ERROR and finding.waived is None:
            void.update(finding.results)
        if finding.official is Official.ERROR:
            refused.update(finding.results)
            if finding.rule.startswith(POWER_AREA):
                refused_power.update(finding.results)
        for result in finding.results:
            about.setdefault(result, []).append(finding.id)
    return tuple(
        _decided(_with_power(result, refused_power), void, refused, about.get(result.id, []))
        for result in results
    )


def _with_power(result: Result, refused: set[str]) -> Result:
    """A power measurement has a word of its own: whether the official check of power takes it."""
    power = result.power
    if power is None or result.id not in refused:
        return result
    return replace(result, power=replace(power, valid=False))


def _decided(result: Result, void: set[str], refused: set[str], about: list[str]) -> Result:
    verdict = Verdict.INVALID if result.id in void else Verdict.VALID
    return replace(
        result,
        verdict=verdict,
        official_verdict=Verdict.INVALID if result.id in refused else Verdict.VALID,
        runs_detail=tuple(
            run if run.alone else replace(run, verdict=verdict) for run in result.runs_detail
        ),
        findings=tuple(dict.fromkeys(about)),
    )
