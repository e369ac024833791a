"""Trees that are traps: a clear end, bounded time and memory, and not a byte is changed."""

from __future__ import annotations

import os
import shutil
import socket
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hostile.processes import Ended, like_anybody, run
from tests.trees import EXAMPLES, copy_tree, digest, nested

RESULT = "closed/Acme/results/acme-edge-1x/resnet50/Offline"
PLACES = [
    f"{RESULT}/performance/run_1/mlperf_log_detail.txt",
    f"{RESULT}/performance/run_1/mlperf_log_summary.txt",
    f"{RESULT}/accuracy/accuracy.txt",
    f"{RESULT}/accuracy/mlperf_log_accuracy.json",
    f"{RESULT}/accuracy/mlperf_log_detail.txt",
    "closed/Acme/systems/acme-edge-1x.json",
    "closed/Acme/measurements/acme-edge-1x/resnet50/Offline/user.conf",
    "closed/Acme/measurements/acme-edge-1x/resnet50/Offline/acme-edge-1x_acmert_Offline.json",
    "closed/Acme/compliance/acme-edge-1x/resnet50/Offline/TEST01/verify_accuracy.txt",
    "closed/Acme/documentation/calibration.md",
]
TRAINING = ["Acme/results/acme-a1x8/retinanet/result_0.txt", "Acme/systems/acme-a1x8.json"]
LARGE = 200 << 20  # bytes


def ends(made: Ended, *, most_s: float = 60, most_mib: float = 900) -> None:
    """Hold a process to a verdict, without a traceback or a bug, in bounds.

    Seconds are many more than it takes, as machines of CI are shared.
    """
    assert made.code in (0, 1, 4), made.err
    assert "Traceback" not in made.err
    assert "MLC001" not in made.out
    assert made.seconds < most_s
    assert made.peak_mib < most_mib


@pytest.fixture
def training(scratch: Path) -> Path:
    return copy_tree(EXAMPLES / "training-v5.1", scratch / "training")


def test_large_sparse_files(tree: Path, training: Path) -> None:
    for root, places in ((tree, PLACES), (training, TRAINING)):
        for place in places:
            os.truncate(root / place, LARGE)
        before = [(root / place).stat().st_mtime_ns for place in places]
        ends(run("verify", root, "--jobs", "1"))
        assert [(root / place).stat().st_mtime_ns for place in places] == before


@pytest.mark.parametrize("opening", [b"[", b'{"a":'], ids=["lists", "objects"])
def test_nested_brackets(tree: Path, training: Path, opening: bytes) -> None:
    for root, places in ((tree, PLACES), (training, TRAINING)):
        for place in places:
            (root / place).write_bytes(opening * 100_000)
        for place in places[:1]:
            line = b':::MLLOG {"key": "x", "value": ' + opening * 100_000 + b"}\n"
            (root / place).write_bytes(line * 3)
        before = digest(root)
        ends(run("verify", root, "--jobs", "1"))
        assert digest(root) == before


def test_a_hundred_thousand_entries(tree: Path) -> None:
    for number in range(50_000):
        (tree / "closed/Acme/code" / f"f{number}").touch()
    for number in range(50_000):
        (tree / f"closed/Acme/systems/s{number}.json").touch()
    ends(run("verify", tree, "--jobs", "1"), most_s=240)


def test_a_hundred_thousand_lines_of_rubbish(tree: Path, training: Path) -> None:
    line = b':::MLLOG {"key": "\xff", "value": [1e999, null, "\\ud800"]\n'
    for root, places in ((tree, PLACES), (training, TRAINING)):
        for place in places:
            (root / place).write_bytes(line * 100_000)
        made = run("verify", root, "--jobs", "1", "--format", "json")
        ends(made, most_s=240)
        assert len(made.out) < 2_000_000


def test_deep_folders(tree: Path) -> None:
    for at in (RESULT, "closed/Acme/code", "closed/Acme/results"):
        with nested(tree / at, "d" * 40, 2_000):
            ends(run("verify", tree, "--jobs", "1"))


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))  # /dev/zero: never ends
    except OSError:
        pytest.skip("may not make devices")


def a_socket(path: Path) -> None:
    here = os.getcwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def link_to(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def a_folder(path: Path) -> None:
    path.mkdir()


def chain(path: Path) -> None:
    for number in range(60):
        path.with_name(f"{path.name}{number}").symlink_to(f"{path.name}{number + 1}")
    path.symlink_to(f"{path.name}0")


TRAPS: dict[str, Callable[[Path], None]] = {
    "pipe": pipe,
    "device": device,
    "socket": a_socket,
    "folder": a_folder,
    "chain": chain,
    "zero": link_to("/dev/zero"),
    "memory": link_to("/proc/self/mem"),
    "kmsg": link_to("/proc/kmsg"),
    "secret": link_to("/etc/passwd"),
    "itself": link_to("accuracy.txt"),
    "above": link_to(".."),
    "root": link_to("/"),
}


@pytest.mark.parametrize("trap", TRAPS)
def test_something_else_in_place_of_files(tree: Path, training: Path, trap: str) -> None:
    for root, places in ((tree, PLACES), (training, TRAINING)):
        for place in places:
            (root / place).unlink()
            TRAPS[trap](root / place)
        made = run("verify", root, "--jobs", "1", "--format", "json")
        ends(made)
        assert made.code == 1
        assert "root:x:0" not in made.out  # nothing of what lies outside is shown


@pytest.mark.parametrize("mode", [0o000, 0o111, 0o444])
def test_what_may_not_be_read(tree: Path, mode: int) -> None:
    for path in (tree / "closed/Acme/measurements", tree / RESULT / "accuracy"):
        path.chmod(mode)
    (tree / PLACES[0]).chmod(mode & 0o333)
    tree.parent.chmod(0o755)
    try:
        made = run("verify", tree, "--jobs", "1", "--no-cache", before=like_anybody)
    finally:
        for path in (tree / "closed/Acme/measurements", tree / RESULT / "accuracy"):
            path.chmod(0o755)
    ends(made)
    assert made.code == 1
    if mode == 0:
        assert "permission denied" in made.out


@pytest.mark.parametrize("when", [0, 2**31 + 10, 2**33, -(2**31)])
def test_clocks_that_are_wrong(tree: Path, when: int) -> None:
    for path in tree.rglob("*"):
        os.utime(path, (when, when))
    for _ in range(2):
        made = run("verify", tree, "--jobs", "1")
        ends(made)
        assert made.code == 0


def test_archives_are_files_like_others(tree: Path) -> None:
    bomb = tree / "closed/Acme/code/bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("closed/Acme/results/x", b"\0" * (64 << 20))
    shutil.copy(bomb, tree / "closed/Acme/code/bomb.tar.gz")
    before = digest(tree)
    made = run("verify", tree, "--jobs", "1")
    ends(made, most_mib=300)
    assert made.code == 0
    assert digest(tree) == before


def test_a_tree_that_changes_while_it_is_read(tree: Path) -> None:
    import threading

    stop = threading.Event()

    def change() -> None:
        path, other = tree / RESULT, tree / "closed/Acme/moved"
        while not stop.is_set():
            path.rename(other)
            other.rename(path)

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(3):
            ends(run("verify", tree, "--jobs", "1"))
    finally:
        stop.set()
        thread.join()
