"""The case of letters in folder names, the order of files and line ends do not matter.

Folders whose names the rules fix are benchmarks and scenarios; a submitter's tools spell them. The
official tool is particular about their letters, so that only the verdict of the policy is compared.
"""

from __future__ import annotations

import os
import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcheck.model import Report
from mlcheck.normalize.write import tables_of
from tests.trees import EXAMPLES, copy_tree, scratch_folder, verified

EXAMPLE = EXAMPLES / "inference-v5.1-broken"
NAMED = re.compile(r"/(?:(?:results|measurements|compliance)/[^/]+/[^/]+(?:/[^/]+)?|code/[^/]+)$")
SPELT = {"id", "result_id", "path", "benchmark_raw", "results", "sha256", "message", "official"}
SPELT |= {
    "subject",
    "expected",
    "actual",
    "official_verdict",
    "official_valid",
    "hint",
    "description_json",
}


@pytest.fixture(scope="module")
def broken() -> Iterator[Path]:
    """Yield a copy of the broken example."""
    with scratch_folder() as folder:
        yield copy_tree(EXAMPLE, folder / "tree")


def policy(report: Report) -> list[tuple[str, int, str]]:
    """Return what the policy finds, and where, whatever the case of letters."""
    return sorted(
        (finding.path.lower(), finding.line, finding.rule)
        for finding in report.findings
        if finding.severity != "note" and finding.rule != "INF203"
    )


def rows(report: Report) -> dict[str, list[str]]:
    """Return the rows of the tables without what merely spells names."""
    tables = {name: table.to_pylist() for name, table in tables_of(report).items()}
    del tables["findings"], tables["provenance"]
    return {name: sorted(map(_row, content)) for name, content in tables.items()}


def _row(row: dict[str, Any]) -> str:
    return str({name: str(value).lower() for name, value in row.items() if name not in SPELT})


def respell(root: Path, seed: int) -> None:
    """Give benchmarks and scenarios other letters, the same in all places."""
    for folder, _, _ in os.walk(root, topdown=False):
        if NAMED.search(folder.removeprefix(str(root))):
            name = os.path.basename(folder)
            chance = random.Random(f"{seed} {name}")
            spelt = "".join(chance.choice((c.lower(), c.upper())) for c in name)
            os.rename(folder, os.path.join(os.path.dirname(folder), spelt))


@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_letters_of_folder_names(broken: Path, seed: int) -> None:
    with scratch_folder() as folder:
        other = copy_tree(broken, folder / "tree")
        respell(other, seed)
        was, now = verified(broken), verified(other)
        assert policy(now) == policy(was)
        assert {r.path.lower(): r.verdict for r in now.results} == {
            r.path.lower(): r.verdict for r in was.results
        }
        assert rows(now) == rows(was)


@pytest.mark.parametrize("end", [b"\r\n", b"\n"], ids=["windows", "unix"])
def test_line_ends(broken: Path, end: bytes) -> None:
    with scratch_folder() as folder:
        other = copy_tree(broken, folder / "tree")
        for path in other.rglob("*"):
            if path.is_file() and path.suffix in (".txt", ".json", ".conf", ".md"):
                path.write_bytes(re.sub(rb"\r?\n", lambda _: end, path.read_bytes()))
        was, now = verified(broken), verified(other)
        assert policy(now) == policy(was)
        assert rows(now) == rows(was)


def test_order_of_files(broken: Path) -> None:
    with scratch_folder() as folder:
        other = folder / "tree"
        paths = sorted((p for p in broken.rglob("*") if p.is_file()), reverse=True)
        for path in paths:
            target = other / path.relative_to(broken)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        for empty in (p for p in broken.rglob("*") if p.is_dir()):
            (other / empty.relative_to(broken)).mkdir(parents=True, exist_ok=True)
        was, now = verified(broken), verified(other)
        assert policy(now) == policy(was)
        assert rows(now) == rows(was)
