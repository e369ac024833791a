"""A report as rows of the normalised tables. Rows are conserved: each result becomes one row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mlcheck.model import (
    Finding,
    Metric,
    Outcome,
    PowerDetail,
    Quality,
    Report,
    Result,
    RulesetRef,
    Severity,
    Source,
)
from mlcheck.normalize.system_rows import Digest, Row, by_division, keys, system_row
from mlcheck.ruleset import load

_DETAILS = PowerDetail.__slots__
_SOFTWARE_PATH = ("backend", "runtime", "delegate", "runs_on")


def rows_of(report: Report, digest: Digest) -> dict[str, list[Row]]:
    """Return the rows of every table.

    Args:
        report: of one tree.
        digest: path below the root -> SHA-256 of the file, None if it cannot be read.
    """
    round_ = {ref.suite: ref.round for ref in report.rulesets}
    tables: dict[str, list[Row]] = {
        "submissions": list(_submissions(report)),
        "systems": [system_row(each, report, digest) for each in by_division(report)],
        "results": [_result(result) for result in report.results],
        "metrics": [_metric(r.id, metric) for r in report.results for metric in r.metrics],
        "quality": [_quality(r.id, quality) for r in report.results for quality in r.quality],
        "power": [_power(result) for result in report.results if result.power],
        "power_trace": [row for result in report.results for row in _trace(result)],
        "findings": [_finding(finding, round_) for finding in report.findings],
        "outcomes": [_outcome(outcome, round_) for outcome in report.outcomes],
        "offers": [row for ref in report.rulesets for row in _offers(ref)],
        "provenance": [row for result in report.results for row in _sources(result, digest)],
    }
    return {
        name: [{column: _clean(value) for column, value in row.items()} for row in rows]
        for name, rows in tables.items()
    }


def _submissions(report: Report) -> Iterator[Row]:
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in report.results:
        groups.setdefault((result.division, result.submitter), []).append(result)
    for _, results in sorted(groups.items()):
        home = results[0].path.partition("/results/")[0]
        ids = {result.id for result in results}
        mine = [f for f in report.findings if _is_about(f, home, ids)]
        valid = sum(result.verdict == "valid" for result in results)
        official = sum(result.official_verdict == "valid" for result in results)
        errors = sum(finding.severity is Severity.ERROR for finding in mine)
        refused = any(finding.official in ("error", "submission") for finding in mine)
        yield {
            **keys(results[0], report),
            "source_repository": None,
            "source_commit": None,
            "verdict": "fail" if errors else "pass",
            "official_verdict": "fail" if refused else "pass",
            "systems": len({result.system for result in results}),
            "results": len(results),
            "valid": valid,
            "official_valid": official,
            "errors": errors,
            "warnings": sum(finding.severity is Severity.WARNING for finding in mine),
        }


def _is_about(finding: Finding, home: str, results: set[str]) -> bool:
    inside = finding.path == home or finding.path.startswith(f"{home}/")
    return inside or bool(results.intersection(finding.results))


def _result(result: Result) -> Row:
    primary = result.primary
    key = (
        result.suite,
        result.round,
        result.division,
        result.extra.get("system_type"),  # datacenter and edge are ranked apart
        result.benchmark or result.benchmark_raw,
        result.scenario,
        primary.name if primary else None,
        primary.unit if primary else None,
    )
    return {
        "id": result.id,
        "suite": result.suite,
        "round": result.round,
        "division": result.division,
        "submitter": result.submitter,
        "system": result.system,
        "benchmark": result.benchmark,
        "benchmark_raw": result.benchmark_raw,
        "scenario": result.scenario,
        "system_type": result.extra.get("system_type"),
        "variant": _variant(result.benchmark),
        **{column: result.extra.get(column) for column in _SOFTWARE_PATH},
        "verdict": result.verdict.value,
        "official_verdict": result.official_verdict.value,
        "inferred": result.inferred,
        "power_only": result.extra.get("power_only", False),
        "runs": len(result.runs_detail),
        "aggregation": result.aggregation,
        "spread": result.spread,
        "weight_data_types": result.extra.get("weight_data_types"),
        "design_power_watts": result.extra.get("design_power_watts"),
        "comparability_key": "|".join(str(part or "") for part in key),
        "state": "checked",
        "path": result.path,
    }


def _variant(benchmark: str | None) -> str | None:
    """The quality tier that a name ends in, such as 99.9 of bert-99.9."""
    found = re.search(r"-(\d+(?:\.\d+)?)$", benchmark or "")
    return found[1] if found else None


def _metric(result_id: str, metric: Metric) -> Row:
    return {
        "result_id": result_id,
        "name": metric.name,
        "role": metric.role,
        "value": metric.value,
        "value_raw": metric.value_raw,
        "unit": metric.unit,
        "better": metric.better,
    }


def _quality(result_id: str, quality: Quality) -> Row:
    return {
        "result_id": result_id,
        "name": quality.name,
        "value": quality.value,
        "value_raw": quality.value_raw,
        "target": quality.target,
        "op": quality.op,
        "ok": quality.ok,
    }


def _power(result: Result) -> Row:
    power = result.power
    assert power is not None
    return {
        "result_id": result.id,
        "kind": power.kind,
        "value": power.value,
        "unit": power.unit,
        "average_w": power.average_w,
        "efficiency": power.efficiency,
        "valid": power.valid,
        "method": power.method,
        "samples": power.samples,
        **({name: getattr(power.detail, name) for name in _DETAILS} if power.detail else {}),
    }


def _trace(result: Result) -> Iterator[Row]:
    for point in result.power.trace if result.power else ():
        yield {
            "result_id": result.id,
            "second": point.second,
            "mean_w": point.mean_w,
            "least_w": point.least_w,
            "most_w": point.most_w,
        }


def _finding(finding: Finding, round_: Mapping[str, str]) -> Row:
    suite, edition = next(iter(round_.items()))
    return {
        "id": finding.id,
        "suite": suite,
        "round": edition,
        "rule": finding.rule,
        "name": finding.name,
        "severity": finding.severity.value,
        "official": finding.official.value,
        "path": finding.path,
        "line": finding.line,
        "message": finding.message,
        "expected": finding.expected,
        "actual": finding.actual,
        "hint": finding.hint,
        "policy": finding.policy,
        "results": list(finding.results),
        "waived": finding.waived,
    }


def _outcome(outcome: Outcome, round_: Mapping[str, str]) -> Row:
    suite, edition = next(iter(round_.items()))
    return {
        "suite": suite,
        "round": edition,
        "rule": outcome.rule,
        "subject": outcome.result,
        "outcome": outcome.outcome,
        "reason": outcome.reason,
    }


def _offers(ref: RulesetRef) -> Iterator[Row]:
    """Yield what the rule file of a round says its benchmarks are measured in."""
    for name, benchmark in load(ref.suite, ref.round).document.get("benchmarks", {}).items():
        keys = {"suite": ref.suite, "round": ref.round, "benchmark": name}
        by_type = benchmark.get("scenarios")
        if not isinstance(by_type, Mapping):
            yield keys | {"category": None, "scenario": None, "required": False}
            continue
        for category, scenarios in by_type.items():
            for demand in ("required", "optional"):
                for scenario in scenarios[demand]:
                    stated = {"category": category, "scenario": scenario}
                    yield keys | stated | {"required": demand == "required"}


def _sources(result: Result, digest: Digest) -> Iterator[Row]:
    for metric in result.metrics:
        yield _source(result.id, f"metric:{metric.name}", metric.source, digest)
    for quality in result.quality:
        yield _source(result.id, f"quality:{quality.name}", quality.source, digest)
    if result.power:
        yield _source(result.id, "power", result.power.source, digest)


def _source(result_id: str, field: str, source: Source, digest: Digest) -> Row:
    return {
        "result_id": result_id,
        "field": field,
        "path": source.path,
        "line": source.line,
        "sha256": digest(source.path),
    }


def _clean(text: Any) -> Any:
    """Return a text that UTF-8 can hold; file names may carry other bytes."""
    return text.encode("utf-8", "backslashreplace").decode() if isinstance(text, str) else text
