"""The normalised tables: the only place that names their columns.

Every file carries ``schema_version``, ``suite``, ``round``, ``ruleset_sha256`` and ``tool_version``
in its metadata. Keys: ``results.id`` is referred to by ``result_id``; systems are found by
``(suite, round, division, submitter, system)``.
"""

from __future__ import annotations

import pyarrow as pa

SCHEMA_VERSION = "1.0"

_KEYS = [
    pa.field("suite", pa.string(), nullable=False),
    pa.field("round", pa.string(), nullable=False),
    pa.field("division", pa.string(), nullable=False),
    pa.field("submitter", pa.string(), nullable=False),
]

TABLES: dict[str, pa.Schema] = {
    "submissions": pa.schema(
        [
            *_KEYS,
            pa.field("source_repository", pa.string()),
            pa.field("source_commit", pa.string()),
            pa.field("verdict", pa.string(), nullable=False),  # pass, fail
            pa.field("official_verdict", pa.string(), nullable=False),
            pa.field("systems", pa.int32(), nullable=False),
            pa.field("results", pa.int32(), nullable=False),
            pa.field("valid", pa.int32(), nullable=False),
            pa.field("official_valid", pa.int32(), nullable=False),
            pa.field("errors", pa.int32(), nullable=False),
            pa.field("warnings", pa.int32(), nullable=False),
        ]
    ),
    "systems": pa.schema(
        [
            *_KEYS,
            pa.field("system", pa.string(), nullable=False),  # name of the folder
            pa.field("system_name", pa.string()),  # as described
            pa.field("availability", pa.string()),  # available, preview, rdi
            pa.field("availability_raw", pa.string()),
            pa.field("category", pa.string()),  # datacenter, edge, or both with a comma
            pa.field("nodes", pa.int32()),
            pa.field("host_cpu", pa.string()),  # canonical: as in rules/names, else tidied
            pa.field("host_cpu_raw", pa.string()),
            pa.field("host_cpus_per_node", pa.int32()),
            pa.field("accelerator", pa.string()),  # canonical: as in rules/names, else tidied
            pa.field("accelerator_raw", pa.string()),
            pa.field("accelerators", pa.list_(pa.string()), nullable=False),  # one name per kind
            pa.field("unknown_names", pa.list_(pa.string()), nullable=False),  # not in rules/names
            pa.field("accelerators_per_node", pa.int32()),
            pa.field("accelerators_total", pa.int32()),
            pa.field("host_memory", pa.string()),
            pa.field("accelerator_memory", pa.string()),
            pa.field("interconnect", pa.string()),
            pa.field("framework", pa.string()),
            pa.field("operating_system", pa.string()),
            pa.field("device", pa.string()),  # as it is sold: a phone or laptop
            pa.field("soc", pa.string()),  # system on a chip, canonical as host_cpu
            pa.field("soc_raw", pa.string()),
            pa.field("soc_id", pa.string()),  # the same as the device itself names it
            pa.field("description_json", pa.string()),
            pa.field("path", pa.string(), nullable=False),
            pa.field("sha256", pa.string()),
        ]
    ),
    "results": pa.schema(
        [
            pa.field("id", pa.string(), nullable=False),
            *_KEYS,
            pa.field("system", pa.string(), nullable=False),
            pa.field("benchmark", pa.string()),  # null: the round does not know it
            pa.field("benchmark_raw", pa.string(), nullable=False),
            pa.field("scenario", pa.string()),
            pa.field("system_type", pa.string()),  # ranked among systems of this type
            pa.field("variant", pa.string()),  # quality tier, such as 99.9
            pa.field("backend", pa.string()),  # library that ran the model
            pa.field("runtime", pa.string()),  # SDK or framework in it
            pa.field("delegate", pa.string()),  # way through it that was chosen
            pa.field("runs_on", pa.string()),  # processor that it says it ran on
            pa.field("verdict", pa.string(), nullable=False),  # valid, invalid
            pa.field("official_verdict", pa.string(), nullable=False),
            pa.field("inferred", pa.bool_(), nullable=False),
            pa.field("power_only", pa.bool_(), nullable=False),
            pa.field("runs", pa.int32(), nullable=False),
            pa.field("aggregation", pa.string(), nullable=False),
            pa.field("spread", pa.float64()),
            pa.field("weight_data_types", pa.string()),
            pa.field("design_power_watts", pa.float64()),  # what the system is built for
            pa.field("comparability_key", pa.string(), nullable=False),
            pa.field("state", pa.string(), nullable=False),  # checked
            pa.field("path", pa.string(), nullable=False),
        ]
    ),
    "metrics": pa.schema(
        [
            pa.field("result_id", pa.string(), nullable=False),
            pa.field("name", pa.string(), nullable=False),
            pa.field("role", pa.string(), nullable=False),  # primary, secondary, derived
            pa.field("value", pa.float64(), nullable=False),
            pa.field("value_raw", pa.string(), nullable=False),
            pa.field("unit", pa.string(), nullable=False),
            pa.field("better", pa.string(), nullable=False),  # higher, lower
        ]
    ),
    "quality": pa.schema(
        [
            pa.field("result_id", pa.string(), nullable=False),
            pa.field("name", pa.string(), nullable=False),
            pa.field("value", pa.float64(), nullable=False),
            pa.field("value_raw", pa.string(), nullable=False),
            pa.field("target", pa.float64()),  # null: the division sets none
            pa.field("op", pa.string()),  # >=, <=
            pa.field("ok", pa.bool_()),
        ]
    ),
    "power": pa.schema(
        [
            pa.field("result_id", pa.string(), nullable=False),
            pa.field("kind", pa.string(), nullable=False),  # measured
            pa.field("value", pa.float64()),  # null: it cannot be computed
            pa.field("unit", pa.string(), nullable=False),  # W, mJ/query, J
            pa.field("average_w", pa.float64()),
            pa.field("efficiency", pa.float64()),  # samples per joule; null: training
            pa.field("valid", pa.bool_(), nullable=False),
            pa.field("method", pa.string(), nullable=False),
            pa.field("meter", pa.string()),  # its model
            pa.field("energy_j", pa.float64()),  # inside the window, rectangle rule
            pa.field("begin_ms", pa.float64()),  # window, ms UTC since 1970
            pa.field("end_ms", pa.float64()),
            pa.field("samples", pa.int32()),  # inside the window
            pa.field("unused", pa.int32()),  # of these, zero, negative or no number
            pa.field("coverage", pa.float64()),  # share of the window without gaps, 0 to 1
            pa.field("longest_gap_ms", pa.float64()),  # without a usable reading
            pa.field("uncertainty", pa.float64()),  # mean, relative, as the meter says
            pa.field("uncertainty_most", pa.float64()),
            pa.field("range_a", pa.float64()),  # that the meter was set to
            pa.field("range_v", pa.float64()),
            pa.field("largest_a", pa.float64()),  # that it read
        ]
    ),
    "power_trace": pa.schema(
        [
            pa.field("result_id", pa.string(), nullable=False),
            pa.field("second", pa.float64(), nullable=False),  # from the beginning of the window
            pa.field("mean_w", pa.float64(), nullable=False),  # of readings that lie close together
            pa.field("least_w", pa.float64(), nullable=False),
            pa.field("most_w", pa.float64(), nullable=False),
        ]
    ),
    "findings": pa.schema(
        [
            pa.field("id", pa.string(), nullable=False),
            pa.field("suite", pa.string(), nullable=False),
            pa.field("round", pa.string(), nullable=False),
            pa.field("rule", pa.string(), nullable=False),
            pa.field("name", pa.string(), nullable=False),
            pa.field("severity", pa.string(), nullable=False),  # error, warning, note
            pa.field("official", pa.string(), nullable=False),  # error, submission, warning, none
            pa.field("path", pa.string(), nullable=False),
            pa.field("line", pa.int32(), nullable=False),  # 0: the whole file
            pa.field("message", pa.string(), nullable=False),
            pa.field("expected", pa.string()),
            pa.field("actual", pa.string()),
            pa.field("hint", pa.string()),
            pa.field("policy", pa.string(), nullable=False),
            pa.field("results", pa.list_(pa.string()), nullable=False),  # ids
            pa.field("waived", pa.string()),
        ]
    ),
    "outcomes": pa.schema(
        [
            pa.field("suite", pa.string(), nullable=False),
            pa.field("round", pa.string(), nullable=False),
            pa.field("rule", pa.string(), nullable=False),
            pa.field("subject", pa.string(), nullable=False),  # id of a result, or a path
            pa.field("outcome", pa.string(), nullable=False),  # skipped, not-evaluable
            pa.field("reason", pa.string(), nullable=False),
        ]
    ),
    "offers": pa.schema(  # what a result of the round can be about
        [
            pa.field("suite", pa.string(), nullable=False),
            pa.field("round", pa.string(), nullable=False),
            pa.field("benchmark", pa.string(), nullable=False),
            pa.field("category", pa.string()),  # type of system; null: the suite has none
            pa.field("scenario", pa.string()),  # null: the suite has none
            pa.field("required", pa.bool_(), nullable=False),  # in closed
        ]
    ),
    "provenance": pa.schema(
        [
            pa.field("result_id", pa.string(), nullable=False),
            pa.field("field", pa.string(), nullable=False),  # metric:throughput, quality:acc, power
            pa.field("path", pa.string(), nullable=False),
            pa.field("line", pa.int32(), nullable=False),
            pa.field("sha256", pa.string()),
        ]
    ),
}
