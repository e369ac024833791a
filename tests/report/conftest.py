"""A small made-up round: two divisions, hostile names, and every kind of gap."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mlcheck.normalize.schema import SCHEMA_VERSION, TABLES
from mlcheck_report import render

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Row = dict[str, Any]
Rows = dict[str, list[Row]]
Write = Callable[..., Path]

ROUND: Row = {"suite": "inference", "round": "v5.1"}
EVIL = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    "</script><script>alert(3)</script>",
    "javascript:alert(4)",
    '=HYPERLINK("http://evil.example","a")',
    "{{ 7 * 7 }}",
)


def system(submitter: str, name: str, **facts: Any) -> Row:
    own = {
        "division": "closed",
        "submitter": submitter,
        "system": name,
        "system_name": f"{name} server",
        "availability": "available",
        "category": "datacenter",
        "nodes": 1,
        "host_cpu": "EPYC",
        "host_cpus_per_node": 2,
        "accelerator": "H100",
        "accelerators": [],
        "unknown_names": [],
        "accelerators_per_node": 8,
        "accelerators_total": 8,
        "framework": "TensorRT",
    } | facts
    path = f"{own['division']}/{submitter}/systems/{name}.json"
    return ROUND | {"path": path, "sha256": "5" * 64} | own


def result(id_: str, of: Row, benchmark: str, scenario: str | None, **facts: Any) -> Row:
    keys = {key: of[key] for key in ("division", "submitter", "system")}
    folder = "/".join(keys.values())
    return (
        ROUND
        | {
            "id": id_,
            **keys,
            "benchmark": benchmark,
            "benchmark_raw": benchmark,
            "scenario": scenario,
            "variant": None,
            "verdict": "valid",
            "official_verdict": "valid",
            "inferred": False,
            "power_only": False,
            "runs": 1,
            "aggregation": "single",
            "comparability_key": f"{keys['division']}|{benchmark}|{scenario}",
            "state": "checked",
            "path": f"{folder}/{benchmark}/{scenario}",
        }
        | facts
    )


def metric(id_: str, value: float, unit: str = "samples/s", better: str = "higher") -> Row:
    name = "throughput" if better == "higher" else "latency_p90"
    return {
        "result_id": id_,
        "name": name,
        "role": "primary",
        "value": value,
        "value_raw": f"{value!r} as logged",
        "unit": unit,
        "better": better,
    }


def quality(id_: str, value: float, target: float | None, op: str | None = ">=") -> Row:
    ok = None if target is None else (value >= target if op == ">=" else value <= target)
    return {
        "result_id": id_,
        "name": "acc",
        "value": value,
        "value_raw": f"{value:.5f}",
        "target": target,
        "op": op,
        "ok": ok,
    }


def finding(id_: str, results: list[str], **facts: Any) -> Row:
    return (
        ROUND
        | {
            "id": id_,
            "rule": "INF021",
            "name": "scenario-missing",
            "severity": "error",
            "official": "error",
            "path": "closed/acme/results/box",
            "line": 12,
            "message": f"finding {id_}",
            "expected": "Server",
            "actual": "Offline",
            "hint": "add the scenario",
            "policy": "inference_rules.adoc#scenarios",
            "results": results,
            "waived": None,
        }
        | facts
    )


def small_round() -> Rows:
    box = system("acme", "box")
    cpu = system("acme", "cpu", accelerator=None, accelerators_total=None, nodes=2)
    evil = system(EVIL[0], EVIL[1], system_name=EVIL[1], accelerator=EVIL[2], host_cpu=EVIL[4])
    evil |= {"accelerators_total": 4, "availability": "preview", "category": "datacenter,edge"}
    free = system("beta", EVIL[4], division="open", framework=EVIL[5], system_name=None)
    lost = ROUND | {"division": "open", "submitter": "beta", "system": "not-described"}
    return {
        "submissions": [submission("closed", "acme"), submission("open", "beta")],
        "systems": [box, cpu, evil, free],
        "results": [
            result("aa01", box, "resnet", "Offline"),
            result("aa02", box, "resnet", "SingleStream", inferred=True),
            result("aa03", cpu, "resnet", "Offline", verdict="invalid"),
            result("aa04", cpu, "resnet", "Server", official_verdict="invalid"),
            result("aa05", evil, "resnet", "Offline"),
            result("aa06", evil, "resnet", "SingleStream"),
            result("aa07", free, EVIL[2], "Offline") | {"benchmark": None},
            result(EVIL[1], lost, "resnet", None),
        ],
        "metrics": [
            metric("aa01", 1000.0),
            metric("aa02", 4.0, "ms", "lower"),
            metric("aa03", 5000.0),
            metric("aa05", 800.0),
            metric("aa06", 2.0, "ms", "lower"),
            metric("aa07", 0.001234),
            metric("aa01", 12.0, "ms", "lower") | {"role": "secondary"},
        ],
        "quality": [
            quality("aa01", 76.5, 75.7),
            quality("aa03", 70.0, 75.7),
            quality("aa02", 9.0, 10.0, "<="),
            quality("aa07", 1.0, None, None),
        ],
        "power": [power("aa02")],
        "findings": [
            finding("f1", ["aa03"], message=EVIL[2], actual=EVIL[1], hint=EVIL[0]),
            finding("f2", ["aa01", "aa03", "unknown"], rule="SYS003", severity="warning"),
            finding("f3", [], rule="GEN001", severity="note", waived="by the chair", hint=None),
        ],
        "outcomes": [
            outcome("aa04", "not-evaluable", "the log does not say"),
            outcome("closed/acme", "skipped", "GEN001 reports it"),
        ],
        "offers": [
            offer("resnet", "Offline"),
            offer("resnet", "Server"),
            offer("resnet", "SingleStream"),
            offer("bert", "Offline"),
        ],
        "power_trace": [
            {"result_id": "aa02", "second": s, "mean_w": w, "least_w": w - 5, "most_w": w + 5}
            for s, w in ((-30.0, 100.0), (10.0, 310.0), (300.0, 290.0), (590.0, 300.0))
        ],
        "provenance": [source("aa01", "metric:throughput", 33), source("aa02", "power", 0)],
    }


def outcome(subject: str, kind: str, reason: str) -> Row:
    return ROUND | {"rule": "INF341", "subject": subject, "outcome": kind, "reason": reason}


def offer(benchmark: str, scenario: str, category: str = "datacenter") -> Row:
    own = {"benchmark": benchmark, "category": category, "scenario": scenario, "required": True}
    return ROUND | own


def submission(division: str, submitter: str) -> Row:
    counts = dict.fromkeys(("results", "systems", "valid", "official_valid", "errors"), 1)
    return ROUND | {
        "division": division,
        "submitter": submitter,
        "source_repository": "https://github.com/mlcommons/results"
        if submitter == "acme"
        else EVIL[3],
        "source_commit": "0123456789abcdef",
        "verdict": "fail",
        "official_verdict": "pass",
        **counts,
        "warnings": 0,
    }


def power(id_: str) -> Row:
    return {
        "result_id": id_,
        "kind": "measured",
        "value": 1200.0,
        "unit": "mJ/query",
        "average_w": 300.0,
        "efficiency": 0.83,
        "valid": True,
        "method": "analyzer",
        "meter": EVIL[0],
        "energy_j": 180000.0,
        "begin_ms": 1753892307014.0,
        "end_ms": 1753892907014.0,
        "samples": 600,
        "unused": 2,
        "coverage": 0.995,
        "longest_gap_ms": 3012.0,
        "uncertainty": 0.0045,
        "uncertainty_most": None,
        "range_a": 2.5,
        "range_v": 230.0,
        "largest_a": 2.25,
    }


def source(id_: str, field: str, line: int) -> Row:
    path = f"closed/acme/box/resnet/Offline/log-{id_}.txt"
    return {"result_id": id_, "field": field, "path": path, "line": line, "sha256": "7" * 64}


@pytest.fixture
def rows() -> Rows:
    """The rows of every table; a test may change them before it writes them."""
    return small_round()


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write rows as Parquet; keywords overrule the metadata."""

    def write_tables(rows: Rows, **metadata: str) -> Path:
        folder = tmp_path / "tables"
        folder.mkdir(exist_ok=True)
        made_by = {"schema_version": SCHEMA_VERSION, "tool_version": "1.2.3", **metadata}
        for name, schema in TABLES.items():
            table = pa.Table.from_pylist(rows[name], schema=schema)
            pq.write_table(table.replace_schema_metadata(made_by), folder / f"{name}.parquet")
        return folder

    return write_tables


@pytest.fixture
def site(rows: Rows, write: Write, tmp_path: Path) -> Path:
    """The site of the small round."""
    render(write(rows), out=tmp_path / "site")
    return tmp_path / "site"


@pytest.fixture
def opened(browser: Browser, site: Path) -> Iterator[Page]:
    """A page of the site; what it logged or asked for is checked when the test is over."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    logged: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: logged.append(message.text))
    page.on("pageerror", lambda error: logged.append(str(error)))
    page.on("dialog", lambda dialog: logged.append(dialog.message))
    page.on("request", lambda request: asked.append(request.url))
    yield page
    page.close()
    assert logged == []
    own = (site.as_uri(), "data:", "blob:", "about:")
    assert [url for url in asked if not url.startswith(own)] == []
