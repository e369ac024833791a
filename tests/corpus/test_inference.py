"""Published rounds of MLPerf Inference: mlcheck says what the official tool said, or says why not.

The acceptance kit runs mlcheck from outside and compares verdicts, values, units, accuracies and
power with goldens. Corpora are unpacked into ``$MLCHECK_CORPUS_CACHE``.
"""

from __future__ import annotations

import csv
import fnmatch
import functools
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mlcheck.judge import INTERNAL_ERROR
from mlcheck.output.text import text_report
from tests.corpus.conftest import Corpus
from tests.trees import REPOSITORY, digest, verified

PARITY = REPOSITORY / "rules/inference/parity.csv"
POWER_ROUNDS = ("v5.1", "v1.1")
ROUNDS = ("v5.0-test", "v5.0-unofficial", "v5.1-mini", "v5.1")

pytestmark = pytest.mark.corpus


@functools.cache
def compared(
    kit: Path, name: str, *options: str, what: str = "inference"
) -> subprocess.CompletedProcess[str]:
    """Let the kit run mlcheck on a round and compare."""
    command = [sys.executable, str(kit / f"compare_{what}.py"), name, "--run", "--all"]
    return subprocess.run(
        [*command, "--mlcheck", f"{sys.executable} -m mlcheck", *options],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", ROUNDS)
def test_a_published_round(acceptance: Path, corpus: Corpus, name: str) -> None:
    corpus(f"inference-{name}")
    made = compared(acceptance, name, "--explained", str(PARITY))
    assert made.returncode == 0, made.stdout + made.stderr
    assert re.search(r"^agree [1-9]\d*, .* disagree 0, missing 0, extra 0$", made.stdout, re.M)


@pytest.mark.parametrize("name", POWER_ROUNDS)
def test_power_of_a_published_round(acceptance: Path, corpus: Corpus, name: str) -> None:
    corpus(f"power-{name}")
    made = compared(acceptance, name, "--explained", str(PARITY), what="power")
    assert made.returncode == 0, made.stdout + made.stderr
    assert re.search(r"^agree [1-9]\d*, .* disagree 0, missing 0, extra 0$", made.stdout, re.M)


def differences(text: str) -> Iterator[tuple[str, str]]:
    """Yield place and field of every difference that the kit prints."""
    place = ""
    for line in text.splitlines():
        found = re.match(r" {4}(\S[^:]*): golden ", line)
        if found:
            yield place, found[1]
        place = line


def explains(row: dict[str, str], name: str, place: str, field: str) -> bool:
    pairs = ((name, row["round"]), (place, row["path"]), (field, row["field"]))
    return all(fnmatch.fnmatchcase(text, pattern) for text, pattern in pairs)


def test_every_explanation_is_used(acceptance: Path, corpus: Corpus) -> None:
    with PARITY.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert all(row["reason"].strip() for row in rows)
    published = {*ROUNDS, *POWER_ROUNDS}
    judged = [
        row
        for row in rows
        if any(fnmatch.fnmatchcase(name, row["round"]) for name in published)
        and not re.fullmatch(r"[A-Z]{3}\d{3}", row["field"])  # of the tool, whatever the round
    ]
    unused = list(judged)
    compared_with = [(name, "inference") for name in ROUNDS]
    compared_with += [(name, "power") for name in POWER_ROUNDS]
    for name, what in compared_with:
        corpus(f"{what}-{name}")
        for place, field in differences(compared(acceptance, name, what=what).stdout):
            unused = [row for row in unused if not explains(row, name, place, field)]
    assert judged
    assert unused == []


def test_a_published_tree_is_read_and_not_changed(corpus: Corpus) -> None:
    root = corpus("inference-v5.1-mini")
    before = digest(root)
    report = verified(root)
    assert digest(root) == before
    assert len(report.results) > 20
    assert not [finding for finding in report.findings if finding.rule == INTERNAL_ERROR]
    assert len(text_report(report)) < 100
