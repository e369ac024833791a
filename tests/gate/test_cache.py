"""What is kept is believed only while nothing it was made from changed."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mlcheck.cache import freshness
from mlcheck.cache.freshness import SETTLED_NS, basis_of, unchanged
from mlcheck.cache.memory import FolderMemory, ProcessMemory
from mlcheck.engine import Job, verify
from mlcheck.model import Report
from mlcheck.tree import Reads, Tree
from tests.command_line import FINDINGS, PASS, run
from tests.trees import EXAMPLES, ROUND, copy_tree, digest, scratch_folder

LOG = "closed/Acme/results/acme-edge-1x/resnet50/Offline/performance/run_1/mlperf_log_detail.txt"
TEXT = "closed/Acme/results/acme-edge-1x/resnet50/Offline/accuracy/accuracy.txt"


class Counting:
    """A memory that counts what it recalls."""

    def __init__(self, inner: Any) -> None:
        self.inner, self.recalled, self.asked = inner, 0, 0

    def recall(self, tree: Tree, place: Any) -> Any:
        found = self.inner.recall(tree, place)
        self.asked += 1
        self.recalled += found is not None
        return found

    def keep(self, place: Any, done: Any, reads: Reads) -> None:
        self.inner.keep(place, done, reads)


def job(root: Path, **more: Any) -> Job:
    return Job(root=str(root), suite="inference", round=ROUND, **more)


@pytest.fixture
def settled_tree(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the example whose files look as if they were at rest for a while."""
    root = copy_tree(EXAMPLES / "inference-v5.1", scratch / "tree")
    monkeypatch.setattr(freshness, "SETTLED_NS", -3_600 * 10**9)
    return root


@pytest.fixture(params=["folder", "process"])
def remember(
    request: pytest.FixtureRequest, scratch: Path, settled_tree: Path
) -> Callable[[], Counting]:
    kept = ProcessMemory()

    def made() -> Counting:
        if request.param == "process":
            kept.begin()
            return Counting(kept)
        return Counting(FolderMemory(scratch / "cache", job(settled_tree)))

    return made


def judged(root: Path, memory: Counting) -> Report:
    report = verify(job(root), jobs=1, memory=memory)
    assert report == verify(job(root), jobs=1)
    return report


def test_what_did_not_change_is_not_judged_again(
    settled_tree: Path, remember: Callable[[], Counting]
) -> None:
    first, second = remember(), remember()
    judged(settled_tree, first)
    judged(settled_tree, second)
    assert (first.recalled, second.recalled) == (0, 3)


def keep_size_and_time(path: Path, old: bytes, new: bytes) -> None:
    """Change a file, and put back all that can be put back."""
    status, raw = path.stat(), path.read_bytes()
    assert len(old) == len(new)
    assert old in raw
    path.write_bytes(raw.replace(old, new, 1))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (status.st_size, status.st_mtime_ns)


def by_another_file(path: Path, old: bytes, new: bytes) -> None:
    """Put another file in the place of one, of the same size and time."""
    status = path.stat()
    other = path.with_name("other")
    other.write_bytes(path.read_bytes().replace(old, new, 1))
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    os.replace(other, path)


def by_a_map(path: Path, old: bytes, new: bytes) -> None:
    """Change a file through memory that is mapped."""
    import mmap

    status = path.stat()
    with path.open("r+b") as handle, mmap.mmap(handle.fileno(), 0) as seen:
        at = seen.find(old)
        seen[at : at + len(new)] = new
        seen.flush()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


@pytest.mark.parametrize("edit", [keep_size_and_time, by_another_file, by_a_map])
def test_an_edit_that_keeps_size_and_time_is_seen(
    settled_tree: Path,
    remember: Callable[[], Counting],
    edit: Callable[[Path, bytes, bytes], None],
) -> None:
    judged(settled_tree, remember())
    edit(settled_tree / LOG, b'"VALID"', b'"valid"')
    memory = remember()
    report = judged(settled_tree, memory)
    assert "INF306" in {finding.rule for finding in report.findings}
    assert (memory.recalled, memory.asked) == (2, 3)


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / TEXT).unlink(),
        lambda root: (root / TEXT).with_name("new.txt").touch(),
        lambda root: (root / TEXT).write_text("accuracy=1.0%"),
        lambda root: (root / TEXT).parent.rename((root / TEXT).parent.with_name("acc")),
        lambda root: (root / "closed/Acme/systems/acme-edge-1x.json").write_text("{}"),
        lambda root: (root / "closed/Acme/measurements/acme-edge-1x").rename(root / "m"),
        lambda root: ((root / TEXT).unlink(), (root / TEXT).symlink_to("/etc/passwd")),
    ],
)
def test_any_change_is_seen(
    settled_tree: Path, remember: Callable[[], Counting], change: Callable[[Path], object]
) -> None:
    judged(settled_tree, remember())
    change(settled_tree)
    judged(settled_tree, remember())


_FILES = sorted(
    str(path.relative_to(EXAMPLES / "inference-v5.1"))
    for path in (EXAMPLES / "inference-v5.1/closed").rglob("*")
    if path.is_file()
)
edits = st.lists(
    st.tuples(st.sampled_from(_FILES), st.sampled_from(["flip", "cut", "unlink", "swap", "touch"])),
    min_size=1,
    max_size=4,
)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15, deadline=None
)
@given(steps=edits)
def test_whatever_is_edited_the_report_is_that_of_a_fresh_look(
    steps: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(freshness, "SETTLED_NS", -3_600 * 10**9)
    with scratch_folder() as scratch:
        root = copy_tree(EXAMPLES / "inference-v5.1", scratch / "tree")
        memory = ProcessMemory()
        verify(job(root), jobs=1, memory=memory)
        for name, kind in steps:
            _edit(root / name, kind)
            memory.begin()
            assert verify(job(root), jobs=1, memory=memory) == verify(job(root), jobs=1)


def _edit(path: Path, kind: str) -> None:
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
        return
    status, raw = path.stat(), path.read_bytes()
    if kind == "unlink":
        path.unlink()
        return
    if kind == "cut":
        raw = raw[: len(raw) // 2]
    elif kind == "flip":
        raw = raw[:-1] + bytes((raw[-1] ^ 1,)) if raw else b"x"
    elif kind == "swap":
        raw = raw[::-1]
    path.write_bytes(raw)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def test_what_changed_just_now_is_not_kept(tree: Path, scratch: Path) -> None:
    now = time.time_ns()
    stamp = (1, 1, 1, now - 10 * SETTLED_NS, now - SETTLED_NS // 2)
    assert basis_of(Reads(files={"a": stamp}), now) is None
    assert basis_of(Reads(files={"a": (*stamp[:4], now + 10**12)}), now) is None  # clock ahead
    assert basis_of(Reads(files={"a": (*stamp[:4], now - 2 * SETTLED_NS)}), now) is not None
    memory = Counting(FolderMemory(scratch / "cache", job(tree)))
    verify(job(tree), jobs=1, memory=memory)
    verify(job(tree), jobs=1, memory=memory)
    assert memory.recalled == 0


def test_what_cannot_be_told_is_not_kept() -> None:
    assert basis_of(Reads(uncertain=True), time.time_ns()) is None


def test_it_is_not_kept_where_times_mean_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freshness, "POSIX", False)
    assert basis_of(Reads(), time.time_ns()) is None


def test_folders_and_links_are_looked_at_again(scratch: Path) -> None:
    (scratch / "a").mkdir()
    basis = freshness.Basis({"a": Tree(str(scratch)).folder("a")}, {}, {"a/b": False})
    assert unchanged(Tree(str(scratch)), basis)
    (scratch / "a/b").touch()
    assert not unchanged(Tree(str(scratch)), basis)


@pytest.mark.parametrize("options", [{"select": ("INF",)}, {"ignore": ("INF306",)}])
def test_other_options_are_other_verdicts(
    settled_tree: Path, scratch: Path, options: dict[str, Any]
) -> None:
    verify(job(settled_tree), memory=FolderMemory(scratch / "cache", job(settled_tree)))
    other = job(settled_tree, **options)
    memory = Counting(FolderMemory(scratch / "cache", other))
    verify(other, jobs=1, memory=memory)
    assert memory.recalled == 0


def test_workers_record_as_well(settled_tree: Path, scratch: Path) -> None:
    from tests.edits import CopyBeside, Place

    for name in ("acme-edge-2x", "acme-edge-4x"):
        CopyBeside(path="*/acme-edge-1x", name=name).apply(Place(settled_tree, "closed/Acme"))
    first = verify(job(settled_tree), jobs=3, memory=FolderMemory(scratch / "c", job(settled_tree)))
    memory = Counting(FolderMemory(scratch / "c", job(settled_tree)))
    assert verify(job(settled_tree), jobs=3, memory=memory) == first
    assert (memory.recalled, memory.asked) == (5, 5)


def test_torn_entries_are_not_believed(settled_tree: Path, scratch: Path) -> None:
    memory = FolderMemory(scratch / "cache", job(settled_tree))
    verify(job(settled_tree), jobs=1, memory=memory)
    for number, file in enumerate((scratch / "cache").iterdir()):
        raw = file.read_bytes()
        file.write_bytes((raw[:-1], b"", raw[:32] + pickle.dumps(1))[number])
    counting = Counting(FolderMemory(scratch / "cache", job(settled_tree)))
    judged(settled_tree, counting)
    assert counting.recalled == 0


def test_a_folder_of_others_is_not_used(scratch: Path, example: Path) -> None:
    (scratch / "cache").mkdir()
    (scratch / "cache").chmod(0o777)
    with pytest.raises(PermissionError, match="others can write"):
        FolderMemory(scratch / "cache", job(example))


def test_old_entries_go(scratch: Path, example: Path) -> None:
    memory = FolderMemory(scratch / "cache", job(example))
    for name, age in (("old", 31), ("new", 1)):
        (scratch / "cache" / name).touch()
        then = time.time() - age * 86_400
        os.utime(scratch / "cache" / name, (then, then))
    memory.tidy()
    assert os.listdir(scratch / "cache") == ["new"]


def test_the_command_uses_it_and_can_do_without(
    scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLCHECK_CACHE_DIR", str(scratch / "cache"))
    monkeypatch.setattr(freshness, "SETTLED_NS", -3_600 * 10**9)
    root = EXAMPLES / "inference-v5.1"
    before = digest(root)
    assert run("verify", root, "--no-cache").exit_code == PASS
    assert not (scratch / "cache").exists()
    assert run("verify", root).exit_code == PASS
    assert len(list((scratch / "cache").iterdir())) == 3
    assert run("verify", root).exit_code == PASS
    assert digest(root) == before
    (scratch / "cache").chmod(0o777)
    made = run("verify", root)
    assert made.exit_code == PASS
    assert "no cache" in made.stderr


def test_a_cache_that_cannot_be_written_is_no_failure(
    scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (scratch / "file").touch()
    monkeypatch.setenv("MLCHECK_CACHE_DIR", str(scratch / "file/below"))
    made = run("verify", EXAMPLES / "inference-v5.1-broken")
    assert made.exit_code == FINDINGS
    assert "no cache" in made.stderr


class Watched:
    """A process that watches a tree, and what it printed."""

    def __init__(self, root: Path, *options: str) -> None:
        command = [sys.executable, "-u", "-m", "mlcheck", "verify", str(root), "--watch", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        self.out = self.process.stdout

    def until(self, start: str) -> list[str]:
        lines = []
        for line in self.out:
            lines.append(line.rstrip("\n"))
            if line.startswith(start):
                return lines
        raise AssertionError(f"ended without {start}: {lines}")

    def end(self) -> int:
        import signal

        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)
        self.out.close()
        return self.process.returncode


def test_watching(tree: Path) -> None:
    watched = Watched(tree)
    assert watched.until("PASS")[0].startswith("mlcheck ")
    kept = (tree / TEXT).read_text()
    (tree / TEXT).write_text("accuracy=1.0%\n")
    lines = watched.until("FAIL")
    assert any(line.startswith("new   error INF504 ") for line in lines)
    assert len(lines) < 12
    (tree / TEXT).write_text(kept)
    assert any(line.startswith("gone  error INF504 ") for line in watched.until("PASS"))
    (tree / TEXT).unlink()
    watched.until("FAIL")
    assert watched.end() == FINDINGS


def test_watching_prints_text(example: Path) -> None:
    assert run("verify", example, "--watch", "--format", "json").exit_code == 2
