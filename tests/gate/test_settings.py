"""Which setting holds, and that every mistake in one is said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mlcheck import resources
from mlcheck.engine import Job
from mlcheck.gate.gated import require_pinned
from mlcheck.ruleset import load
from mlcheck.settings.files import SettingsFile, built_in, find, read_file
from mlcheck.settings.keys import KEYS, Kind, SettingsError
from mlcheck.settings.resolve import Settings, resolve
from mlcheck.suites.registry import SUITES
from tests.command_line import FINDINGS, PASS, USAGE, run

LAYERS = ("gate", "official"), ("max-findings", 3), ("verbose", True), ("select", ["INF"])


def written(scratch: Path, text: str, name: str = "mlcheck.toml") -> SettingsFile:
    (scratch / name).write_text(text)
    return read_file(str(scratch / name))


def settings(
    given: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
    file: SettingsFile | None = None,
) -> Settings:
    return resolve(given or {}, environment or {}, file)


def test_the_nearer_to_the_user_the_stronger(scratch: Path) -> None:
    file = written(
        scratch, 'gate = "official"\nmax-findings = 1\njobs = 1\n[profiles.ours]\nmax-findings = 2'
    )
    made = settings({"profile": "ours", "jobs": 4}, {"MLCHECK_JOBS": "3"}, file)
    held = {name: (made[name], made.values[name].origins[-1]) for name in made.values}
    path = str(scratch / "mlcheck.toml")
    assert held["gate"] == ("official", path)
    assert held["max-findings"] == (2, f"{path}, profile ours")
    assert held["jobs"] == (4, "command line")
    assert held["stage"] == ("final", "default")
    assert settings({}, {"MLCHECK_JOBS": "3"}, file)["jobs"] == 3


def test_profiles_go_on_from_each_other(scratch: Path) -> None:
    file = written(
        scratch,
        '[profiles.a]\ninherits = "scc"\ntolerate = ["SYS"]\n[profiles.b]\ninherits = "a"\n'
        '[profiles.ci]\ngate = "official"',
    )
    made = settings({"profile": "b", "tolerate": ["GEN"]}, {}, file)
    assert {"CMP101", "SYS", "GEN"} <= set(made["tolerate"])
    assert made.values["tolerate"].origins[0] == "profile scc"
    of_ci = settings({"profile": "ci"}, {}, file)
    assert (of_ci["gate"], of_ci["cache"]) == ("official", False)


def test_the_profile_of_the_environment_or_the_file(scratch: Path) -> None:
    file = written(scratch, 'profile = "review"')
    assert settings({}, {}, file)["gate"] == "warning"
    assert settings({}, {"MLCHECK_PROFILE": "ci"}, file).profile == "ci"
    assert settings({"profile": "scc"}, {"MLCHECK_PROFILE": "ci"}, file).profile == "scc"
    assert settings().profile == "local"


def test_a_project_file(scratch: Path) -> None:
    file = written(scratch, '[tool.mlcheck]\ngate = "official"', "pyproject.toml")
    assert settings({}, {}, file)["gate"] == "official"


def test_paths_are_relative_to_their_file(scratch: Path) -> None:
    file = written(scratch, 'waivers = "w.yaml"\noutput = ["json=out/r.json"]')
    assert file.values["waivers"] == str(scratch / "w.yaml")
    assert file.values["output"] == (f"json={scratch / 'out/r.json'}",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('gates = "official"', "no setting gates; is gate meant"),
        ('gate = "mine"', "gate must be one of"),
        ("gate = true", "gate must be one of"),
        ('verbose = "yes"', "verbose must be true or false"),
        ("jobs = 0", "jobs must be a whole number"),
        ("jobs = true", "jobs must be a whole number"),
        ('select = "INF"', "select must be texts"),
        ("select = [1]", "select must be texts"),
        ("profile = 1", "profile must be a name"),
        ('profile = "x"', "no profile x; known: ci, local"),
        ("profiles = 1", "profiles must be a table"),
        ("[profiles]\na = 1", "profiles.a must be a table"),
        ("[profiles.a]\ninherits = 1", "inherits must be the name"),
        ('profile = "a"\n[profiles.a]\ninherits = "a"', "goes on from itself: a -> a"),
        ("[profiles.a]\nnone = 1", "profile a: there is no setting none"),
        ('[rules]\n"inference/v5.1" = "ab"', "must be a SHA-256"),
        ("a = [", "mlcheck.toml: "),
        ("\udcff", "codec can't decode"),
        ("[" * 100_000, "mlcheck.toml: "),
        ("#" * 2_000_000, "larger than"),
    ],
)
def test_every_mistake_is_said(scratch: Path, text: str, words: str) -> None:
    (scratch / "mlcheck.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(SettingsError) as told:
        settings({}, {}, read_file(str(scratch / "mlcheck.toml")))
    assert words in str(told.value)


@pytest.mark.parametrize("text", ["maybe", "2", "-"])
def test_variables_are_read_as_strictly(text: str) -> None:
    with pytest.raises(SettingsError, match="MLCHECK_VERBOSE"):
        settings({}, {"MLCHECK_VERBOSE": text})


def test_lists_of_variables_have_commas() -> None:
    assert settings({}, {"MLCHECK_IGNORE": "INF3, PWR"})["ignore"] == ("INF3", "PWR")


def test_the_nearest_file_of_the_same_checkout(scratch: Path) -> None:
    deep = scratch / "a/b"
    deep.mkdir(parents=True)
    (scratch / "mlcheck.toml").touch()
    assert find(str(deep)) == str(scratch / "mlcheck.toml")
    (scratch / "a/pyproject.toml").write_text("[tool.other]")
    assert find(str(deep)) == str(scratch / "mlcheck.toml")
    (scratch / "a/pyproject.toml").write_text("[tool.mlcheck]")
    assert find(str(deep)) == str(scratch / "a/pyproject.toml")
    (deep / ".git").mkdir()
    assert find(str(deep)) is None


def test_profiles_that_are_brought_along_name_rules_that_there_are() -> None:
    known = [rule.id for suite in SUITES.values() for rule in suite.rules]
    assert set(built_in()) == {"local", "ci", "review", "published", "scc"}
    for profile in built_in().values():
        for name in ("select", "ignore", "tolerate"):
            for id_ in profile.values.get(name, ()):
                assert any(rule.startswith(id_) for rule in known), id_


WITH_DEFAULT = (Kind.CHOICE, Kind.FLAG, Kind.LIST, Kind.REASONED)


def test_every_key_has_a_default_of_its_kind() -> None:
    for key in KEYS.values():
        assert key.default is None or key.kind in WITH_DEFAULT
        assert key.kind is not Kind.CHOICE or key.default in key.choices


def test_a_file_inside_the_tree_has_no_say(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "closed/Acme/systems/acme-edge-1x.json").write_text("{}")
    (tree / "mlcheck.toml").write_text('ignore = ["SYS", "INF", "CMP", "GEN"]')
    monkeypatch.chdir(tree)
    made = run("verify", ".")
    assert made.exit_code == FINDINGS
    assert "lies inside the tree under test and is not read" in made.stderr
    named = run("verify", ".", "--config", "mlcheck.toml")
    assert named.exit_code == PASS
    assert "inside the tree under test, decide" in named.stderr


def test_not_by_a_link_either(tree: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "mlcheck.toml").write_text('gate = "official"')
    (scratch / "mlcheck.toml").symlink_to(tree / "mlcheck.toml")
    monkeypatch.chdir(scratch)
    assert "is not read" in run("verify", tree).stderr


def test_rules_that_are_pinned(
    example: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(scratch)
    lines = run("config", "pin", "inference/v5.1").stdout
    (scratch / "mlcheck.toml").write_text(lines)
    assert run("verify", example).exit_code == PASS
    digest = load("inference", "v5.1").sha256
    (scratch / "mlcheck.toml").write_text(lines.replace(digest, "0" * 64))
    made = run("verify", example)
    assert made.exit_code == USAGE
    assert "rules of inference/v5.1 are not the pinned ones" in made.stderr
    for words in (("inference",), ("inference/v0.1",), ("knitting/v1",)):
        assert run("config", "pin", *words).exit_code == USAGE


def test_pins_hold_for_a_folder_of_rules_as_well(scratch: Path) -> None:
    ours = load("inference", "v5.1").sha256
    (scratch / "inference").mkdir()
    text = (resources.rules_root() / "inference/v5.1.yaml").read_text()
    edited = text.replace("min_duration_ms: 600000", "min_duration_ms: 60000")
    assert edited != text
    (scratch / "inference/v5.1.yaml").write_text(edited)
    theirs = load("inference", "v5.1", scratch).sha256
    job = Job(root="tree", suite="inference", round="v5.1", rules=str(scratch))
    require_pinned({"inference/v5.1": theirs, "training/v5.1": ours}, job)
    require_pinned({"inference/v5.1": ours}, replace(job, rules=None))
    for pinned, other in ((ours, job), (theirs, replace(job, rules=None))):
        with pytest.raises(SettingsError, match="are not the pinned ones"):
            require_pinned({"inference/v5.1": pinned}, other)


def test_show_says_where_each_value_comes_from(
    scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(scratch)
    monkeypatch.setenv("MLCHECK_JOBS", "2")
    (scratch / "mlcheck.toml").write_text('gate = "official"')
    lines = run("config", "show", "--profile", "ci").stdout.splitlines()
    assert lines[0] == f"settings file: {scratch / 'mlcheck.toml'}"
    assert "profile: ci  # command line" in lines
    assert f'gate = "official"  # {scratch / "mlcheck.toml"}' in lines
    assert "jobs = 2  # MLCHECK_JOBS" in lines
    assert "cache = false  # profile ci" in lines
    assert len(lines) == 2 + len(KEYS)
    assert run("config", "show", "--no-config").stdout.startswith("settings file: none")


def test_the_profiles_lie_with_the_rules() -> None:
    assert (resources.rules_root() / "profiles.toml").is_file()
