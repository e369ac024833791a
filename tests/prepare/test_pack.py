"""The same tree gives the same archive, and an archive says what is in it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from tests.command_line import FINDINGS, PASS, USAGE, run
from tests.schemas import require_fit
from tests.trees import EXAMPLES, copy_tree, digest


def unpack(archive: Path) -> None:
    """Unpack beside the archive, as its users do."""
    subprocess.run(["tar", "-xzf", archive.name], cwd=archive.parent, check=True)


def test_the_same_bytes_wherever_it_lies(example: Path, scratch: Path) -> None:
    other = copy_tree(example, scratch / "other/place")
    for path in other.rglob("*"):
        os.utime(path, (1, 1))
        path.chmod(0o700)
    made = []
    for number, root in enumerate((example, other)):
        folder = scratch / str(number)
        folder.mkdir()
        assert run("pack", root, "-o", folder / "acme.tar.gz").exit_code == PASS
        made.append((folder / "acme.tar.gz").read_bytes())
    assert made[0] == made[1]


def test_sums_and_what_was_found(example: Path, scratch: Path) -> None:
    before = digest(example)
    run("pack", example, "-o", scratch / "acme.tar.gz")
    assert digest(example) == before
    with tarfile.open(scratch / "acme.tar.gz") as archive:
        assert {(m.uid, m.gid, m.mtime, m.mode) for m in archive} == {(0, 0, 0, 0o644)}
    unpack(scratch / "acme.tar.gz")
    for sums in ("acme.tar.gz.sha256", "acme.sums"):
        subprocess.run(["sha256sum", "--quiet", "-c", sums], cwd=scratch, check=True)
    document = json.loads((scratch / "acme.pack.json").read_text())
    require_fit("pack", document)
    raw = (scratch / "acme.tar.gz").read_bytes()
    assert document["archive"]["sha256"] == hashlib.sha256(raw).hexdigest()
    assert document["summary"]["verdict"] == "pass"
    assert run("verify", scratch / "acme").exit_code == PASS


def test_what_fails_the_gate_is_not_packed(scratch: Path) -> None:
    root = EXAMPLES / "inference-v5.1-broken"
    made = run("pack", root, "-o", scratch / "acme.tar.gz")
    assert made.exit_code == FINDINGS
    assert os.listdir(scratch) == []
    assert run("pack", root, "-o", scratch / "acme.tar.gz", "--force").exit_code == FINDINGS
    document = json.loads((scratch / "acme.pack.json").read_text())
    require_fit("pack", document)
    assert document["summary"]["verdict"] == "fail"


@pytest.mark.parametrize("what", ["pipe", "out", "loop", "absolute"])
def test_what_an_archive_must_not_hold(tree: Path, scratch: Path, what: str) -> None:
    at = tree / "closed/Acme/code" / what
    if what == "pipe":
        os.mkfifo(at)
    else:
        at.symlink_to({"out": "/etc", "loop": "..", "absolute": str(tree / "README.md")}[what])
    made = run("pack", tree, "-o", scratch / "a.tar.gz", "--force")
    assert made.exit_code == USAGE
    assert what in made.stderr
    assert [name for name in os.listdir(scratch) if name != "tree"] == []


def test_links_inside_are_packed(tree: Path, scratch: Path) -> None:
    (tree / "closed/Acme/code/again").symlink_to("resnet50")
    (tree / "closed/Acme/code/read.md").symlink_to("resnet50/acmert/README.md")
    assert run("pack", tree, "-o", scratch / "a.tar.gz").exit_code == PASS
    shutil.rmtree(tree)
    unpack(scratch / "a.tar.gz")
    assert (scratch / "a/closed/Acme/code/again/acmert/README.md").is_file()
    assert (scratch / "a/closed/Acme/code/read.md").is_symlink()


def test_where_it_may_be_written(example: Path, tree: Path, scratch: Path) -> None:
    assert run("pack", example, "-o", scratch / "a.zip").exit_code == USAGE
    assert run("pack", tree, "-o", tree / "a.tar.gz").exit_code == USAGE
    assert run("pack", example, "-o", scratch / "no/such/a.tar.gz").exit_code == USAGE
