"""The action and the hooks: what they say is run, as a runner or pre-commit would."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
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

    def step(
        self, step: Mapping[str, Any], more: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
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
            env={**os.environ, **given, **variables, **(more or {})},
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


# mlcheck is installed anew, and finds what it depends on where the tests have it: that it brings
# that along is for a test of the wheel in an empty environment.
WITH_DEPENDENCIES = {"PYTHONPATH": sysconfig.get_path("purelib")}
installs = [
    pytest.mark.install,
    pytest.mark.skipif(
        "install" not in os.environ.get("MLCHECK_REQUIRE", ""), reason="installs mlcheck anew"
    ),
]


def of_its_own(python: Path) -> None:
    """Fail unless an environment has an mlcheck of its own."""
    command: list[str | Path] = [python, "-c", "import mlcheck; print(mlcheck.__file__)"]
    environment = {**os.environ, **WITH_DEPENDENCIES}
    made = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert Path(made.stdout.strip()).is_relative_to(python.parents[1]), made.stdout


class TestInstalling:
    """What is installed is what is run."""

    pytestmark = installs

    def test_the_action_from_nothing(self, scratch: Path) -> None:
        job = Job(scratch, {"path": "inference-v5.1"})
        made = job.step(INSTALL, WITH_DEPENDENCIES)
        assert made.returncode == PASS, made.stderr
        of_its_own(scratch / "temp/mlcheck/bin/python")
        made = job.step(VERIFY, WITH_DEPENDENCIES)
        assert made.returncode == PASS, made.stderr
        assert job.outputs["verdict"] == "pass"

    def test_the_hooks_from_nothing(self, scratch: Path) -> None:
        pytest.importorskip("pre_commit")
        tree = shutil.copytree(EXAMPLES / "inference-v5.1", scratch / "tree")
        for words in (["init", "-q"], ["add", "-A"]):
            subprocess.run(["git", *words], cwd=tree, check=True)
        environment = {
            **os.environ,
            **WITH_DEPENDENCIES,
            "PRE_COMMIT_HOME": str(scratch / "cache"),
        }
        command = [sys.executable, "-m", "pre_commit", "try-repo", str(REPOSITORY), "-a", "-v"]
        made = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, text=True, check=False
        )
        assert made.returncode == PASS, made.stdout + made.stderr
        assert made.stdout.count("PASS: 11 of 11 results") == len(HOOKS)

    def test_what_the_container_file_copies_is_enough(self, scratch: Path) -> None:
        for line in (REPOSITORY / "Containerfile").read_text().splitlines():
            if line.startswith("COPY ") and "--from" not in line:
                *sources, target = line.split()[1:]
                for source in sources:
                    put(REPOSITORY / source, scratch / target.removeprefix("/"))
        python = scratch / "venv/bin/python"
        subprocess.run([sys.executable, "-m", "venv", scratch / "venv"], check=True)
        subprocess.run(
            [python, "-m", "pip", "install", "-q", scratch / "source"],
            check=True,
            env={**os.environ, **WITH_DEPENDENCIES},
        )
        of_its_own(python)
        command: list[str | Path] = [
            python.with_name("mlcheck"),
            "verify",
            EXAMPLES / "inference-v5.1",
        ]
        environment = {**os.environ, **WITH_DEPENDENCIES}
        assert subprocess.run(command, check=False, env=environment).returncode == PASS


def put(source: Path, target: Path) -> None:
    """Copy as a container file does: what is in a folder, or a file into a folder."""
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


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
