"""New systems: what is known is filled in, what is not is blank and named by verify."""

from __future__ import annotations

import json
from pathlib import Path

from tests.command_line import PASS, USAGE, run
from tests.edits import CopyBeside, Place
from tests.trees import digest

NEW = ("--submitter", "Acme", "--round", "v5.1")


def test_nothing_is_written_unless_asked(scratch: Path) -> None:
    made = run("init", scratch, *NEW, "--system", "s1", "--result", "resnet/Offline")
    assert made.exit_code == PASS
    assert "closed/Acme/systems/s1.json\n" in made.stdout
    assert list(scratch.iterdir()) == []


def test_an_empty_system(scratch: Path) -> None:
    options = ("--system", "s1", "--result", "resnet/Offline", "--write")
    assert run("init", scratch, *NEW, *options).exit_code == PASS
    fields = json.loads((scratch / "closed/Acme/systems/s1.json").read_text())
    assert fields["system_name"] == "s1"
    assert fields["accelerator_model_name"] == ""
    at = scratch / "closed/Acme/measurements/s1/resnet/Offline"
    assert sorted(path.name for path in at.iterdir()) == [
        "README.md", "s1_reference_Offline.json", "user.conf",
    ]  # fmt: skip


def test_what_is_blank_is_named_and_what_was_made_is_enough(tree: Path) -> None:
    acme = tree / "closed/Acme"
    CopyBeside(path="results/acme-edge-1x", name="s1").apply(Place(tree, "closed/Acme"))
    CopyBeside(path="compliance/acme-edge-1x", name="s1").apply(Place(tree, "closed/Acme"))
    results = [f"--result=resnet50/{s}" for s in ("Offline", "SingleStream", "MultiStream")]
    run("init", tree, *NEW, "--system", "s1", *results, "--write", "--implementation", "acmert")
    shown = run("verify", tree, "--ignore", "INF331").stdout
    assert "SYS005" in shown
    assert "INF107" in shown
    rules = {line.split()[1] for line in shown.splitlines() if line.startswith("error ")}
    assert rules <= {"SYS005", "SYS006", "SYS007", "SYS008", "INF107"}, shown
    assert (acme / "measurements/s1/resnet50/Offline/s1_acmert_Offline.json").is_file()


def test_like_another_system(tree: Path) -> None:
    for part in ("results", "compliance"):
        CopyBeside(path=f"{part}/acme-edge-1x", name="s1").apply(Place(tree, "closed/Acme"))
    made = run("init", tree, *NEW, "--system", "s1", "--from", "acme-edge-1x", "--write")
    assert made.exit_code == PASS, made.output
    fields = json.loads((tree / "closed/Acme/systems/s1.json").read_text())
    assert fields["system_name"] == "s1"
    assert run("verify", tree, "--ignore", "INF331").exit_code == PASS


def test_what_is_there_stays(tree: Path) -> None:
    before = digest(tree)
    words = ("--system", "acme-edge-1x", "--from", "acme-dc-8x")
    shown = run("init", tree, *NEW, *words)
    assert "systems/acme-edge-1x.json (is there)" in shown.stdout
    for path in (tree / "closed/Acme/measurements/acme-dc-8x").iterdir():
        assert path.is_dir()
    run("init", tree, *NEW, "--system", "acme-edge-1x", "--write")
    assert digest(tree) == before


def test_names_that_lead_elsewhere(tree: Path) -> None:
    for words in (
        ("--system", "../x"), ("--system", "a/b"), ("--system", ".x"), ("--system", "s\n"),
        ("--system", "s", "--from", "../.."), ("--system", "s", "--from", "none"),
        ("--system", "s", "--division", "secret"), ("--system", "s", "--result", "resnet"),
        ("--system", "s", "--result", "../x/Offline"),
        ("--system", "s", "--result", "resnet/Sideways"),
    ):  # fmt: skip
        assert run("init", tree, *NEW, *words, "--write").exit_code == USAGE, words
    assert run("init", tree, "--submitter", "..", "--system", "s").exit_code == USAGE


def test_a_description_that_cannot_be_read(tree: Path) -> None:
    (tree / "closed/Acme/systems/acme-edge-1x.json").write_text("{")
    made = run("init", tree, *NEW, "--system", "s1", "--from", "acme-edge-1x")
    assert made.exit_code == USAGE
