"""The tree cannot be led astray by names, links and special files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mlcheck.tree import Folder, LinkKind, Tree, Unreadable, join
from tests.trees import nested


def folder(root: Path, path: str = "") -> Folder:
    found = Tree(str(root)).folder(path)
    assert found is not None
    return found


def test_lists_files_with_sizes_and_folders_in_order(scratch: Path) -> None:
    (scratch / "b").mkdir()
    (scratch / "a").mkdir()
    (scratch / "two").write_bytes(b"12")
    here = folder(scratch)
    assert here.files == {"two": 2}
    assert here.folders == ("a", "b")
    assert not here.empty
    assert folder(scratch, "a").empty


@pytest.mark.parametrize("path", ["nowhere", "file", "file/below", "a\0b", "x" * 5000])
def test_no_such_folder(scratch: Path, path: str) -> None:
    (scratch / "file").touch()
    found = Tree(str(scratch)).folder(path)
    assert found is None or found.problem


def test_link_to_a_file_inside_is_followed(scratch: Path) -> None:
    (scratch / "real").write_bytes(b"123")
    (scratch / "link").symlink_to("real")
    here = folder(scratch)
    assert here.files == {"real": 3, "link": 3}
    assert here.linked == {"link": "real"}
    assert Tree(str(scratch)).read("link") == b"123"


def test_link_to_a_folder_inside_is_listed_but_not_walked(scratch: Path) -> None:
    (scratch / "real").mkdir()
    (scratch / "real/file").touch()
    (scratch / "link").symlink_to("real")
    assert folder(scratch).folders == ("link", "real")
    assert folder(scratch, "link").files == {"file": 0}
    assert [here.path for here in Tree(str(scratch)).walk()] == ["", "real"]


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        ("nowhere", LinkKind.BROKEN),
        ("/etc/hosts", LinkKind.OUTSIDE),
        ("../outside", LinkKind.OUTSIDE),
        ("..", LinkKind.OUTSIDE),
        (".", LinkKind.LOOP),
        ("here", LinkKind.LOOP),
        ("../inside", LinkKind.LOOP),
    ],
)
def test_link_that_is_not_followed(scratch: Path, target: str, kind: LinkKind) -> None:
    (scratch / "outside").touch()
    root = scratch / "inside"
    root.mkdir()
    (root / "here").symlink_to(target)
    here = folder(root)
    assert here.links == {"here": kind}
    assert not here.files
    assert not here.folders


def test_link_to_a_folder_above_it_is_a_loop(scratch: Path) -> None:
    (scratch / "a/b").mkdir(parents=True)
    (scratch / "a/b/up").symlink_to("..")
    assert folder(scratch, "a/b").links == {"up": LinkKind.LOOP}
    assert len(list(Tree(str(scratch)).walk())) == 3


def test_two_folders_that_hold_each_other_end(scratch: Path) -> None:
    (scratch / "a").mkdir()
    (scratch / "b").mkdir()
    (scratch / "a/to_b").symlink_to("../b")
    (scratch / "b/to_a").symlink_to("../a")
    assert [here.path for here in Tree(str(scratch)).walk()] == ["", "a", "b"]


def test_a_name_that_begins_like_the_root_is_outside(scratch: Path) -> None:
    for name in ("root", "root-2"):
        (scratch / name).mkdir()
    (scratch / "root/link").symlink_to("../root-2")
    assert folder(scratch / "root").links == {"link": LinkKind.OUTSIDE}


def test_the_root_itself_may_be_a_link(scratch: Path) -> None:
    (scratch / "real").mkdir()
    (scratch / "real/file").touch()
    (scratch / "real/link").symlink_to("file")
    (scratch / "root").symlink_to("real")
    assert set(folder(scratch / "root").files) == {"file", "link"}


def test_a_pipe_is_named_and_never_opened(scratch: Path) -> None:
    os.mkfifo(scratch / "pipe")
    assert folder(scratch).special == ("pipe",)


@pytest.mark.parametrize("path", ["", "folder", "nothing", "a\0b"])
def test_what_is_no_file_is_not_read(scratch: Path, path: str) -> None:
    (scratch / "folder").mkdir()
    assert isinstance(Tree(str(scratch)).read(path), Unreadable)


def test_a_huge_file_is_not_read(scratch: Path) -> None:
    (scratch / "huge").touch()
    os.truncate(scratch / "huge", 1 << 40)
    assert folder(scratch).files == {"huge": 1 << 40}
    assert isinstance(Tree(str(scratch)).read("huge"), Unreadable)


def test_a_limit_is_inclusive(scratch: Path) -> None:
    (scratch / "file").write_bytes(b"123")
    tree = Tree(str(scratch))
    assert tree.read("file", 3) == b"123"
    assert tree.read("file", 2) == Unreadable("3 bytes, more than 2 are not read")


def test_names_of_any_bytes(scratch: Path) -> None:
    with open(os.path.join(os.fsencode(scratch), b"caf\xe9\n\x1b[31m"), "wb") as file:
        file.write(b"1")
    (name,) = folder(scratch).files
    assert Tree(str(scratch)).read(name) == b"1"


def test_folders_deeper_than_recursion(scratch: Path) -> None:
    with nested(scratch, "d", 1500):
        assert len(list(Tree(str(scratch)).walk())) == 1501


def test_a_path_that_is_too_long_is_a_problem_of_its_folder(scratch: Path) -> None:
    with nested(scratch, "d" * 200, 40):
        *_, last = Tree(str(scratch)).walk()
    assert last.problem == "file name too long"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may list and read everything")
def test_what_may_not_be_read(scratch: Path) -> None:
    (scratch / "closed").mkdir(mode=0)
    (scratch / "file").touch(mode=0)
    assert folder(scratch, "closed").problem == "permission denied"
    assert Tree(str(scratch)).read("file") == Unreadable("permission denied")


def test_join_drops_empty_parts() -> None:
    assert join("", "a", "", "b") == "a/b"
    assert join("", "") == ""
