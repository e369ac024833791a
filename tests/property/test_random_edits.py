"""Whatever is done to the example: mlcheck answers, writes nothing, and answers the same again."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcheck.judge import INTERNAL_ERROR
from mlcheck.model import Report
from mlcheck.normalize.write import tables_of
from mlcheck.output.json_report import json_report
from mlcheck.output.text import text_report
from tests.trees import EXAMPLES, copy_tree, digest, scratch_folder, verified

EXAMPLE = EXAMPLES / "inference-v5.1"
READ = sorted(
    str(path.relative_to(EXAMPLE))
    for path in EXAMPLE.rglob("*")
    if path.is_file() and "acme-dc-8x" not in str(path) and path.suffix in (".txt", ".json")
)
LOGS = [path for path in READ if path.endswith("mlperf_log_detail.txt")]
DOCUMENTS = [path for path in READ if re.search(r"systems/|measurements/|mapping", path)]
VALUES = st.sampled_from(
    ["null", "true", "false", '""', '"Offline"', '"INVALID"', "[]", "{}", "0", "-1", "1e308",
     "18446744073709551616", "0.1", "[[1]]", '{"a": null}', '"\\u0000"', "-0", "1E400"]
)  # fmt: skip


@pytest.fixture(scope="module")
def small() -> Iterator[Path]:
    """Yield the example without its datacenter system; what a test damages it mends."""
    with scratch_folder() as folder:
        root = copy_tree(EXAMPLE, folder / "tree")
        for path in root.glob("closed/Acme/*/acme-dc-8x*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        yield root
        assert verified(root).findings == ()


def judged(root: Path, edits: dict[str, bytes | None]) -> Report:
    """Return the report of a tree with other contents (None: removed) of some files."""
    before = {path: (root / path).read_bytes() for path in edits}
    try:
        for path, raw in edits.items():
            if raw is None:
                (root / path).unlink()
            else:
                (root / path).write_bytes(raw)
        bytes_before = digest(root)
        report = verified(root)
        for view in (text_report(report), text_report(report, verbose=True)):
            assert all(line.text.replace("\n", "").isprintable() for line in view)
        json.loads(json_report(report))
        tables_of(report)
        assert digest(root) == bytes_before
        return report
    finally:
        for path, raw in before.items():
            (root / path).write_bytes(raw)


def no_bug(report: Report) -> None:
    bugs = [f"{f.message}: {f.actual}" for f in report.findings if f.rule == INTERNAL_ERROR]
    assert bugs == []


def cut(raw: bytes, begin: float, length: float, insert: bytes) -> bytes:
    """Replace a part of some bytes; place and length are shares of the whole."""
    at = int(begin * len(raw))
    return raw[:at] + insert + raw[at + int(length * len(raw)) :]


cuts = st.tuples(st.floats(0, 1), st.floats(0, 1), st.binary(max_size=30) | st.just(b"\n"))


@given(edits=st.dictionaries(st.sampled_from(READ), st.none() | cuts, min_size=1, max_size=4))
def test_random_bytes(small: Path, edits: dict[str, tuple[float, float, bytes] | None]) -> None:
    made = {path: edit and cut((small / path).read_bytes(), *edit) for path, edit in edits.items()}
    no_bug(judged(small, made))


@given(path=st.sampled_from(LOGS), key=st.randoms(use_true_random=False), value=VALUES)
def test_random_values_of_a_log(small: Path, path: str, key: random.Random, value: str) -> None:
    text = (small / path).read_text(encoding="utf-8")
    name = re.escape(key.choice(re.findall(r'"key": "(\w[^"]*)"', text)))
    changed = re.sub(
        rf'("key": "{name}", "value": ).*?(, "time_ms")', rf"\g<1>{re.escape(value)}\g<2>", text
    )
    no_bug(judged(small, {path: changed.replace("\\", "").encode()}))


@given(path=st.sampled_from(DOCUMENTS), name=st.integers(0, 40), value=VALUES)
def test_random_members_of_a_document(small: Path, path: str, name: int, value: str) -> None:
    document = json.loads((small / path).read_text(encoding="utf-8"))
    member = sorted(document)[name % len(document)]
    head = json.dumps({**document, member: 0}, sort_keys=True)
    text = head.replace(f'"{member}": 0', f'"{member}": {value}')
    no_bug(judged(small, {path: text.encode()}))


@given(two=st.lists(st.sampled_from(READ), min_size=2, max_size=2, unique=True))
def test_two_files_in_each_others_place(small: Path, two: list[str]) -> None:
    one, other = ((small / path).read_bytes() for path in two)
    no_bug(judged(small, {two[0]: other, two[1]: one}))


@given(seed=st.integers(0, 1000))
@settings(max_examples=8)
def test_the_order_in_which_folders_are_listed_does_not_matter(small: Path, seed: int) -> None:
    """Many systems list names in the order in which they were made."""
    files = [path for path in small.rglob("*") if path.is_file()]
    random.Random(seed).shuffle(files)
    with scratch_folder() as folder:
        for path in files:
            target = folder / "tree" / path.relative_to(small)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        (folder / "tree/closed/Acme/code/resnet50/acmert/two words.md").touch()
        (folder / "tree/closed/Acme/systems/acme-edge-1x.json").write_text("{}")
        made = verified(folder / "tree")
    assert len(made.findings) > 30
    known = _ORDERED.setdefault("report", replace(made, root=""))
    assert replace(made, root="") == known


_ORDERED: dict[str, Report] = {}
