"""The report as JSON, as ``schemas/report.schema.json`` describes it."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from mlcheck import __version__
from mlcheck.model import Report, Result
from mlcheck.output.summary import summarise

SCHEMA_VERSION = "1.0"


def json_report(report: Report) -> str:
    """Return the report as indented JSON text."""
    document = as_document(report)
    try:
        return msgspec.json.format(msgspec.json.encode(document), indent=1).decode()
    except UnicodeEncodeError:  # a file name that is not UTF-8
        return json.dumps(msgspec.to_builtins(document), indent=1)


def as_document(report: Report) -> dict[str, Any]:
    """Return the report as plain values."""
    summary = summarise(report)
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "mlcheck", "version": __version__},
        "root": report.root,
        "rulesets": report.rulesets,
        "summary": {
            "verdict": summary.verdict,
            "official_verdict": summary.official_verdict,
            "results": summary.results,
            "valid": summary.valid,
            "official_valid": summary.official_valid,
            "findings": summary.findings,
            "waived": summary.waived,
            "known": summary.known,
            "skipped": summary.skipped,
            "not_evaluable": summary.not_evaluable,
        },
        "results": [_result(result) for result in report.results],
        "findings": [_fields(finding) for finding in report.findings],
        "outcomes": report.outcomes,
        "waivers": report.waivers,
        "not_run": report.not_run,
        "extra_rules": report.extra_rules,
    }


def _result(result: Result) -> dict[str, Any]:
    power = result.power
    shown = _fields(power) if power else None
    if shown:
        del shown["trace"]  # for plots; the samples themselves lie in the submission
    return {**_fields(result), "power": shown, "runs": len(result.runs_detail)}


def _fields(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__slots__}
