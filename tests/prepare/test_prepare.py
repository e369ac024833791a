"""What was prepared passes; the tree it was made of is as it was; every step is said."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest

from mlcheck.engine import Job
from mlcheck.prepare.carry_out import PrepareError, carry_out
from mlcheck.prepare.plan import Plan
from mlcheck.prepare.prepared import plan_of
from mlcheck.tree import Tree
from tests.command_line import FINDINGS, PASS, USAGE, run
from tests.schemas import require_fit
from tests.trees import EXAMPLES, ROUND, copy_tree, digest

ACME = "closed/Acme"
EDGE = "acme-edge-1x/resnet50"
LOG = "accuracy/mlperf_log_accuracy.json"
TEXT = "accuracy/accuracy.txt"


def plan(root: Path, *, infer: bool = True, submitter: str | None = None) -> Plan:
    job = Job(root=str(root), suite="inference", round=ROUND, submitter=submitter)
    return plan_of(Tree(str(root)), job, infer=infer)


def steps(made: Plan) -> set[tuple[str, str]]:
    return {(step.kind, step.path) for step in made.steps}


def drop(root: Path, scenario: str) -> None:
    for part in ("results", "measurements", "compliance"):
        shutil.rmtree(root / ACME / part / EDGE / scenario)


def whole_log(root: Path, scenario: str) -> bytes:
    """Put a whole accuracy log in place of a truncated one, and take its hash away."""
    raw = b"[" + b",\n".join(b'{"sample": %d}' % number for number in range(20_000)) + b"]"
    home = root / ACME / "results" / EDGE / scenario
    (home / LOG).write_bytes(raw)
    lines = (home / TEXT).read_text().splitlines()
    (home / TEXT).write_text("\n".join(line for line in lines if "hash=" not in line) + "\n")
    return raw


@pytest.fixture
def untidy(tree: Path) -> Path:
    """Return a tree with everything wrong that can be put right without a judgement."""
    drop(tree, "MultiStream")
    drop(tree, "Offline")
    whole_log(tree, "SingleStream")
    (tree / ACME / "code/resnet50/__pycache__").mkdir()
    (tree / ACME / "code/resnet50/__pycache__/a.pyc").touch()
    (tree / ACME / "code/resnet50/my notes.md").write_text("notes")
    (tree / ACME / "documentation/.DS_Store").touch()
    (tree / ACME / "empty/folder").mkdir(parents=True)
    (tree / ACME / "code/out").symlink_to("/etc/passwd")
    os.mkfifo(tree / ACME / "code/pipe")
    return tree


def test_what_was_prepared_passes_and_the_tree_is_as_it_was(untidy: Path, scratch: Path) -> None:
    assert run("verify", untidy).exit_code == FINDINGS
    before = digest(untidy)
    shown = run("prepare", untidy)
    assert shown.exit_code == PASS
    assert "nothing is written without --out" in shown.stdout
    made = run("prepare", untidy, "--out", scratch / "out")
    assert made.exit_code == PASS, made.stdout
    assert made.stdout.splitlines()[-1].startswith("PASS: 11 of 11")
    assert run("verify", scratch / "out").exit_code == PASS
    assert digest(untidy) == before
    assert run("prepare", scratch / "out").stdout.startswith("nothing to do")


def test_every_step_is_in_the_manifest(untidy: Path, scratch: Path) -> None:
    run("prepare", untidy, "--out", scratch / "out")
    document = json.loads((scratch / "out.manifest.json").read_text())
    require_fit("prepare-manifest", document)
    found = {(step["kind"], step["path"].removeprefix(f"{ACME}/")) for step in document["steps"]}
    assert found == {
        ("drop", "code/out"),
        ("drop", "code/pipe"),
        ("drop", "code/resnet50/__pycache__"),
        ("drop", "documentation/.DS_Store"),
        ("drop", "empty/folder"),
        ("rename", "code/resnet50/my_notes.md"),
        ("truncate", f"results/{EDGE}/SingleStream/{LOG}"),
        ("hash", f"results/{EDGE}/SingleStream/{TEXT}"),
        *(
            ("infer", f"{part}/{EDGE}/{scenario}")
            for part in ("results", "measurements", "compliance")
            for scenario in ("Offline", "MultiStream")
        ),
    }
    for file in document["files"]:
        raw = (scratch / "out" / file["path"]).read_bytes()
        assert hashlib.sha256(raw).hexdigest() == file["sha256"]
        origin = (untidy / file["origin"]).read_bytes()
        assert hashlib.sha256(origin).hexdigest() == file["origin_sha256"]
        assert len(raw) == file["size"]


def test_a_log_is_truncated_as_the_official_script_does(tree: Path, scratch: Path) -> None:
    raw = whole_log(tree, "Offline")
    run("prepare", tree, "--out", scratch / "out")
    home = scratch / "out" / ACME / "results" / EDGE / "Offline"
    assert (home / LOG).read_bytes() == raw[:4096] + b"\n\n...\n\n" + raw[-4096:]
    last = (home / TEXT).read_text().splitlines()[-1]
    assert last == f"hash={hashlib.sha256(raw).hexdigest()}"


def test_a_hash_that_is_there_stays(tree: Path) -> None:
    raw = whole_log(tree, "Offline")
    text = tree / ACME / "results" / EDGE / "Offline" / TEXT
    text.write_text(f"{text.read_text()}hash={hashlib.sha256(raw).hexdigest()}\n")
    made = plan(tree)
    assert {kind for kind, _ in steps(made)} == {"truncate"}
    text.write_text("accuracy=76.1%\nhash=" + "0" * 64)
    made = plan(tree)
    assert made.left == (f"{text.relative_to(tree)}: the hash there is of another log",)


def test_the_hash_of_a_log_that_was_truncated_is_not_made_up(tree: Path) -> None:
    home = tree / ACME / "results" / EDGE / "Offline"
    (home / TEXT).write_text("accuracy=76.108%, good=38054, total=50000\n")
    (home / LOG).write_bytes(b"[" * 100 + b"\n\n...\n\n" + b"]" * 100)
    made = plan(tree)
    assert not made.steps
    assert "was truncated before and its hash is not known" in made.left[0]


def test_the_better_source_is_taken_and_no_inferred_one(tree: Path) -> None:
    drop(tree, "Offline")
    sources = {step.origin for step in plan(tree).steps}
    assert f"{ACME}/results/{EDGE}/MultiStream" in sources
    home = tree / ACME / "results" / EDGE
    shutil.rmtree(home / "MultiStream")
    shutil.copytree(home / "SingleStream", home / "MultiStream")  # inferred
    sources = {step.origin for step in plan(tree).steps}
    assert f"{ACME}/results/{EDGE}/SingleStream" in sources
    assert f"{ACME}/results/{EDGE}/MultiStream" not in sources


def test_nothing_is_inferred_where_it_is_not_allowed(tree: Path) -> None:
    drop(tree, "Offline")
    assert plan(tree, infer=False).steps == ()
    path = tree / ACME / "systems/acme-edge-1x.json"
    path.write_text(path.read_text().replace('"edge"', '"datacenter"'))
    assert plan(tree).steps == ()


def test_files_named_after_their_scenario(tree: Path) -> None:
    drop(tree, "Offline")
    files = plan(tree).files
    at = f"{ACME}/measurements/{EDGE}/Offline"
    names = {path.rpartition("/")[2] for path in files if path.startswith(f"{at}/")}
    assert "acme-edge-1x_acmert_Offline.json" in names
    assert not any("MultiStream" in name or "SingleStream" in name for name in names)


def test_high_accuracy_stands_for_low_accuracy(tree: Path, scratch: Path) -> None:
    for part in ("results", "measurements", "compliance"):
        home = tree / ACME / part / "acme-dc-8x"
        (home / "llama2-70b-99").rename(home / "llama2-70b-99.9")
    (tree / ACME / "code/llama2-70b-99").rename(tree / ACME / "code/llama2-70b-99.9")
    for text in (tree / ACME).glob("measurements/*/llama2-70b-99.9/*/user.conf"):
        text.write_text(text.read_text().replace("llama2-70b-99.", "llama2-70b-99.9."))
    made = run("prepare", tree, "--out", scratch / "out")
    assert (scratch / "out" / ACME / "results/acme-dc-8x/llama2-70b-99/Server").is_dir()
    assert (scratch / "out" / ACME / "code/llama2-70b-99").is_dir()
    assert "14 results" in made.stdout


def test_scenarios_are_spelt_as_the_rules_do(tree: Path, scratch: Path) -> None:
    for part in ("results", "measurements", "compliance"):
        home = tree / ACME / part / EDGE
        (home / "Offline").rename(home / "OFFLINE")
    made = plan(tree)
    assert ("rename", f"{ACME}/results/{EDGE}/Offline") in steps(made)
    assert run("prepare", tree, "--out", scratch / "out").exit_code == PASS


def test_names_are_not_made_one(tree: Path) -> None:
    for name in ("a b.md", "a_b.md"):
        (tree / ACME / "code" / name).write_text(name)
    assert plan(tree).left == (f"{ACME}/code/a b.md: {ACME}/code/a_b.md is there already",)


def test_links_inside_stay_links(tree: Path, scratch: Path) -> None:
    (tree / ACME / "code/link.md").symlink_to("resnet50/acmert/README.md")
    (tree / ACME / "code/linked").symlink_to("resnet50")
    carry_out(Tree(str(tree)), plan(tree), str(scratch / "out"))
    for name in ("link.md", "linked"):
        path = scratch / "out" / ACME / "code" / name
        assert os.readlink(path) == os.readlink(tree / ACME / "code" / name)


def test_one_submitter_alone(tree: Path) -> None:
    made = plan(tree, submitter="Borealis")
    assert {path.split("/")[1] for path in made.files} == {"Borealis"}


def test_nothing_is_overwritten(tree: Path, scratch: Path) -> None:
    (scratch / "out").mkdir()
    (scratch / "out/file").touch()
    assert run("prepare", tree, "--out", scratch / "out").exit_code == USAGE
    assert run("prepare", tree, "--out", tree / "out").exit_code == USAGE
    with pytest.raises(PrepareError):
        carry_out(Tree(str(tree)), plan(tree), str(scratch / "out"))


def copied_example(name: str, scratch: Path) -> Path:
    return copy_tree(EXAMPLES / name, scratch / "tree")


def test_training_is_tidied_and_its_logs_are_numbered(scratch: Path) -> None:
    root = copied_example("training-v5.1", scratch)
    (root / "Acme/.DS_Store").touch()
    (root / "Acme/nothing").mkdir()
    home = root / "Acme/results/acme-a1x8/retinanet"
    first = (home / "result_0.txt").read_bytes()
    (home / "result_0.txt").rename(home / "result_17.txt")
    assert "TRN203" in run("verify", root).stdout
    made = run("prepare", root, "--out", scratch / "out")
    assert made.exit_code == PASS, made.stdout
    assert "drop" in made.stdout
    assert f"rename   {home.relative_to(root)}/result_0.txt <- " in made.stdout
    assert "TRN203" not in made.stdout
    logs = sorted((scratch / "out" / home.relative_to(root)).iterdir(), key=lambda path: path.name)
    assert logs[len(list(home.iterdir())) - 1].read_bytes() == first  # the last of them


def test_logs_that_power_is_numbered_by_are_left(scratch: Path) -> None:
    root = copied_example("training-v5.1", scratch)
    home = root / "Volt/results/volt-a2x8/retinanet"
    (home / "result_0.txt").rename(home / "result_17.txt")
    shown = run("prepare", root).stdout
    assert "left     Volt/results/volt-a2x8/retinanet: logs have gaps" in shown
    shutil.rmtree(home / "power")
    (home / "result_17.txt").rename(home / "result_last.txt")
    assert "result_last.txt: nothing tells its place" in run("prepare", root).stdout


def test_descriptions_of_mobile_get_the_name_of_their_results(scratch: Path) -> None:
    root = copied_example("mobile-v5.0", scratch)
    systems = root / "closed/Acme/systems"
    (systems / "acme-p1.json").rename(systems / "ACME-P1.json")
    assert "MOB102" in run("verify", root).stdout
    made = run("prepare", root, "--out", scratch / "out")
    assert made.exit_code == PASS, made.stdout
    assert "MOB102" not in made.stdout
    assert (scratch / "out/closed/Acme/systems/acme-p1.json").is_file()
    (systems / "acme-p1.json").write_text("{}")
    assert "rename" not in run("prepare", root).stdout


@pytest.mark.parametrize("name", ["training-v5.1", "mobile-v5.0", "inference-v5.1-power"])
def test_there_is_nothing_to_do_for_examples(name: str) -> None:
    assert run("prepare", EXAMPLES / name).stdout.startswith("nothing to do")
