"""Rules that an installed package brings along, and packages that are wrong."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command_line import FINDINGS, PASS, USAGE
from tests.trees import EXAMPLES, REPOSITORY

PACKAGE = REPOSITORY / "tests/plugin/acme_rules"
Mlcheck = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def installed(scratch: Path) -> Mlcheck:
    """Return a function that runs mlcheck with the package beside it, changed by a text."""
    site = scratch / "site"
    site.mkdir()
    about = site / "acme_rules-1.2.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-rules\nVersion: 1.2\n")
    (about / "entry_points.txt").write_text("[mlcheck.rules]\nacme = acme_rules:RULES\n")

    def run(*words: str | Path, change: tuple[str, str] = ("", "")) -> object:
        shutil.copy(PACKAGE / "acme_rules.py", site)
        text = (site / "acme_rules.py").read_text()
        assert change[0] in text
        (site / "acme_rules.py").write_text(text.replace(*change) if change[0] else text)
        return subprocess.run(
            [sys.executable, "-m", "mlcheck", *map(str, words)],
            capture_output=True,
            text=True,
            check=False,
            env={
                **os.environ,
                "PYTHONPATH": str(site),
                "PYTHONDONTWRITEBYTECODE": "1",
                "MLCHECK_CACHE_DIR": str(scratch / "cache"),
            },
        )

    return run  # type: ignore[return-value]


def test_the_package_names_its_entry_point() -> None:
    import tomllib

    document = tomllib.loads((PACKAGE / "pyproject.toml").read_text())
    assert document["project"]["entry-points"]["mlcheck.rules"] == {"acme": "acme_rules:RULES"}


def test_its_rule_is_run_and_named(installed: Mlcheck, example: Path) -> None:
    made = installed("verify", example, "--format", "json")
    assert made.returncode == FINDINGS, made.stderr
    document = json.loads(made.stdout)
    assert {finding["rule"] for finding in document["findings"]} == {"ACM001"}
    assert {finding["official"] for finding in document["findings"]} == {"none"}
    assert document["summary"]["valid"] == document["summary"]["results"] == 11
    assert document["extra_rules"] == [{"package": "acme-rules", "version": "1.2"}]
    assert "with rules of acme-rules 1.2" in installed("verify", example).stdout
    assert installed("verify", example, "--gate", "official").returncode == PASS


def test_it_is_chosen_waived_and_explained_like_any_other(
    installed: Mlcheck, example: Path, scratch: Path
) -> None:
    assert installed("verify", example, "--ignore", "ACM").returncode == PASS
    assert installed("verify", example, "--select", "ACM001").returncode == FINDINGS
    assert installed("verify", example, "--tolerate", "ACM").returncode == PASS
    file = scratch / "w.yaml"
    file.write_text(
        "waivers:\n  - {rule: ACM001, path: '**', reason: r, approver: a, expires: 9000-01-01}\n"
    )
    assert installed("verify", example, "--waivers", file).returncode == PASS
    assert "legal department knows" in installed("explain", "ACM001").stdout
    assert "every round: error" in installed("explain", "acme-framework").stdout
    assert "findings about" in installed("explain", "ACM001", example).stdout
    assert "ACM001  error" in installed("rules", "list").stdout
    for kind in ("sarif", "junit", "github", "markdown"):
        assert "ACM001" in installed("verify", example, "--format", kind).stdout


def test_a_bug_in_it_is_a_finding(installed: Mlcheck, example: Path) -> None:
    line = "    if system.description is None"
    made = installed("verify", example, change=(line, f"    1 / 0\n{line}"))
    assert made.returncode == 3
    assert "internal error in ACM001: ZeroDivisionError" in made.stdout


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ('id="ACM001"', 'id="INF001"', "INF belongs to mlcheck"),
        ('id="ACM001"', 'id="MLC099"', "MLC belongs to mlcheck"),
        ('id="ACM001"', 'id="ACME1"', "is not like ABC123"),
        ('severities={"ACM001"', 'severities={"ACM002"', "no severity of ACM001"),
        ('suite="inference"', 'suite="knitting"', "there is no suite knitting"),
        ("RULES = ExtraRules(", "RULES = dict(", "is no ExtraRules"),
        ("from __future__", "raise ValueError('x')\nfrom __future__", "cannot be loaded"),
        ("voids=False", "voids=False, official_check=unapproved_framework", "no official tool"),
    ],
)
def test_a_package_that_is_wrong(
    installed: Mlcheck, example: Path, before: str, after: str, words: str
) -> None:
    made = installed("verify", example, change=(before, after))
    assert made.returncode == USAGE, made.stdout
    assert words in made.stderr
    assert "Traceback" not in made.stderr


def test_nothing_changes_without_one() -> None:
    command = [sys.executable, "-m", "mlcheck", "verify", str(EXAMPLES / "inference-v5.1")]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "with rules of" not in made.stdout
