"""Twenty ways of breaking the example: each is noticed, near where it is, and by no traceback.

Every way is tried on one file of each kind, removal on every file. A way that the checker need not
notice is named below, with the reason.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mlcheck.judge import INTERNAL_ERROR
from mlcheck.model import Report
from tests.trees import EXAMPLES, copy_tree, scratch_folder, verified

EXAMPLE = EXAMPLES / "inference-v5.1"
FILES = sorted(str(path.relative_to(EXAMPLE)) for path in EXAMPLE.rglob("*") if path.is_file())
DESCRIPTION = "closed/Acme/systems/acme-edge-1x.json"
IMPLEMENTATION = (
    "closed/Acme/measurements/acme-edge-1x/resnet50/Offline/acme-edge-1x_acmert_Offline.json"
)


def kind(path: str) -> str:
    """Return a path without the names of submitters, systems, benchmarks and scenarios."""
    if "/" not in path:
        return path
    top, *below = path.split("/")[2:]
    named = {"results": 3, "measurements": 3, "compliance": 3, "code": 2}.get(top, 0)
    if top in ("systems", "measurements") and path.endswith(".json"):
        return f"{top}/SYSTEM.json"
    return "/".join(("SUBMITTER", top, *below[named:]))


KINDS = {kind(path): path for path in reversed(FILES)}

# Nobody asks for these.
NOT_REQUIRED = {
    "README.md",
    "SUBMITTER/README.md",
    "SUBMITTER/documentation/bandwidth.md",
    "SUBMITTER/compliance/TEST06/accuracy/mlperf_log_accuracy.json",
}
# These have to be there, and nobody reads what they say.
UNREAD = NOT_REQUIRED | {
    "SUBMITTER/code/README.md",
    "SUBMITTER/documentation/calibration.md",
    "SUBMITTER/measurements/README.md",
    "SUBMITTER/measurements/user.conf",  # lines that set nothing
    "SUBMITTER/results/accuracy/mlperf_log_accuracy.json",
    "SUBMITTER/results/accuracy/mlperf_log_summary.txt",
    "SUBMITTER/results/performance/run_1/mlperf_log_summary.txt",  # see INF330-summary-empty
    "SUBMITTER/compliance/TEST01/accuracy/accuracy.txt",
    "SUBMITTER/compliance/TEST01/accuracy/mlperf_log_accuracy.json",
    "SUBMITTER/compliance/TEST01/performance/run_1/mlperf_log_summary.txt",
    "SUBMITTER/compliance/TEST04/performance/run_1/mlperf_log_summary.txt",
}
NOT_EMPTY = {
    "SUBMITTER/measurements/README.md",
    "SUBMITTER/measurements/user.conf",
    "SUBMITTER/results/accuracy/mlperf_log_accuracy.json",
}


def written(change: Callable[[bytes], bytes]) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(change(path.read_bytes()))


def in_place(make: Callable[[Path], object]) -> Callable[[Path], object]:
    def damage(path: Path) -> None:
        path.unlink()
        make(path)

    return damage


WAYS: dict[str, tuple[Callable[[Path], object], set[str]]] = {
    "removed": (Path.unlink, NOT_REQUIRED),
    "empty": (written(lambda _: b""), UNREAD - NOT_EMPTY),
    "cut": (written(lambda raw: raw[:20]), UNREAD),
    "zeros": (written(lambda raw: bytes(len(raw))), UNREAD),
    "any bytes": (written(lambda _: bytes(range(256))), UNREAD),
    "two bytes per letter": (written(lambda raw: raw.decode().encode("utf-16")), UNREAD),
    "JSON": (written(lambda _: b"[1]\n"), UNREAD),
    "stretched": (lambda path: os.truncate(path, 1 << 40), {"README.md"}),
    "a folder": (in_place(lambda path: (path / "x").mkdir(parents=True)), set()),
    "a pipe": (in_place(os.mkfifo), {"README.md"}),
    "a broken link": (in_place(lambda path: path.symlink_to("nowhere")), {"README.md"}),
    "a link to itself": (in_place(lambda path: path.symlink_to(path.name)), {"README.md"}),
    "a link out of the tree": (
        in_place(lambda path: path.symlink_to("/etc/hosts")),
        {"README.md"},
    ),
}


@pytest.fixture(scope="module")
def broken() -> Iterator[Path]:
    """Yield a copy of the example; each test puts back what it damages."""
    with scratch_folder() as folder:
        root = copy_tree(EXAMPLE, folder / "tree")
        yield root
        assert verified(root).findings == ()


@pytest.fixture(scope="module")
def edge() -> Iterator[Path]:
    """Yield the edge system of Acme alone."""
    with scratch_folder() as folder:
        root = copy_tree(EXAMPLE, folder / "tree")
        for path in (*root.glob("closed/Acme/*/acme-dc-8x*"), root / "open"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        yield root
        assert verified(root).findings == ()


def report_without(root: Path, path: str, damage: Callable[[Path], object]) -> Report:
    """Return the report of a tree with one damaged file, and mend the tree."""
    file = root / path
    raw = file.read_bytes()
    damage(file)
    alone = not any(file.parent.iterdir())
    if alone:
        file.parent.rmdir()  # an empty folder would be noticed in its stead
    try:
        return verified(root)
    finally:
        if file.is_dir() and not file.is_symlink():
            shutil.rmtree(file)
        elif os.path.lexists(file):
            file.unlink()
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(raw)


def system_of(path: str) -> str:
    """Return the system that a file belongs to; empty: it belongs to a submitter."""
    found = re.search(r"acme-edge-1x|acme-dc-8x|borealis-mini", path)
    return found[0] if found else ""


def complaint(report: Report, path: str) -> str | None:
    """Return what is wrong with what is said of a damaged file."""
    home = "/".join(path.split("/")[:2])
    for finding in report.findings:
        if finding.rule == INTERNAL_ERROR:
            return f"{path}: {finding.message}: {finding.actual}"
        if not finding.path.startswith(home):
            return f"{path}: {finding.rule} is found at {finding.path}"
    own = system_of(path)
    for result in report.results:
        elsewhere = not result.path.startswith(home) or (own and result.system != own)
        if elsewhere and result.verdict != "valid":
            return f"{path}: {result.path} is {result.verdict}"
    return None if report.findings else f"{path}: nothing is found"


@pytest.mark.parametrize("way", WAYS)
def test_a_damaged_file(broken: Path, way: str) -> None:
    damage, harmless = WAYS[way]
    kinds = sorted(set(KINDS) - harmless)
    if way.startswith("a "):  # it is not what it was: what it held does not matter
        kinds = kinds[::3]
    complaints = [
        complaint(report_without(broken, path, damage), path)
        for path in (KINDS[name] for name in kinds)
    ]
    assert [text for text in complaints if text] == []


@pytest.mark.parametrize("system", ["acme-edge-1x", "acme-dc-8x", "borealis-mini"])
def test_a_removed_file_is_an_error_of_its_system(broken: Path, system: str) -> None:
    complaints = []
    for path in FILES:
        if system_of(path) != system or kind(path) in NOT_REQUIRED:
            continue
        report = report_without(broken, path, Path.unlink)
        complaints.append(complaint(report, path))
        if not any(finding.severity == "error" for finding in report.findings):
            complaints.append(f"{path}: no error")
        if not any(result.verdict == "invalid" for result in report.results):
            complaints.append(f"{path}: nothing is invalid")
    assert [text for text in complaints if text] == []


def fields(path: str) -> dict[str, object]:
    found: dict[str, object] = json.loads((EXAMPLE / path).read_text(encoding="utf-8"))
    return found


def with_member(name: str, value: object) -> Callable[[Path], object]:
    def damage(path: Path) -> None:
        document = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({**document, name: value}), encoding="utf-8")

    return damage


def without_member(name: str) -> Callable[[Path], object]:
    def damage(path: Path) -> None:
        document = json.loads(path.read_text(encoding="utf-8"))
        document.pop(name)
        path.write_text(json.dumps(document), encoding="utf-8")

    return damage


MAY_BE_BLANK = {
    "accelerator_frequency",
    "accelerator_interconnect_topology",
    "accelerator_on-chip_memories",
    "host_processor_caches",
    "host_processor_frequency",
    "host_processor_interconnect",
    "hw_notes",
    "sw_notes",
    "system_type_detail",
}
UNTYPED = (MAY_BE_BLANK - {"hw_notes", "sw_notes", "system_type_detail"}) | {
    "accelerator_host_interconnect",
    "accelerator_interconnect",
    "accelerator_memory_configuration",
    "host_memory_configuration",
    "host_network_card_count",
    "host_networking",
    "host_networking_topology",
    "host_processor_core_count",
    "other_software_stack",
}
SWAPS: dict[str, tuple[object, set[str]]] = {
    "null": (None, MAY_BE_BLANK),
    "an empty text": ("", MAY_BE_BLANK),
    "an empty list": ([], MAY_BE_BLANK),
    "a list": ([1], UNTYPED),
    "an object": ({"a": 1}, UNTYPED),
    "true": (True, UNTYPED),
    "a fraction": (1.5, UNTYPED),
}


@pytest.mark.parametrize("swap", SWAPS)
def test_a_field_of_another_type(edge: Path, swap: str) -> None:
    value, harmless = SWAPS[swap]
    complaints = [
        complaint(report_without(edge, DESCRIPTION, with_member(name, value)), DESCRIPTION)
        for name in sorted(set(fields(DESCRIPTION)) - harmless)
    ]
    assert [text for text in complaints if text] == []


@pytest.mark.parametrize("value", [None, "", " ", [], {}], ids=repr)
def test_a_blank_field_of_the_implementation(edge: Path, value: object) -> None:
    complaints = [
        complaint(report_without(edge, IMPLEMENTATION, with_member(name, value)), IMPLEMENTATION)
        for name in fields(IMPLEMENTATION)
    ]
    assert [text for text in complaints if text] == []


@pytest.mark.parametrize("path", [DESCRIPTION, IMPLEMENTATION], ids=["system", "implementation"])
def test_a_removed_field_is_one_error(edge: Path, path: str) -> None:
    for name in fields(path):
        (finding,) = report_without(edge, path, without_member(name)).findings
        assert (finding.path, finding.severity) == (path, "error")
        assert name in finding.message
