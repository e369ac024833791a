"""Full disks and interruptions: a clear line, the right code, nothing half written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mlcheck.output.formats import Format
from tests.edits import CopyBeside, Place
from tests.hostile.processes import files_up_to, run
from tests.trees import EXAMPLES, copy_tree, digest

BROKEN = EXAMPLES / "inference-v5.1-broken"
USAGE, INTERRUPTED = 2, 130


@pytest.mark.parametrize("kind", list(Format))
def test_a_file_that_does_not_fit(scratch: Path, kind: Format) -> None:
    (scratch / "out").write_text("before")
    made = run("verify", BROKEN, "--output", f"{kind}={scratch / 'out'}", before=files_up_to(100))
    assert made.code == USAGE, made.err
    assert f"cannot write {scratch / 'out'}" in made.err
    assert "Traceback" not in made.err
    assert (scratch / "out").read_text() == "before"
    assert os.listdir(scratch) == ["out"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("kind", list(Format))
def test_standard_output_that_is_full(kind: Format) -> None:
    made = run("verify", BROKEN, "--format", kind, out=Path("/dev/full"))
    assert made.code == USAGE, made.err
    assert "cannot write the output: No space left" in made.err
    assert "Traceback" not in made.err


@pytest.mark.parametrize(
    "words",
    [["prepare", "--out", "out"], ["pack", "-o", "a.tar.gz"], ["normalize", "--out", "out"]],
)
def test_other_commands_on_a_full_disk(scratch: Path, words: list[str]) -> None:
    command, option, name = words
    made = run(
        command, EXAMPLES / "inference-v5.1", option, scratch / name, before=files_up_to(2_000)
    )
    assert made.code == USAGE, made.err
    assert "cannot write" in made.err
    assert "Traceback" not in made.err
    assert not (scratch / "a.tar.gz").exists()


def test_a_cache_that_is_full_is_no_failure() -> None:
    made = run("verify", EXAMPLES / "inference-v5.1", before=files_up_to(100))
    assert (made.code, made.err) == (0, "")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interruption_in_the_middle(scratch: Path, jobs: str) -> None:
    root = copy_tree(EXAMPLES / "inference-v5.1", scratch / "tree")
    for number in range(60):
        CopyBeside(path="*/acme-edge-1x", name=f"copy{number}").apply(Place(root, "closed/Acme"))
    before = digest(root)
    out = scratch / "report.json"
    for seconds in (0.0, 0.3, 1.0):
        made = run(
            "verify", root, "--no-cache", "--jobs", jobs, "--output", f"json={out}",
            interrupt_after=seconds,
        )  # fmt: skip
        assert made.code in (INTERRUPTED, 1)  # 1: it was ready before, and found copied logs
        assert "Process" not in made.err
        if made.code == INTERRUPTED:
            assert made.err.strip() in ("", "mlcheck: interrupted; no verdict")
            assert not out.exists()
        out.unlink(missing_ok=True)
    assert digest(root) == before


def test_a_reader_that_goes_away() -> None:
    import subprocess
    import sys

    command = f"{sys.executable} -m mlcheck verify {BROKEN} --format json | head -c 10"
    made = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert made.stderr == b""


def test_a_bug_of_ours_ends_with_3(scratch: Path) -> None:
    import subprocess
    import sys

    code = (
        "import mlcheck.output.text as text, mlcheck.cli as cli, sys\n"
        "def broken(*_, **__): raise ValueError('x')\n"
        "text.text_report = broken\n"
        f"sys.argv = ['mlcheck', 'verify', {str(BROKEN)!r}]\n"
        "cli.app()\n"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert made.returncode == 3
    assert made.stderr.startswith("mlcheck: bug: ValueError: x (")
    assert "Traceback" not in made.stderr
