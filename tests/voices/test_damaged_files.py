"""Whatever is missing, cut, empty or of another type: a finding, and all others are judged."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mlcheck.engine import Job, verify
from mlcheck.judge import INTERNAL_ERROR
from mlcheck.model import Report, Verdict
from mlcheck.output.text import text_report
from mlcheck.tree import Tree, Unreadable
from tests import case_files
from tests.trees import verified
from tests.voices.made_results import ROUNDS

SYSTEM = "acme-edge-1x"
OTHERS = ("closed/Acme/results/acme-dc-8x", "open/Borealis")


def sound(report: Report) -> None:
    """No bug of ours came up, and every finding can be shown."""
    bugs = [finding.actual for finding in report.findings if finding.rule == INTERNAL_ERROR]
    assert bugs == []
    assert text_report(report, verbose=True)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def halve(path: Path) -> None:
    raw = path.read_bytes()
    path.write_bytes(raw[: len(raw) // 2])


def garble(path: Path) -> None:
    path.write_bytes(bytes(byte ^ 0x80 for byte in path.read_bytes()))


def fold(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("damage", [Path.unlink, empty, halve, garble, fold])
def test_any_file_may_be_damaged(scratch: Path, damage: Callable[[Path], None]) -> None:
    root = scratch / "tree"
    case_files.build("OK-power-measured", root)
    files = [*root.glob(f"closed/Acme/*/{SYSTEM}/resnet50/Offline/**/*")]
    files += [root / f"closed/Acme/systems/{SYSTEM}.json", *root.glob("*/*/model_mapping.json")]
    for file in (file for file in files if file.is_file()):
        raw = file.read_bytes()
        damage(file)
        report = verified(root)
        sound(report)
        others = [result for result in report.results if result.path.startswith(OTHERS)]
        assert {result.verdict for result in others} <= {Verdict.VALID} or "mapping" in file.name
        if file.is_dir():
            file.rmdir()
        file.write_bytes(raw)
    assert verified(root).findings == ()


VALUES: list[Any] = [None, True, 0, -1, 1.5e308, "", "x" * 500, [], [[1]], {}, {"a": {"b": 1}}]


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_any_member_of_a_document_may_be_of_another_type(scratch: Path, value: object) -> None:
    root = scratch / "tree"
    case_files.build("OK-power-measured", root)
    for pattern in ("systems/*.json", "measurements/**/*.json", "results/**/power/*.json"):
        for file in root.glob(f"*/*/{pattern}"):
            document = json.loads(file.read_text())
            file.write_text(json.dumps(dict.fromkeys(document, value)))
    (root / "open/Borealis/model_mapping.json").write_text(json.dumps({"tinynet-v1": value}))
    sound(verified(root))


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_any_value_of_a_log_may_be_of_another_type(scratch: Path, value: object) -> None:
    root = scratch / "tree"
    case_files.build("OK-power-measured", root)
    text = json.dumps(value)
    for log in root.rglob("mlperf_log_detail.txt"):
        changed = re.sub(r'("value": ).*?(, "time_ms")', rf"\g<1>{text}\g<2>", log.read_text())
        log.write_text(changed)
    sound(verified(root))


@pytest.mark.parametrize("round_", ROUNDS)
def test_a_tree_may_be_judged_by_the_rules_of_any_round(example: Path, round_: str) -> None:
    report = verify(Job(root=str(example), suite="inference", round=round_), jobs=1)
    sound(report)
    assert len(report.results) == 11


@pytest.mark.parametrize("name", ["OK-as-it-is", "OK-power-measured"])
def test_every_file_is_read_once(scratch: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    case_files.build(name, scratch / "tree")
    seen: Counter[str] = Counter()
    read = Tree.read

    def counted(self: Tree, path: str, *limit: int) -> bytes | Unreadable:
        seen[path] += 1
        return read(self, path, *limit)

    monkeypatch.setattr(Tree, "read", counted)
    verified(scratch / "tree")
    assert len(seen) > 50
    hashed = "/performance/"  # files of a power measurement are read once more for their hashes
    allowed = {path: 2 if name != "OK-as-it-is" and hashed in path else 1 for path in seen}
    assert [path for path, times in seen.items() if times > allowed[path]] == []
