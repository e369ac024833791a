"""What the pages say can be run is run, and what they list is all there is."""

from __future__ import annotations

import re
import shlex
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from mlcheck.gate.waivers import read_waivers
from mlcheck.output.formats import Format
from mlcheck.settings.files import built_in, read_file
from mlcheck.settings.keys import KEYS
from tests.ci.test_action import ACTION, HOOKS
from tests.command_line import PASS, run
from tests.trees import EXAMPLES, REPOSITORY

CI = (REPOSITORY / "docs/ci.md").read_text()
GATE = (REPOSITORY / "docs/gate.md").read_text()


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_workflow_gives_inputs_that_there_are() -> None:
    workflow: dict[str, Any] = yaml.safe_load(blocks(CI, "yaml")[0])
    (step,) = (s for s in workflow["jobs"]["submission"]["steps"] if s.get("id") == "mlcheck")
    assert set(step["with"]) <= set(ACTION["inputs"])
    hook = yaml.safe_load(blocks(CI, "yaml")[1])["repos"][0]["hooks"][0]["id"]
    assert hook in {one["id"] for one in HOOKS}


@pytest.mark.parametrize("line", re.findall(r"mlcheck (verify submission [^'\n]*)", CI))
def test_the_commands_of_the_examples(
    line: str, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(scratch)
    shutil.copytree(EXAMPLES / "inference-v5.1", scratch / "submission")
    assert run(*shlex.split(line)).exit_code == PASS
    assert (scratch / "mlcheck.xml").is_file()


def test_every_format_setting_and_profile_is_named() -> None:
    for kind in Format:
        assert f"| `{kind}` |" in CI
    for name in KEYS:
        assert f"`{name}`" in GATE
    for name in built_in():
        assert f"| `{name}` |" in GATE


def test_the_settings_file(scratch: Path) -> None:
    text, reasoned = blocks(GATE, "toml")
    tomllib.loads(text)
    (scratch / "mlcheck.toml").write_text(text)
    assert read_file(str(scratch / "mlcheck.toml")).profile == "ours"
    (scratch / "mlcheck.toml").write_text(reasoned)
    assert list(read_file(str(scratch / "mlcheck.toml")).values["tolerate"]) == ["GEN009"]


def test_the_waivers(scratch: Path) -> None:
    (text,) = blocks(GATE, "yaml")
    (scratch / "waivers.yaml").write_text(text)
    assert read_waivers(str(scratch / "waivers.yaml")).waivers[0].expires == "2026-12-31"
