"""The hash of a tree: the same for the same content, another for any other."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from mlcheck.fingerprint import fingerprint
from mlcheck.repository.source import Source, source_of
from mlcheck.tree import Tree
from tests.trees import copy_tree


def of(root: Path, submitter: str | None = None) -> str:
    return fingerprint(Tree(str(root)), submitter).sha256


def test_a_copy_has_the_same(tree: Path, example: Path) -> None:
    os.utime(tree / "README.md", (1, 1))
    (tree / "README.md").chmod(0o600)
    found = fingerprint(Tree(str(tree)))
    assert found == fingerprint(Tree(str(example)))
    files = [path for path in example.rglob("*") if path.is_file()]
    assert found.files == len(files)
    assert found.bytes == sum(path.stat().st_size for path in files)


def test_any_change_shows(tree: Path) -> None:
    seen = {of(tree)}

    def new() -> bool:
        before = len(seen)
        seen.add(of(tree))
        return len(seen) > before

    file = tree / "closed/Acme/README.md"
    file.write_bytes(file.read_bytes() + b" ")
    assert new()
    file.rename(file.with_name("README.txt"))
    assert new()
    (tree / "empty").mkdir()
    assert new()
    (tree / "link").symlink_to("closed")
    assert new()
    (tree / "link").unlink()
    (tree / "link").symlink_to("open")
    assert new()
    os.mkfifo(tree / "pipe")
    assert new()
    (tree / "a\x00b".replace("\x00", "\udcff")).write_bytes(b"")  # no name in UTF-8
    assert new()


def test_the_store_of_versions_is_no_part(tree: Path) -> None:
    before = of(tree)
    (tree / ".git").mkdir()
    (tree / ".git/HEAD").write_text("ref: refs/heads/main\n")
    assert of(tree) == before


def test_a_part_is_that_of_one_submitter(tree: Path) -> None:
    before = of(tree, "Acme")
    shutil.rmtree(tree / "open")
    (tree / "stray").write_text("x")
    assert of(tree, "Acme") == before
    assert of(tree, "Borealis") != before
    (tree / "closed/Acme/new").write_text("x")
    assert of(tree, "Acme") != before


def test_the_root_of_training_is_that_of_submitters(scratch: Path, example: Path) -> None:
    root = copy_tree(example.parent / "training-v5.1", scratch / "tree")
    one, *_ = sorted(path.name for path in root.iterdir() if path.is_dir())
    before = of(root, one)
    (root / "other").mkdir()
    (root / "other/file").write_text("x")
    assert of(root, one) == before


COMMIT = "0123456789abcdef0123456789abcdef01234567"
CONFIG = '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://me:secret@example.org/r.git\n'


def checkout(root: Path, files: dict[str, str]) -> Source:
    for name, text in files.items():
        path = root / ".git" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return source_of(Tree(str(root)))


@pytest.mark.parametrize(
    "files",
    [
        {"HEAD": COMMIT},
        {"HEAD": "ref: refs/heads/main\n", "refs/heads/main": f"{COMMIT}\n"},
        {"HEAD": "ref: refs/heads/a/b", "packed-refs": f"# pack\n{COMMIT} refs/heads/a/b\n^x\n"},
    ],
)
def test_commit_and_repository_of_a_checkout(files: dict[str, str], scratch: Path) -> None:
    source = checkout(scratch, {"config": CONFIG, **files})
    assert source == Source("https://example.org/r.git", COMMIT)


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"HEAD": ""},
        {"HEAD": "ref: ../../../etc/passwd"},
        {"HEAD": "ref: refs/heads/../../config"},
        {"HEAD": "ref: refs/heads/gone", "config": "[broken"},
        {"HEAD": "deadbeef", "config": "\x00"},
    ],
)
def test_what_is_no_checkout_says_nothing(files: dict[str, str], scratch: Path) -> None:
    assert checkout(scratch, files) == Source(None, None)


def test_a_link_out_of_the_tree_is_not_followed(scratch: Path) -> None:
    (scratch / "secret").write_text(COMMIT)
    (scratch / "tree/.git").mkdir(parents=True)
    (scratch / "tree/.git/HEAD").symlink_to(scratch / "secret")
    assert source_of(Tree(str(scratch / "tree"))) == Source(None, None)
