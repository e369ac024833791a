"""The action and the hooks: what they say is run, as a runner or pre-commit would."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.command_line import FINDINGS, NOTHING, PASS, USAGE
from tests.trees import EXAMPLES, REPOSITORY

ACTION: dict[str, Any] = yaml.safe_load((REPOSITORY / "action.yml").read_text())
INSTALL, VERIFY = ACTION["runs"]["steps"]
MLCHECK = Path(sys.executable).with_name("mlcheck")


class Job:
    """A job of a runner: folders and files that it gives to steps."""

    def __init__(self, folder: Path, inputs: Mapping[str, str]) -> None:
        self.folder = folder
        self.inputs = {name: str(one["default"]) for name, one in ACTION["inputs"].items()}
        self.inputs.update(inputs)
        (folder / "temp").mkdir()
        for name in ("output", "summary"):
            (folder / name).touch()

    def step(self, step: Mapping[str, Any]) -> subprocess.CompletedProcess[str]:
        """Run a step in the checkout, its expressions replaced as a runner does."""
        variables = {name: self._value(text) for name, text in step["env"].items()}
        given = {
            "RUNNER_TEMP": str(self.folder / "temp"),
            "GITHUB_WORKSPACE": str(EXAMPLES),
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
        }
        assert "${{" not in step["run"]  # an input in a script could be a script
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            env={**os.environ, **given, **variables},
            cwd=EXAMPLES,
            capture_output=True,
            text=True,
            check=False,
        )

    def _value(self, text: str) -> str:
        text = text.replace("${{ github.action_path }}", str(REPOSITORY))
        return re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda hit: self.inputs[hit[1]], text)

    @property
    def outputs(self) -> dict[str, str]:
        lines = (self.folder / "output").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)

    def link_mlcheck(self) -> None:
        """Put the mlcheck of the tests where the first step would install it."""
        bin_ = self.folder / "temp/mlcheck/bin"
        bin_.mkdir(parents=True)
        (bin_ / "mlcheck").symlink_to(MLCHECK)


@pytest.mark.parametrize(
    ("inputs", "code", "verdict"),
    [
        ({"path": "inference-v5.1"}, PASS, "pass"),
        ({"path": "inference-v5.1-broken"}, FINDINGS, "fail"),
        ({"path": "inference-v5.1-broken", "args": "--select\nPWR\n\n"}, PASS, "pass"),
        ({"path": "inference-v5.1-broken", "profile": "scc", "gate": "official"}, FINDINGS, "fail"),
        ({"path": "inference-v5.1", "round": "v5.1", "suite": "inference"}, PASS, "pass"),
        ({"path": "makers"}, NOTHING, "empty"),
        ({"path": "--output=json=x"}, USAGE, "usage"),
        ({"path": '"; touch pwned; echo "'}, USAGE, "usage"),
        ({"path": "inference-v5.1", "args": "$(touch pwned)\n`touch pwned`"}, USAGE, "usage"),
    ],
)
def test_verify(scratch: Path, inputs: dict[str, str], code: int, verdict: str) -> None:
    job = Job(scratch, inputs)
    job.link_mlcheck()
    made = job.step(VERIFY)
    assert made.returncode == code, made.stderr
    assert job.outputs["verdict"] == verdict
    assert not list(EXAMPLES.glob("**/pwned"))
    if code in (PASS, FINDINGS):
        assert json.loads(Path(job.outputs["sarif"]).read_text())["version"] == "2.1.0"
        assert Path(job.outputs["junit"]).read_text().startswith("<?xml")
        assert json.loads(Path(job.outputs["json"]).read_text())["results"]
        assert (scratch / "summary").read_text().startswith("## ")
        assert f"::error file={inputs['path']}/closed" in made.stdout or code == PASS


def test_outputs_are_those_of_the_step() -> None:
    for name, output in ACTION["outputs"].items():
        assert output["value"] == "${{ steps.verify.outputs." + name + " }}"
        assert f"{name}=" in VERIFY["run"]


@pytest.mark.install
@pytest.mark.skipif("install" not in os.environ.get("MLCHECK_REQUIRE", ""), reason="minutes")
def test_from_nothing(scratch: Path) -> None:
    job = Job(scratch, {"path": "inference-v5.1"})
    made = job.step(INSTALL)
    assert made.returncode == PASS, made.stderr
    assert job.step(VERIFY).returncode == PASS


HOOKS: list[dict[str, Any]] = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text())


def test_hooks_are_as_pre_commit_wants_them() -> None:
    clientlib = pytest.importorskip("pre_commit.clientlib")
    assert [hook["id"] for hook in clientlib.load_manifest(REPOSITORY / ".pre-commit-hooks.yaml")]


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: str(hook["id"]))
@pytest.mark.parametrize(
    ("name", "code"), [("inference-v5.1", PASS), ("inference-v5.1-broken", FINDINGS)]
)
def test_hooks(hook: dict[str, Any], name: str, code: int) -> None:
    assert hook["pass_filenames"] is False
    command = [*hook["entry"].split(), *hook["args"]]
    command[0] = str(MLCHECK)
    made = subprocess.run(command, cwd=EXAMPLES / name, capture_output=True, check=False)
    assert made.returncode == code, made.stderr


def test_what_the_container_file_copies_is_there() -> None:
    text = (REPOSITORY / "Containerfile").read_text()
    first = text.partition("\nFROM")[0] if text.startswith("FROM") else text
    copied = [
        source
        for line in first.splitlines()
        if line.startswith("COPY ") and "--from" not in line
        for source in line.split()[1:-1]
    ]
    assert copied
    assert all((REPOSITORY / source).exists() for source in copied)


@pytest.mark.install
@pytest.mark.skipif("install" not in os.environ.get("MLCHECK_REQUIRE", ""), reason="minutes")
def test_what_the_container_file_copies_is_enough(scratch: Path) -> None:
    text = (REPOSITORY / "Containerfile").read_text()
    for line in text.splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            *sources, target = line.split()[1:]
            for source in sources:
                at = REPOSITORY / source
                to = scratch / target.removeprefix("/")
                if at.is_dir():
                    shutil.copytree(at, to)
                else:
                    to.mkdir(parents=True, exist_ok=True)
                    shutil.copy(at, to)
    venv, source = str(scratch / "venv"), str(scratch / "source")
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    subprocess.run([f"{venv}/bin/python", "-m", "pip", "install", "-q", source], check=True)
    command = [f"{venv}/bin/mlcheck", "verify", str(EXAMPLES / "inference-v5.1")]
    assert subprocess.run(command, check=False).returncode == PASS
