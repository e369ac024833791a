"""The command line: exit codes, what goes to stdout and what to stderr."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mlcheck import __version__
from mlcheck.output.formats import Format
from tests.command_line import FINDINGS, NOTHING, PASS, USAGE, run
from tests.trees import digest


def test_a_clean_tree(example: Path) -> None:
    made = run("verify", example)
    assert made.exit_code == PASS
    assert made.stdout.splitlines()[-1].startswith("PASS: 11 of 11 results valid")
    assert made.stderr == ""


def test_a_broken_tree(broken_example: Path) -> None:
    made = run("verify", broken_example, "--no-cache")
    assert made.exit_code == FINDINGS
    assert made.stdout.splitlines()[-1].startswith("FAIL: 0 of 6 results valid")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("--select INF307", FINDINGS),
        ("--select INF307 --gate official", PASS),
        ("--select INF204 --gate official", FINDINGS),
        ("--select PWR", PASS),
        ("--ignore INF --ignore SYS --ignore CMP --ignore GEN", PASS),
        ("--submitter Acme", FINDINGS),
        ("--submitter Nobody", NOTHING),
        ("--round v5.1 --suite inference", FINDINGS),
        ("--round v0.1", USAGE),
        ("--suite knitting", USAGE),
        ("--gate mine", USAGE),
        ("--gate warning", FINDINGS),
        ("--format sarif", FINDINGS),
        ("--format junit", FINDINGS),
        ("--format github", FINDINGS),
        ("--format markdown", FINDINGS),
        ("--statistics", FINDINGS),
        ("--max-findings 3", FINDINGS),
        ("--max-findings -1", USAGE),
        ("--format html", USAGE),
        ("--output html=x", USAGE),
        ("--output json", USAGE),
        ("--output json=", USAGE),
        ("--jobs 0", USAGE),
        ("--frobnicate", USAGE),
    ],
)
def test_options(broken_example: Path, words: str, code: int) -> None:
    made = run("verify", broken_example, *words.split())
    assert made.exit_code == code
    assert "Traceback" not in made.output
    if code == USAGE:
        assert made.stdout == ""
        assert made.stderr


@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_a_rule_that_does_not_exist(broken_example: Path, option: str) -> None:
    assert run("verify", broken_example, option, "INFO504").exit_code == USAGE


def test_what_is_no_submission(scratch: Path, example: Path) -> None:
    for path, code in (
        (scratch, NOTHING),
        (example / "closed/Acme", NOTHING),
        (example / "README.md", USAGE),
        (scratch / "nowhere", USAGE),
    ):
        made = run("verify", path)
        assert made.exit_code == code
        assert made.stdout == ""
        assert made.stderr.startswith("mlcheck: ")


def test_json_on_stdout(broken_example: Path) -> None:
    made = run("verify", broken_example, "--format", "json")
    assert made.exit_code == FINDINGS
    assert json.loads(made.stdout)["summary"]["verdict"] == "fail"


def test_several_formats_at_once(broken_example: Path, scratch: Path) -> None:
    made = run(
        "verify", broken_example,
        "--output", f"json={scratch / 'report.json'}", "--output", f"text={scratch / 'report.txt'}",
    )  # fmt: skip
    assert made.exit_code == FINDINGS
    assert json.loads((scratch / "report.json").read_text())["summary"]["results"] == 6
    verbose = run("verify", broken_example, "--verbose").stdout
    assert (scratch / "report.txt").read_text() == verbose
    assert verbose != made.stdout


def test_all_formats_in_one_run(broken_example: Path, scratch: Path) -> None:
    options = [f"--output={kind}={scratch / kind}" for kind in Format]
    assert run("verify", broken_example, *options).exit_code == FINDINGS
    assert sorted(file.name for file in scratch.iterdir()) == sorted(Format)
    for kind in set(Format) - {Format.TEXT}:
        printed = run("verify", broken_example, "--format", kind).stdout
        assert (scratch / kind).read_text() == printed


def test_paths_start_from_the_checkout(
    broken_example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_WORKSPACE", str(broken_example.parent))
    lines = run("verify", broken_example, "--format", "github").stdout
    assert "file=inference-v5.1-broken/closed/Acme/" in lines
    monkeypatch.setenv("GITHUB_WORKSPACE", str(broken_example / "closed"))
    assert "file=closed/Acme/" in run("verify", broken_example, "--format", "github").stdout


def test_a_line_per_rule(broken_example: Path) -> None:
    shown = run("verify", broken_example, "--statistics", "--max-findings", "5").stdout
    lines = shown.splitlines()
    assert [line.split()[0] for line in lines[2:7]] == ["1"] * 5
    assert "… and 9 findings not shown: --max-findings" in lines


def test_a_file_that_cannot_be_written(broken_example: Path, scratch: Path) -> None:
    made = run("verify", broken_example, "--output", f"json={scratch / 'no/such/folder'}")
    assert made.exit_code == USAGE
    assert "cannot write" in made.stderr


def test_the_tree_is_not_written_to(tree: Path) -> None:
    before = digest(tree)
    assert run("verify", tree, "--output", f"json={tree / 'report.json'}").exit_code == USAGE
    assert digest(tree) == before


def test_the_round_that_was_guessed_is_said(tree: Path) -> None:
    for log in tree.glob("*/*/results/**/mlperf_log_detail.txt"):
        log.unlink()
    made = run("verify", tree)
    assert made.exit_code == FINDINGS
    assert made.stderr.startswith("mlcheck: round v")
    assert "the newest known" in made.stderr


@pytest.mark.parametrize("words", [[], ["--help"], ["verify", "--help"], ["rules", "--help"]])
def test_help(words: list[str]) -> None:
    made = run(*words)
    assert made.exit_code in (PASS, USAGE)
    assert "Usage" in made.output


def test_version() -> None:
    assert run("--version").stdout == f"mlcheck {__version__}\n"


def test_as_a_module_without_terminal(broken_example: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "TERM": "xterm"}
    made = subprocess.run(
        [sys.executable, "-m", "mlcheck", "verify", broken_example],
        capture_output=True,
        check=False,
        env=environment,
    )
    assert made.returncode == FINDINGS
    assert made.stderr == b""
    assert made.stdout.isascii()
    assert b"\x1b" not in made.stdout


def test_names_that_are_no_text_on_an_ascii_terminal(tree: Path) -> None:
    with open(os.path.join(os.fsencode(tree), b"caf\xe9\x1b[2J"), "wb"):
        pass
    for extra in ([], ["--format", "json"]):
        made = subprocess.run(
            [sys.executable, "-m", "mlcheck", "verify", tree, *extra],
            capture_output=True,
            check=False,
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
        )
        assert made.returncode == FINDINGS, made.stderr
        assert b"\x1b" not in made.stdout
