"""New systems: what is known is filled in, what is not is blank and named by verify."""

from __future__ import annotations

import json
from pathlib import Path

from tests.command_line import PASS, USAGE, run
from tests.edits import CopyBeside, Place
from tests.trees import EXAMPLES, copy_tree, digest

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


def named(output: str) -> set[str]:
    """Return the rules of the errors and warnings of a report."""
    lines = (line.split() for line in output.splitlines())
    return {words[1] for words in lines if words[:1] in (["error"], ["warning"])}


TRAINING = ("--suite", "training", "--round", "v5.1", "--submitter", "Acme", "--system", "a2")
MOBILE = ("--suite", "mobile", "--round", "v5.0", "--submitter", "Acme", "--system", "p9")


def test_a_system_of_training(scratch: Path) -> None:
    root = copy_tree(EXAMPLES / "training-v5.1", scratch / "tree")
    before = named(run("verify", root).stdout)
    copy_tree(root / "Acme/results/acme-a1x8", root / "Acme/results/a2")
    options = ["--result=retinanet", "--implementation=a2", "--write"]
    made = run("init", root, *TRAINING, *options)
    assert made.stdout.splitlines() == [
        "Acme/systems/a2.json", "Acme/benchmarks/retinanet/implementations/a2/README.md"
    ]  # fmt: skip
    found = named(run("verify", root, "--verbose").stdout) - before
    blank = {line for line in run("verify", root).stdout.splitlines() if "systems/a2.json" in line}
    assert blank
    assert found <= {"TRN103", "TRN104", "TRN106", "TRN107", "TRN008", "TRN503"}, found


def test_a_system_of_training_like_another(scratch: Path) -> None:
    root = copy_tree(EXAMPLES / "training-v5.1", scratch / "tree")
    copy_tree(root / "Acme/results/acme-a1x8", root / "Acme/results/a2")
    made = run("init", root, *TRAINING, "--from", "acme-a1x8", "--write")
    assert made.exit_code == PASS, made.output
    fields = json.loads((root / "Acme/systems/a2.json").read_text())
    assert fields["system_name"] == "a2"
    assert fields["framework"] == "PyTorch 2.8"
    assert run("verify", root, "--ignore", "TRN008").exit_code == PASS


def test_a_system_of_mobile(scratch: Path) -> None:
    options = ["--result=object_detection", "--implementation=TFLite", "--write"]
    made = run("init", scratch, *MOBILE, *options)
    assert made.stdout.splitlines() == [
        "closed/Acme/systems/p9.json",
        "closed/Acme/Calibration.md",
        "closed/Acme/code/README.md",
        "closed/Acme/measurements/p9/object_detection/SingleStream/p9_TFLite_SingleStream.json",
    ]
    copy_tree(
        EXAMPLES / "mobile-v5.0/closed/Acme/results/acme-p1", scratch / "closed/Acme/results/p9"
    )
    shown = run("verify", scratch).stdout
    assert "MOB105" in shown
    assert "MOB223" in shown
    # Blank fields, and the tasks that no documents were asked for; no fault of what was made.
    assert named(shown) <= {"MOB105", "MOB223", "MOB221", "MOB225", "MOB109", "MOB108"}, shown


def test_a_system_of_mobile_like_another(scratch: Path) -> None:
    root = copy_tree(EXAMPLES / "mobile-v5.0", scratch / "tree")
    copy_tree(root / "closed/Acme/results/acme-p1", root / "closed/Acme/results/p9")
    made = run("init", root, *MOBILE, "--from", "acme-p1", "--write")
    assert made.exit_code == PASS, made.output
    assert any("/p9_TFLite_SingleStream.json" in line for line in made.stdout.splitlines())
    assert run("verify", root, "--ignore", "MOB60").exit_code == PASS


def test_names_that_a_round_does_not_know(scratch: Path) -> None:
    for words in (
        (*TRAINING, "--result", "resnet51"), (*TRAINING, "--division", "network"),
        (*MOBILE, "--result", "resnet51"), (*MOBILE, "--division", "network"),
        (*MOBILE, "--result", "../x"), (*TRAINING[2:], "--suite", "knitting"),
        (*TRAINING, "--from", "none"), (*MOBILE, "--from", "none"),
    ):  # fmt: skip
        assert run("init", scratch, *words, "--write").exit_code == USAGE, words
    assert list(scratch.iterdir()) == []
