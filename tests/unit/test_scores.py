"""The numbers that are published: hand-computed from round numbers put into logs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mlcheck.model import Result
from tests.edits import CopyBeside, Delete, DropKey, Place, Power, SetKey, Write
from tests.power_folder import MEAN_W
from tests.trees import verified

EDGE = "closed/Acme/results/acme-edge-1x/resnet50"
LLAMA2 = "closed/Acme/results/acme-dc-8x/llama2-70b-99"
RETINANET = "closed/Acme/results/acme-dc-8x/retinanet"
LOG = "performance/run_1/mlperf_log_detail.txt"
SAMPLES, QUERIES, TOKENS = (
    f"throughput {unit}/s higher" for unit in ("samples", "queries", "tokens")
)


def result(tree: Path, path: str) -> Result:
    return next(result for result in verified(tree).results if result.path == path)


def set_key(tree: Path, path: str, key: str, value: float | str) -> None:
    SetKey(path=LOG, key=key, value=value).apply(Place(tree, path))


def replace_scenario(tree: Path, old: str, by: str) -> None:
    """Put the runs of one scenario of the edge system in place of those of another."""
    place = Place(tree, "closed/Acme")
    Delete(path=f"*/acme-edge-1x/resnet50/{old}").apply(place)
    CopyBeside(path=f"*/acme-edge-1x/resnet50/{by}", name=old).apply(place)


@pytest.mark.parametrize(
    ("path", "key", "logged", "value", "metric"),
    [
        (f"{EDGE}/SingleStream", "early_stopping_latency_ss", 640000, 0.64, "latency_p90 ms lower"),
        (f"{EDGE}/MultiStream", "early_stopping_latency_ms", 2500000, 2.5, "latency_p99 ms lower"),
        (f"{EDGE}/Offline", "result_samples_per_second", 5000.5, 5000.5, SAMPLES),
        (f"{LLAMA2}/Offline", "result_tokens_per_second", 12345, 12345.0, TOKENS),
        (f"{LLAMA2}/Server", "result_completed_tokens_per_second", 99.25, 99.25, TOKENS),
        (f"{LLAMA2}/Interactive", "result_completed_tokens_per_second", 9.5, 9.5, TOKENS),
        (f"{RETINANET}/Server", "result_completed_samples_per_sec", 6000, 6000.0, QUERIES),
    ],
)
def test_what_is_published(
    tree: Path, path: str, key: str, logged: float, value: float, metric: str
) -> None:
    set_key(tree, path, key, logged)
    primary = result(tree, path).primary
    assert primary is not None
    assert (primary.value, primary.value_raw) == (value, str(logged))
    assert f"{primary.name} {primary.unit} {primary.better}" == metric
    assert primary.source.path == f"{path}/{LOG}"


def test_inferred_multistream_is_eight_times_the_estimate(tree: Path) -> None:
    replace_scenario(tree, "MultiStream", "SingleStream")
    set_key(tree, f"{EDGE}/MultiStream", "early_stopping_latency_ms", 750_000)
    inferred = result(tree, f"{EDGE}/MultiStream")
    assert inferred.inferred
    assert inferred.primary is not None
    assert (inferred.primary.value, inferred.primary.unit) == (6.0, "ms")
    assert (inferred.primary.name, inferred.primary.value_raw) == ("latency_p99", "750000")


def test_inferred_offline_of_singlestream_is_the_rate_without_overhead(tree: Path) -> None:
    replace_scenario(tree, "Offline", "SingleStream")
    set_key(tree, f"{EDGE}/Offline", "result_qps_without_loadgen_overhead", 1613.5)
    inferred = result(tree, f"{EDGE}/Offline")
    assert inferred.inferred
    assert inferred.primary is not None
    assert (inferred.primary.value, inferred.primary.unit) == (1613.5, "samples/s")


def test_inferred_offline_of_multistream_is_eight_samples_per_mean_latency(tree: Path) -> None:
    replace_scenario(tree, "Offline", "MultiStream")
    set_key(tree, f"{EDGE}/Offline", "result_mean_query_latency_ns", 2_000_000)
    inferred = result(tree, f"{EDGE}/Offline")
    assert inferred.inferred
    assert inferred.primary is not None
    assert inferred.primary.value == 8 / 0.002
    assert inferred.primary.unit == "samples/s"


@pytest.mark.parametrize(
    ("old", "by", "key"),
    [
        ("MultiStream", "SingleStream", "early_stopping_latency_ms"),
        ("Offline", "SingleStream", "result_qps_without_loadgen_overhead"),
        ("Offline", "MultiStream", "result_mean_query_latency_ns"),
    ],
)
def test_what_is_inferred_of_nothing_is_no_number(tree: Path, old: str, by: str, key: str) -> None:
    replace_scenario(tree, old, by)
    DropKey(path=LOG, key=key).apply(Place(tree, f"{EDGE}/{old}"))
    assert result(tree, f"{EDGE}/{old}").metrics == ()


def test_a_measured_result_is_not_inferred(tree: Path) -> None:
    assert not any(result(tree, f"{EDGE}/{name}").inferred for name in ("Offline", "MultiStream"))


def test_latencies_are_shown_beside_a_server_result(tree: Path) -> None:
    set_key(tree, f"{LLAMA2}/Server", "result_first_token_99.00_percentile_latency_ns", 500_000_000)
    shown = {metric.name: metric for metric in result(tree, f"{LLAMA2}/Server").metrics}
    assert (shown["first_token_p99"].value, shown["first_token_p99"].role) == (500.0, "secondary")
    assert [metric.role for metric in shown.values()].count("primary") == 1


def test_a_result_without_log_has_no_metrics(tree: Path) -> None:
    (tree / EDGE / "Offline" / LOG).unlink()
    assert result(tree, f"{EDGE}/Offline").metrics == ()


def accuracy(tree: Path, path: str, text: str) -> Result:
    Write(path="accuracy/accuracy.txt", text=text).apply(Place(tree, path))
    return result(tree, path)


def test_quality_is_held_against_its_target(tree: Path) -> None:
    (value,) = accuracy(tree, f"{EDGE}/Offline", "accuracy=75.5%, good=1\nhash=ab\n").quality
    assert (value.name, value.value, value.value_raw, value.op) == ("acc", 75.5, "75.5", ">=")
    assert value.target == pytest.approx(76.46 * 0.99)
    assert value.ok is False
    assert (value.source.path, value.source.line) == (f"{EDGE}/Offline/accuracy/accuracy.txt", 1)


def test_quality_with_two_bounds_is_held_against_both(tree: Path) -> None:
    text = "{'tokens_per_sample': 320.0}\nhash=ab\n"
    held = [
        (value.op, value.ok)
        for value in accuracy(tree, f"{LLAMA2}/Offline", text).quality
        if value.name == "TOKENS_PER_SAMPLE"
    ]
    assert held == [(">=", True), ("<=", True)]


def test_open_has_quality_and_no_target(tree: Path) -> None:
    path = "open/Borealis/results/borealis-mini/tinynet-v1/Offline"
    (value,) = accuracy(tree, path, "accuracy=10.5%, good=1\n").quality
    assert (value.value, value.target, value.op, value.ok) == (10.5, None, None, None)


def test_the_last_reading_before_the_hash_counts(tree: Path) -> None:
    text = "accuracy=76.1%\naccuracy=76.2%\nhash=ab\naccuracy=76.3%\n"
    (value,) = accuracy(tree, f"{EDGE}/Offline", text).quality
    assert value.value == 76.2


def window_s(tree: Path, path: str) -> float:
    """Return the length of the power window of the example's runs, read without mlcheck."""
    text = (tree / path / LOG).read_text(encoding="utf-8")
    found = re.findall(r'"key": "power_\w+", "value": "[\d-]+ (\d+):(\d+):([\d.]+)"', text)
    begin, end = (int(h) * 3600 + int(m) * 60 + float(s) for h, m, s in found)
    return end - begin


def test_power_of_offline_is_the_mean_of_the_window(tree: Path) -> None:
    Power(path="Offline").apply(Place(tree, EDGE))
    set_key(tree, f"{EDGE}/Offline", "result_samples_per_second", 5000)
    power = result(tree, f"{EDGE}/Offline").power
    assert power is not None
    assert (power.value, power.unit, power.average_w) == (MEAN_W, "W", MEAN_W)
    assert power.efficiency == 5000 / MEAN_W  # samples per joule
    assert power.samples == int(window_s(tree, f"{EDGE}/Offline"))


def test_energy_of_singlestream_is_per_query(tree: Path) -> None:
    Power(path="SingleStream").apply(Place(tree, EDGE))
    set_key(tree, f"{EDGE}/SingleStream", "result_query_count", 1_000_000)
    power = result(tree, f"{EDGE}/SingleStream").power
    assert power is not None
    seconds = window_s(tree, f"{EDGE}/SingleStream")
    assert power.value == pytest.approx(MEAN_W * seconds * 1000 / 1_000_000)  # mJ
    assert (power.unit, power.average_w) == ("mJ/query", MEAN_W)
    assert power.efficiency == pytest.approx(1_000_000 / (MEAN_W * seconds))


def test_energy_of_multistream_is_per_query_of_eight(tree: Path) -> None:
    Power(path="MultiStream").apply(Place(tree, EDGE))
    set_key(tree, f"{EDGE}/MultiStream", "result_query_count", 300_000)
    power = result(tree, f"{EDGE}/MultiStream").power
    assert power is not None
    seconds = window_s(tree, f"{EDGE}/MultiStream")
    assert power.value == pytest.approx(MEAN_W * seconds * 1000 / 300_000)
    assert power.efficiency == pytest.approx(8 * 300_000 / (MEAN_W * seconds))


def test_energy_of_an_inferred_multistream_is_eight_queries(tree: Path) -> None:
    Power(path="SingleStream").apply(Place(tree, EDGE))
    set_key(tree, f"{EDGE}/SingleStream", "result_query_count", 1_000_000)
    replace_scenario(tree, "MultiStream", "SingleStream")
    single = result(tree, f"{EDGE}/SingleStream").power
    multi = result(tree, f"{EDGE}/MultiStream").power
    assert single is not None
    assert multi is not None
    assert single.value is not None
    assert multi.value == pytest.approx(8 * single.value)
    assert multi.efficiency == pytest.approx(single.efficiency)


def test_without_a_power_folder_there_is_no_power(tree: Path) -> None:
    assert result(tree, f"{EDGE}/Offline").power is None
