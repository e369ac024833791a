"""JSON documents and texts written by people."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlcheck.documents import LARGEST_DOCUMENT, Document, read_document, read_text
from tests.trees import holding


def document(root: Path, raw: bytes | str) -> Document:
    return read_document(holding(root, raw), "file")


def test_an_object_with_the_lines_of_its_members(scratch: Path) -> None:
    read = document(scratch, '{\n  "a": 1,\n  "b c": "a",\n  "d": {"e": [2]}\n}\n')
    assert read.fields == {"a": 1, "b c": "a", "d": {"e": [2]}}
    assert read.problem is None
    assert [read.line_of(name) for name in ("a", "b c", "e", "f")] == [2, 3, 4, 0]


def test_the_line_of_a_member_whose_name_is_also_a_value(scratch: Path) -> None:
    read = document(scratch, '{\n  "division": "status",\n  "status": "available"\n}\n')
    assert read.line_of("status") == 3


@pytest.mark.parametrize(
    ("raw", "problem", "line"),
    [
        (b"", "expecting value", 1),
        (b'{\n "a": 1,\n}', "expecting property name", 3),
        (b'{"a": 1', "expecting ',' delimiter", 1),
        (b"[1]", "a list, not an object", 1),
        (b'"text"', "a str, not an object", 1),
        (b"null", "a nonetype, not an object", 1),
        (b'{\n "a": "caf\xe9"}', "not utf-8 at byte", 2),
        (b"\xff\xfe{\0}\0", "not utf-8 at byte", 1),
        (b'{"a": ' + b"9" * 5000 + b"}", "exceeds the limit", 0),
        (b'{"a": ' + b"[" * 100_000, "", 0),
    ],
    ids=range(10),
)
def test_what_is_no_object(scratch: Path, raw: bytes, problem: str, line: int) -> None:
    read = document(scratch, raw)
    assert read.fields == {}
    assert read.problem is not None
    assert problem in read.problem.lower()
    assert read.line == line


def test_a_byte_order_mark_is_read_over_and_told(scratch: Path) -> None:
    read = document(scratch, b'\xef\xbb\xbf{"a": 1}')
    assert (read.fields, read.byte_order_mark) == ({"a": 1}, True)


@pytest.mark.parametrize("text", ['{"a": NaN}', '{"a": 1e999}', '{"a": 1, "a": 2}'])
def test_json_that_strict_readers_refuse_does_not_raise(scratch: Path, text: str) -> None:
    assert set(document(scratch, text).fields) <= {"a"}


def test_a_document_of_megabytes_is_not_read(scratch: Path) -> None:
    problem = document(scratch, b" " * (LARGEST_DOCUMENT + 1)).problem
    assert problem is not None
    assert "more than" in problem


def test_lines_are_numbered_from_one(scratch: Path) -> None:
    text = read_text(holding(scratch, "one\r\ntwo\n"), "file")
    assert list(text.numbered()) == [(1, "one\r"), (2, "two"), (3, "")]


def test_stray_bytes_are_replaced_and_told(scratch: Path) -> None:
    text = read_text(holding(scratch, b"one\ncaf\xe9\n"), "file")
    assert (text.stray, text.lines[1]) == (2, "caf\N{REPLACEMENT CHARACTER}")


def test_a_text_that_is_not_there_says_why(scratch: Path) -> None:
    assert read_text(holding(scratch, b""), "other").problem == "no such file or directory"
