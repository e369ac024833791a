"""The Python interface: typed, quiet, and nothing global is changed."""

from __future__ import annotations

import datetime
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import mlcheck
from mlcheck.engine import Job
from mlcheck.engine import verify as engine_verify
from tests.trees import EXAMPLES, REPOSITORY, ROUND, digest

BROKEN = EXAMPLES / "inference-v5.1-broken"


def test_it_is_what_the_command_says(example: Path) -> None:
    report = mlcheck.verify(BROKEN)
    assert report == engine_verify(Job(root=str(BROKEN), suite="inference", round=ROUND))
    assert mlcheck.summarise(report).exit_code(mlcheck.Gate.POLICY) == 1
    assert mlcheck.summarise(mlcheck.verify(str(example))).verdict == "pass"
    assert mlcheck.render(report, mlcheck.Format.MARKDOWN, mlcheck.View()).startswith("## ")


def test_nothing_global_is_changed(capfd: pytest.CaptureFixture[str]) -> None:
    before = digest(BROKEN), Path.cwd(), dict(os.environ), signal.getsignal(signal.SIGINT)
    mlcheck.verify(BROKEN, jobs=2, submitter="Nobody")
    mlcheck.verify(BROKEN, jobs=2)
    after = digest(BROKEN), Path.cwd(), dict(os.environ), signal.getsignal(signal.SIGINT)
    assert before == after
    assert capfd.readouterr() == ("", "")


def test_settings_files_and_variables_have_no_say(
    scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(scratch)
    monkeypatch.setenv("MLCHECK_IGNORE", "INF,CMP,GEN,SYS")
    (scratch / "mlcheck.toml").write_text('ignore = ["INF", "CMP", "GEN", "SYS"]')
    assert len(mlcheck.verify(BROKEN).findings) == 14


def test_options(scratch: Path) -> None:
    assert {f.rule for f in mlcheck.verify(BROKEN, select=["INF504"]).findings} == {"INF504"}
    passed = {f.rule for f in mlcheck.verify(BROKEN, tolerate=["INF", "SYS"]).findings if f.waived}
    assert passed == {"INF102", "INF204", "INF311", "INF507", "SYS006"}  # none is mandatory
    assert "CMP103" not in {f.rule for f in mlcheck.verify(BROKEN, stage="performance").findings}
    partial = mlcheck.verify(BROKEN, partial=True, profile="scc")
    assert "INF204" in {one.rule for one in partial.not_run}
    file = scratch / "w.yaml"
    file.write_text(
        "waivers:\n  - {rule: INF102, path: '**', reason: r, approver: a, expires: 2026-01-01}\n"
    )
    day = datetime.date(2025, 1, 1)
    held = mlcheck.verify(BROKEN, waivers=file, today=day)
    assert [len(waiver.findings) for waiver in held.waivers] == [1]
    late = mlcheck.verify(BROKEN, waivers=file, today=datetime.date(2027, 1, 1))
    assert "MLC002" in {finding.rule for finding in late.findings}


def test_progress() -> None:
    seen: list[tuple[int, int]] = []
    mlcheck.verify(BROKEN, jobs=1, progress=lambda *numbers: seen.append(numbers))
    assert seen[-1] == (2, 2)


def test_errors_are_told_apart(scratch: Path) -> None:
    with pytest.raises(mlcheck.NothingHereError):
        mlcheck.verify(scratch)
    with pytest.raises(mlcheck.RulesetError):
        mlcheck.verify(BROKEN, round="v0.1")
    for options in (
        {"suite": "knitting"}, {"stage": "soon"}, {"profile": "none"}, {"waivers": scratch / "no"},
        {"select": ["XYZ"]}, {"select": "INF504"}, {"jobs": 0}, {"ignore": [""]},
    ):  # fmt: skip
        with pytest.raises(mlcheck.SettingsError):
            mlcheck.verify(BROKEN, **options)


def test_the_package_imports_nothing_until_asked() -> None:
    code = "import sys, mlcheck; sys.exit('mlcheck.engine' in sys.modules or 'yaml' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    with pytest.raises(AttributeError):
        mlcheck.nothing  # noqa: B018
    assert set(mlcheck.__all__) >= {"verify", "Report", "Finding", "summarise"}


def test_verify_imports_neither_pandas_nor_pyarrow() -> None:
    code = (
        "import sys, mlcheck; mlcheck.verify(sys.argv[1]);"
        "sys.exit(bool({'pandas', 'pyarrow', 'numpy'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code, str(BROKEN)]
    assert subprocess.run(command, check=False).returncode == 0


def test_users_see_types(scratch: Path) -> None:
    (scratch / "user.py").write_text(
        "import mlcheck\n"
        "report = mlcheck.verify('x', select=['INF'])\n"
        "rule: str = report.findings[0].rule\n"
        "number: int = report.findings[0].rule  # error\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(scratch / "c")]
    options = ["--config-file", os.devnull, str(scratch / "user.py")]
    made = subprocess.run(
        [*command, *options],
        capture_output=True,
        text=True,
        check=False,
        cwd=scratch,
        env={**os.environ, "MYPYPATH": str(REPOSITORY / "checker")},
    )
    errors = [line for line in made.stdout.splitlines() if "user.py" in line and "error:" in line]
    assert len(errors) == 1, made.stdout
    assert "user.py:4" in errors[0]
