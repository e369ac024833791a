"""Files beside the pages: results as CSV and JSON, with units; what scripts read."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from mlcheck_report.frames.ranked import Record
from mlcheck_report.frames.rounds import Round
from mlcheck_report.frames.script import script_data
from mlcheck_report.frames.site import Site

EXPORT_VERSION = "1.0"
COLUMNS = (  # name in the files, column of a row
    ("suite", "suite"),
    ("round", "round"),
    ("division", "division"),
    ("benchmark", "label"),
    ("benchmark_as_submitted", "benchmark_raw"),
    ("scenario", "scenario"),
    ("variant", "variant"),
    ("rank", "rank"),
    ("submitter", "submitter"),
    ("system", "name"),
    ("system_folder", "system"),
    ("system_type", "category"),
    ("availability", "availability"),
    ("nodes", "nodes"),
    ("accelerator", "accelerator"),
    ("accelerators_total", "accelerators_total"),
    ("host_cpu", "host_cpu"),
    ("metric", "metric"),
    ("result", "value"),
    ("result_unit", "unit"),
    ("better", "better"),
    ("spread", "spread"),
    ("runs", "runs"),
    ("per_accelerator_derived", "per"),
    ("accuracy_margin_percent", "margin"),
    ("accuracy_met", "quality_ok"),
    ("average_power_w", "average_w"),
    ("efficiency_samples_per_joule", "efficiency"),
    ("verdict_policy", "verdict"),
    ("verdict_official_tool", "official_verdict"),
    ("inferred", "inferred"),
    ("state", "state"),
    ("comparability_key", "ranking"),
    ("path", "path"),
    ("id", "id"),
)
NOTICE = (
    "MLPerf is a trademark of MLCommons Association. mlcheck is independent of MLCommons; results "
    "are not verified by MLCommons and derived figures are not official metrics. Terms of use of "
    "the results: those of the repository they were submitted to."
)
_UNSAFE = {ord(character): f"\\u{ord(character):04x}" for character in "<>&'\u2028\u2029"}
_FORMULA = re.compile(r"[=+\-@\t\r]")


def frame(site: Site) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of every file."""
    for round_ in site.rounds:
        yield f"{round_.folder}/data.js", script(round_)
        yield f"{round_.folder}/results.csv", _csv(round_).encode("utf-8", "replace")
        yield f"{round_.folder}/results.json", _json(round_)
        for row in round_.rows:
            yield row["json"], _dumped(result(round_, row))


def result(round_: Round, row: Record) -> dict[str, Any]:
    """Return all that the tables say of one result."""
    evidence = round_.evidence[row["id"]]
    return {
        "schema_version": EXPORT_VERSION,
        "notice": NOTICE,
        "result": exported(row),
        "metrics": [_without_key(item) for item in evidence.metrics],
        "quality": [_without_key(item) for item in evidence.quality],
        "power": [_without_key(item) for item in evidence.power],
        "provenance": [_without_key(item) for item in evidence.sources],
        "findings": [
            {name: value for name, value in item.items() if name not in ("rows", "number")}
            for item in evidence.findings
        ],
        "not_judged": [_without_key(item) for item in evidence.outcomes],
    }


def exported(row: Record) -> dict[str, Any]:
    """Return a result under the names that the files use."""
    return {name: row[column] for name, column in COLUMNS}


def script(round_: Round) -> bytes:
    """Return the script that hands the rows of a round to the page."""
    text = json_for_script(script_data(round_))
    return f"mlcheck.round({text});\n".encode("utf-8", "replace")


def json_for_script(value: Any) -> str:
    """Write JSON that is also a script, and can stand inside a script element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(_UNSAFE)


def _without_key(item: Record) -> Record:
    return {name: value for name, value in item.items() if name not in ("result_id", "subject")}


def _csv(round_: Round) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow([name for name, _ in COLUMNS])
    for row in round_.rows:
        writer.writerow([_cell(row[column]) for _, column in COLUMNS])
    return file.getvalue()


def _cell(value: Any) -> Any:
    """Write a value so that no spreadsheet takes submitted text for a formula."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "'" + value if isinstance(value, str) and _FORMULA.match(value) else value


def _json(round_: Round) -> bytes:
    document = {
        "schema_version": EXPORT_VERSION,
        "notice": NOTICE,
        "results": [exported(row) for row in round_.rows],
    }
    return _dumped(document)


def _dumped(document: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"
