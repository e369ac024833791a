"""YAML of strangers: aliases count as what they stand for, and tags build nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlcheck.documents import Document
from mlcheck.tree import Tree
from mlcheck.yaml_documents import DEEPEST, read_yaml_document

LAUGHS = "a0: &a0 [x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
)


def read(tmp_path: Path, text: str) -> Document:
    (tmp_path / "a.yaml").write_text(text)
    return read_yaml_document(Tree(str(tmp_path)), "a.yaml")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (LAUGHS, "values"),
        ("a: &a [*a]\n", "stands in"),
        ("a: " + "[" * (DEEPEST + 2) + "]" * (DEEPEST + 2), "deeper"),
        ("a: !x 1\n", "tag"),
        ("a: 1\n---\nb: 2\n", "document"),
        ("a: {<<: 1}\n", "merging"),
        ("- 1\n", "list"),
        ("", "empty"),
        ("a: 2001-13-45\n", "month"),
        ("? {a: 1}\n: 2\n", "unhashable"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    found = read(tmp_path, text)
    assert found.problem is not None
    assert problem in found.problem


def test_parts_may_be_repeated(tmp_path: Path) -> None:
    found = read(tmp_path, "one: &psu {watts: 5}\ntwo: *psu\nthree: {<<: *psu, more: 1}\n")
    assert found.problem is None
    assert found.at(("two", "watts")) == 5
    assert found.at(("three", "watts")) == 5
    assert found.line_at(("two",)) == 2
    assert found.line_at(("three", "more")) == 3


def test_large_files_are_not_read(tmp_path: Path) -> None:
    assert "more than" in (read(tmp_path, "a: " + "x" * (2 << 20)).problem or "")
