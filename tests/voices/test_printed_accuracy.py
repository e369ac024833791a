"""What accuracy scripts print: quoted or not, with many blanks, in any order and alphabet."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlcheck.suites.inference.facts import Facts
from tests.voices.made_results import (
    ROUNDS,
    entry_of,
    every_round,
    facts_for,
    flaws,
    reading,
    since,
)

# metrics that scripts print as members of a Python dictionary, by the name that they print
PRINTED = {
    "ROUGE1": "rouge1",
    "ROUGE2": "rouge2",
    "ROUGEL": "rougeL",
    "ROUGELSUM": "rougeLsum",
    "GEN_LEN": "gen_len",
    "TOKENS_PER_SAMPLE": "tokens_per_sample",
    "CLIP_SCORE": "CLIP_SCORE",
    "FID_SCORE": "FID_SCORE",
    "gsm8k_accuracy": "gsm8k",
    "mbxp_accuracy": "mbxp",
    "exact_match": "exact_match",
    "vbench_score": "vbench_score",
}
PLAIN, BLANKS, QUOTED = "'{}': {}", "'{}':   {}", "'{}': '{}'"
BOTH = "'{}':   '{}'"


def read(facts: Facts, metric: str, line: str) -> str | None:
    """Return the value that is read of a line; None: nothing is."""
    pattern = facts.wider_patterns.get(metric, facts.accuracy_patterns[metric])
    found = pattern.match(line)
    return found[1] if found else None


def unread(facts: Facts, form: str) -> list[str]:
    """Return the metrics of a round that are not read in a form."""
    used = {
        target.metric for benchmark in facts.benchmarks.values() for target in benchmark.targets
    }
    return [
        metric
        for metric, name in PRINTED.items()
        if metric in used and read(facts, metric, "{" + form.format(name, "35.79") + "}") != "35.79"
    ]


@every_round
def test_plain_numbers_are_read(round_: str) -> None:
    assert unread(facts_for(round_), PLAIN) == []


PRINTS_MEMBERS = [name for name in ROUNDS if unread(facts_for(name), "{}{}")]


@pytest.mark.parametrize("round_", PRINTS_MEMBERS)
@pytest.mark.parametrize("form", [BLANKS, QUOTED, BOTH], ids=["blanks", "quotes", "both"])
def test_quotes_and_blanks_do_not_matter(round_: str, form: str) -> None:
    assert unread(facts_for(round_), form) == []


@pytest.mark.parametrize("round_", since("v5.1"))
@pytest.mark.parametrize(
    ("metric", "line", "value"),
    [
        ("FID_SCORE", "{'FID_SCORE': '23.5', 'CLIP_SCORE': '31.75'}", "23.5"),
        ("FID_SCORE", "{'FID_SCORE': 23.5, 'CLIP_SCORE': 31.75}", "23.5"),
        ("CLIP_SCORE", "{'FID_SCORE': '23.5', 'CLIP_SCORE': '31.75'}", "31.75"),
        ("mAP", "mAP=37.5%", "37.5"),
        ("mAP", "{'Total': 54.2, 'Car': 70.1}", "54.2"),
        ("ROUGELSUM", "{'rouge1':   '38.78', 'rougeLsum':   '35.79'}", "35.79"),
        ("DICE", "Accuracy: mean = 0.8617 \N{PLUS-MINUS SIGN} 0.1", "0.8617"),
        ("acc", '{"accuracy": 72.1}', "72.1"),
        ("acc", "accuracy=76.108%, good=38054, total=50000", "76.108"),
    ],
)
def test_forms_of_early_reports(round_: str, metric: str, line: str, value: str) -> None:
    assert read(facts_for(round_), metric, line) == value


MEMBERS = st.permutations(["rouge1", "rouge2", "rougeL", "rougeLsum", "gen_len"])


@given(MEMBERS, st.lists(st.sampled_from([PLAIN, "'{}':  {}"]), min_size=4, max_size=4))
def test_order_does_not_matter(names: list[str], forms: list[str]) -> None:
    facts = facts_for("v5.1")
    spelt = dict(zip(names, [*forms, PLAIN], strict=True)) | {"gen_len": PLAIN}
    values = {name: f"{number}.25" for number, name in enumerate(names, 30)}
    line = "{" + ", ".join(spelt[name].format(name, values[name]) for name in names) + "}"
    for metric, name in PRINTED.items():
        if name in values:
            assert read(facts, metric, line) == values[name]


@pytest.mark.parametrize("round_", ["v6.0", "v6.1"])
def test_a_low_score_of_a_model_that_sees(round_: str) -> None:
    facts = facts_for(round_)
    assert read(facts, "F1_HIERARCHICAL", '{"precision": 0.5, "f1": 0.40}') == "0.40"
    entry = entry_of(facts, "qwen3-vl-235b-a22b", "Server")
    assert len(flaws("INF504", reading(entry, F1_HIERARCHICAL=0.40), facts)) == 1


def verified_in_c(tree: Path) -> list[str]:
    """Return what is printed of a tree where the locale knows ASCII alone."""
    locale = {"LC_ALL": "C", "LANG": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    made = subprocess.run(
        [sys.executable, "-m", "mlcheck", "verify", tree],
        env=os.environ | locale,
        capture_output=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    return made.stdout.decode("ascii").splitlines()


def test_the_locale_does_not_matter_to_a_text(tree: Path) -> None:
    text = tree / "closed/Acme/results/acme-dc-8x/retinanet/Offline/accuracy/accuracy.txt"
    text.write_text("mean = 0.85 \N{PLUS-MINUS SIGN} 0.1\n" + text.read_text(), encoding="utf-8")
    *_, found, verdict = verified_in_c(tree)
    assert found == "no findings"
    assert verdict.startswith("PASS: 11 of 11 results valid")


def test_the_locale_does_not_matter_to_a_name(tree: Path) -> None:
    (tree / "closed/Acme/documentation/caf\N{LATIN SMALL LETTER E WITH ACUTE}.md").write_text("x")
    assert verified_in_c(tree)[-2] == "no findings"
