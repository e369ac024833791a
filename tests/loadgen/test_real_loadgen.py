"""What the real LoadGen writes is read without a flaw, but for what short runs break.

The package ``mlcommons-loadgen`` is an optional part of the test environment.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from mlcheck.engine import Job, verify
from mlcheck.loadgen import read_detail
from mlcheck.model import Report
from mlcheck.ruleset import load
from mlcheck.tree import Tree

pytestmark = pytest.mark.skipif(
    find_spec("mlperf_loadgen") is None, reason="mlcommons-loadgen is not installed"
)

TOY = Path(__file__).parent / "toy_system.py"
RUN_MS = 300
# A run of 300 ms over 64 samples, by a LoadGen newer than the round's.
BROKEN_BY_SHORT_RUNS = {"INF309", "INF311", "INF340", "INF509"}
SCENARIOS = ("SingleStream", "MultiStream", "Server", "Offline")


def settings(scenario: str, mode: str, **more: Any) -> dict[str, Any]:
    """Return settings that LoadGen itself is content with."""
    return {
        "scenario": scenario,
        "mode": mode,
        "min_duration_ms": RUN_MS,
        "min_query_count": 700,
        "single_stream_expected_latency_ns": 1000,
        "multi_stream_expected_latency_ns": 1000,
        "server_target_qps": 2000.0,
        "server_target_latency_ns": 1_000_000_000,
        "offline_expected_qps": 1000.0,
        **load("inference", "v5.1").document["seeds"],
        **more,
    }


def run(out: Path, chosen: dict[str, Any]) -> None:
    """Let LoadGen run the toy system."""
    out.mkdir(parents=True)
    command = [sys.executable, str(TOY), json.dumps(chosen), str(out)]
    subprocess.run(command, check=True, timeout=60, capture_output=True)
    (out / "mlperf_log_trace.json").unlink()


def place(tree: Path, benchmark: str, scenario: str, **more: Any) -> None:
    """Make the only result of the open submission one that LoadGen has just measured."""
    home = tree / "open" / "Borealis"
    shutil.rmtree(tree / "closed")
    for kind in ("results", "measurements"):
        system = home / kind / "borealis-mini"
        (system / "tinynet-v1" / "SingleStream").rename(system / "kept")
        shutil.rmtree(system / "tinynet-v1")
        (system / benchmark).mkdir()
        (system / "kept").rename(system / benchmark / scenario)
    if benchmark != "tinynet-v1":
        (home / "code" / benchmark).symlink_to("tinynet-v1")
    conf = home / "measurements" / "borealis-mini" / benchmark / scenario / "user.conf"
    conf.write_text("# nothing but the defaults\n")
    result = home / "results" / "borealis-mini" / benchmark / scenario
    text = (result / "accuracy" / "accuracy.txt").read_text()
    for folder, mode in (("performance/run_1", "PerformanceOnly"), ("accuracy", "AccuracyOnly")):
        shutil.rmtree(result / folder)
        run(result / folder, settings(scenario, mode, **more))
    (result / "accuracy" / "accuracy.txt").write_text(text)


def judged(tree: Path) -> Report:
    """Verify a tree under the rules of v5.1."""
    return verify(Job(root=str(tree), suite="inference", round="v5.1"), jobs=1)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_short_runs_break_what_short_runs_break(tree: Path, scenario: str) -> None:
    place(tree, "tinynet-v1", scenario)
    report = judged(tree)
    found = {finding.rule for finding in report.findings if finding.severity != "note"}
    # The toy answers an Offline query at once: LoadGen itself finds the run too short.
    offline = {"INF306", "INF314"} if scenario == "Offline" else set()
    assert found == BROKEN_BY_SHORT_RUNS | offline
    (result,) = report.results
    assert result.scenario == scenario
    assert result.primary is not None
    assert not result.inferred


@pytest.mark.parametrize("scenario", ["Server", "Offline"])
def test_token_latencies_are_read(tree: Path, scenario: str) -> None:
    latencies = {"ttft_latency": 1_000_000_000, "tpot_latency": 1_000_000_000}
    place(
        tree,
        "llama2-70b-99",
        scenario,
        use_token_latencies=True,
        sample_concatenate_permutation=True,
        **(latencies if scenario == "Server" else {}),
    )
    (result,) = judged(tree).results
    assert result.primary is not None
    assert (result.primary.unit, result.primary.name) == ("tokens/s", "throughput")
    names = {metric.name for metric in result.metrics}
    assert scenario == "Offline" or {"first_token_p99", "per_output_token_p99"} <= names


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_line_is_read(tmp_path: Path, scenario: str) -> None:
    run(tmp_path / "run", settings(scenario, "PerformanceOnly"))
    log = read_detail(Tree(str(tmp_path)), "run/mlperf_log_detail.txt")
    assert not log.broken
    assert log.problem is None
    assert log.text("effective_scenario") == scenario
    assert log.last_ms > log.first_ms
