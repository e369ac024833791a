"""Accuracy files: each metric as the reference scripts print it, and which reading counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlcheck.ruleset import load
from mlcheck.suites.inference.accuracy import counted, last_of_each, read_accuracy
from mlcheck.suites.inference.build_facts import facts_of
from mlcheck.suites.inference.entry import AccuracyText
from mlcheck.suites.inference.facts import Facts
from tests.trees import ROUND, holding

FACTS: Facts = facts_of(load("inference", ROUND))


def readings(root: Path, benchmark: str, text: str) -> AccuracyText:
    return read_accuracy(holding(root, text), "file", FACTS.benchmarks[benchmark], FACTS)


@pytest.mark.parametrize(
    ("benchmark", "line", "expected"),
    [
        ("resnet", "accuracy=76.108%, good=38054, total=50000", {"acc": 76.108}),
        ("resnet", '{"accuracy": 76.1, "good": 1}', {"acc": 76.1}),
        ("retinanet", "mAP=37.352%", {"mAP": 37.352}),
        ("pointpainting", "{'Total': 0.5432}", {"mAP": 0.5432}),
        ("dlrm-v2-99", "AUC=80.31%, time=1", {"AUC": 80.31}),
        ("bert-99", '{"exact_match": 83.6, "f1": 90.87}', {"F1": 90.87}),
        ("bert-99", "{'exact_match': 83.6, 'f1': 90.87}", {"F1": 90.87}),
        ("3d-unet-99", "Accuracy: mean = 0.86170, kidney = 0.9", {"DICE": 0.8617}),
        ("whisper", "Word Error Rate: 2.0671%, accuracy=97.9329%", {"ACCURACY": 97.9329}),
        (
            "llama3.1-8b",
            "{'rouge1': '38.8', 'rouge2': '15.9', 'rougeL': '24.5', 'rougeLsum': '35.8', "
            "'gen_len': 8167644, 'gen_num': 13368}",
            {"ROUGE1": 38.8, "ROUGE2": 15.9, "ROUGEL": 24.5, "ROUGELSUM": 35.8, "GEN_LEN": 8167644},
        ),
        (
            "mixtral-8x7b",
            "{'rouge1': 45.6, 'rouge2': 23.3, 'rougeL': 30.4, 'gsm8k': 73.7, 'mbxp': 60.1, "
            "'tokens_per_sample': 144.8}",
            {"ROUGE1": 45.6, "ROUGE2": 23.3, "ROUGEL": 30.4, "gsm8k_accuracy": 73.7,
             "mbxp_accuracy": 60.1, "TOKENS_PER_SAMPLE": 144.8},
        ),
        (
            "stable-diffusion-xl",
            "Accuracy Results: {'FID_SCORE': '23.5', 'CLIP_SCORE': 31.7}",
            {"FID_SCORE": 23.5, "CLIP_SCORE": 31.7},
        ),
        ("deepseek-r1", "{'exact_match': 81.3, 'tokens_per_sample': 3886.2}",
         {"exact_match": 81.3, "TOKENS_PER_SAMPLE": 3886.2}),
    ],
)  # fmt: skip
def test_metrics_as_they_are_printed(
    scratch: Path, benchmark: str, line: str, expected: dict[str, float]
) -> None:
    text = readings(scratch, benchmark, f"noise\n{line}\r\n\nhash=0a1B\n")
    assert {reading.metric: reading.value for reading in text.readings} == expected
    assert {reading.line for reading in text.readings} == {2}
    assert text.hash_line == 4


@pytest.mark.parametrize("line", ["Top accuracy=76.1%", "accuracy: high", "ACCURACY=76.1%", ""])
def test_what_is_no_reading(scratch: Path, line: str) -> None:
    assert readings(scratch, "resnet", line).readings == ()


@pytest.mark.parametrize("line", ["hash=", " hash=ab", "hash=a b", "Hash=ab", "sha=ab"])
def test_what_is_no_hash(scratch: Path, line: str) -> None:
    assert readings(scratch, "resnet", line).hash_line == 0


@pytest.mark.parametrize("number", ["1.2.3", ".", "9" * 400])
def test_a_reading_that_is_no_number(scratch: Path, number: str) -> None:
    (reading,) = readings(scratch, "resnet", f"accuracy={number}%").readings
    assert reading.value is None
    assert number.startswith(reading.text)


def values(root: Path, text: str, stop_at: str = "reached") -> list[float | None]:
    """Return the readings that the official tool takes note of; the target is about 75.7."""
    read = readings(root, "resnet", text)
    taken = counted(read, FACTS.benchmarks["resnet"].targets, stop_at)
    return [reading.value for reading in taken]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("accuracy=76\nhash=a\naccuracy=1\n", [76]),
        ("hash=a\naccuracy=76\naccuracy=1\n", [76]),
        ("accuracy=76\naccuracy=1\nhash=a\n", [76, 1]),
        ("accuracy=1\nhash=a\naccuracy=76\naccuracy=2\n", [1, 76]),
        ("accuracy=76\naccuracy=1\n", [76, 1]),
        ("accuracy=1\nhash=a\naccuracy=2\n", [1, 2]),
        ("", []),
    ],
)
def test_reading_stops_when_target_and_hash_are_seen(
    scratch: Path, text: str, expected: list[float]
) -> None:
    assert values(scratch, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("accuracy=1\nhash=a\naccuracy=76\n", [1]),
        ("accuracy=76\naccuracy=1\nhash=a\naccuracy=2\n", [1]),
        ("accuracy=76\naccuracy=1\n", [76, 1]),
    ],
)
def test_the_tools_of_older_rounds_stop_when_both_are_stated(
    scratch: Path, text: str, expected: list[float]
) -> None:
    assert values(scratch, text, "stated") == expected


def test_the_last_reading_of_a_metric(scratch: Path) -> None:
    text = readings(scratch, "resnet", "accuracy=1\naccuracy=2\n")
    assert {name: one.value for name, one in last_of_each(text.readings).items()} == {"acc": 2}


def test_stray_bytes(scratch: Path) -> None:
    text = read_accuracy(
        holding(scratch, b"caf\xe9\naccuracy=76\n"), "file", FACTS.benchmarks["resnet"], FACTS
    )
    assert (text.stray, text.readings[0].value) == (1, 76)
