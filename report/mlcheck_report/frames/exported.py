"""Under which names a result stands in the data files; the names carry units.

Source: schemas/site-results.schema.json, which says what each of them means.
"""

from __future__ import annotations

from typing import Any

from mlcheck_report.frames.ranked import Record

EXPORT_VERSION = "1.0"
NOTICE = (
    "MLPerf is a trademark of MLCommons Association. mlcheck is independent of MLCommons; results "
    "are not verified by MLCommons and derived figures are not official metrics. Terms of use of "
    "the results: those of the repository they were submitted to."
)
COLUMNS = (  # name in the files, column of a row
    ("suite", "suite"),
    ("round", "round"),
    ("division", "division"),
    ("benchmark", "label"),
    ("benchmark_as_submitted", "benchmark_raw"),
    ("model", "model"),
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
    ("per_node_derived", "per_node"),
    ("per_watt_derived", "per_watt"),
    ("accuracy_margin_percent", "margin"),
    ("accuracy_met", "quality_ok"),
    ("average_power_w", "average_w"),
    ("energy_to_train_j", "energy_j"),
    ("efficiency_samples_per_joule", "efficiency"),
    ("verdict_policy", "verdict"),
    ("verdict_official_tool", "official_verdict"),
    ("inferred", "inferred"),
    ("state", "state"),
    ("comparability_key", "ranking"),
    ("path", "path"),
    ("id", "id"),
)


def exported(row: Record) -> dict[str, Any]:
    """Return a result under the names that the files use."""
    return {name: row[column] for name, column in COLUMNS}
