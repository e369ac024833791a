"""The reader of logs: any bytes, the last marker of a line, numbers of lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcheck.suites.training.log_lines import Format, Kind
from mlcheck.suites.training.mllog import Log, marked_lines, read_log
from mlcheck.tree import Tree
from tests.training.forms import KEYED, MARKER, OBJECT

KEYS = frozenset(("a", "seed"))


def line(key: str = "a", value: object = 1, **more: object) -> bytes:
    document = {"key": key, "time_ms": 5, "value": value, "metadata": {}, **more}
    return MARKER + json.dumps(document).encode() + b"\n"


def log(folder: Path, raw: bytes, form: Format = OBJECT) -> Log:
    (folder / "result_0.txt").write_bytes(raw)
    return read_log(Tree(str(folder)), "result_0.txt", KEYS, form)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b":::MLLOG {}", [(1, b"{}")]),
        (b"x\n\n[3] :::MLLOG 1\n", [(3, b"1")]),
        (b":::MLLOG {torn :::MLLOG 2\n:::MLLOG 3", [(1, b"2"), (2, b"3")]),
        (b"50%\r:::MLLOG 1\r\n:::MLLOG 2\r\n", [(1, b"1"), (2, b"2")]),
        (b":::MLLOG 1\r:::MLLOG 2\n", [(1, b"1"), (1, b"2")]),
        (b"::MLLOG 1\n:::MLLOG\n", []),
        (":::MLLOG 1\n".encode("utf-16"), []),
    ],
)
def test_marked_lines(raw: bytes, expected: list[tuple[int, bytes]]) -> None:
    assert list(marked_lines(raw, MARKER)) == expected


def test_keys_that_no_rule_names_are_left_out(scratch: Path) -> None:
    read = log(scratch, line("b") + line("a"))
    assert [(event.line, event.key) for event in read.events] == [(2, "a")]
    assert read.lines == 2


@pytest.mark.parametrize(
    ("raw", "kind", "says"),
    [
        (MARKER + b"{", Kind.TORN, "column"),
        (MARKER + b"[1, 2]", Kind.SHAPE, "a list"),
        (MARKER + b"null", Kind.SHAPE, "a null"),
        (line(time_ms="soon"), Kind.SHAPE, "time_ms"),
        (line(time_ms=1e999), Kind.SHAPE, "time_ms"),
        (line(key=7), Kind.SHAPE, "key is a number"),  # type: ignore[arg-type]  # on purpose
        (line(metadata=[1]), Kind.SHAPE, "metadata is a list"),
        (MARKER + b'{"key": "a", "value": 1, "metadata": {}}', Kind.SHAPE, "time_ms is missing"),
        (MARKER + b'{"key": "a", "time_ms": 1, "metadata": {}}', Kind.SHAPE, "value is missing"),
        (MARKER + b"[" * 100_000, Kind.TORN, ""),
        (MARKER + b"9" * 5000, Kind.TORN, ""),
    ],
)
def test_what_is_wrong_with_a_line(scratch: Path, raw: bytes, kind: Kind, says: str) -> None:
    read = log(scratch, b"noise\n" + raw)
    (problem,) = read.problems
    assert (problem.line, problem.kind) == (2, kind)
    assert says in problem.message


def test_odd_lines_that_are_right(scratch: Path) -> None:
    raw = line(time_ms="5") + line(metadata=None) + line(value=float("nan")) + line(value=10**40)
    read = log(
        scratch, raw + MARKER + b'{"key": "a", "time_ms": 1, "value": "\xff", "metadata": {}}'
    )
    assert not read.problems
    assert len(read.events) == 5


def test_many_broken_lines_are_counted_and_few_are_kept(scratch: Path) -> None:
    read = log(scratch, (MARKER + b"{\n") * 500)
    assert read.broken == 500
    assert len(read.problems) == 20


def test_copies_share_a_fingerprint_whatever_their_seed(scratch: Path) -> None:
    body = b"".join(line(value=n) for n in range(9))
    one, two = log(scratch, body + line("seed", 1)), log(scratch, body + line("seed", 2))
    assert one.fingerprint == two.fingerprint != ""
    assert log(scratch, body + line()).fingerprint != one.fingerprint


def test_a_folder_and_a_missing_file_are_unreadable(scratch: Path) -> None:
    (scratch / "d").mkdir()
    assert read_log(Tree(str(scratch)), "d", KEYS, OBJECT).unreadable
    assert read_log(Tree(str(scratch)), "none", KEYS, OBJECT).unreadable


_PIECES = st.one_of(
    st.binary(max_size=30),
    st.sampled_from([MARKER, b"\n", b"\r", b"{", b"}", b'"key"', b":", b"null", b"1e999"]),
    st.sampled_from([line(), line(value=None), line(metadata=None)]),
)


@given(st.lists(_PIECES, max_size=20))
@settings(max_examples=300, deadline=None)
def test_any_bytes_are_read_as_a_naive_reader_reads_them(pieces: list[bytes]) -> None:
    raw = b"".join(pieces)
    found = list(marked_lines(raw, MARKER))
    naive = []
    for number, text in enumerate(raw.split(b"\n"), 1):
        for part in text.split(b"\r"):
            if MARKER in part:
                naive.append((number, part.rpartition(MARKER)[2]))
    assert found == naive


@given(raw=st.lists(_PIECES, max_size=20).map(b"".join))
@settings(max_examples=150, deadline=None)
def test_any_bytes_make_a_log(raw: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    read = log(tmp_path_factory.mktemp("log"), raw)
    assert read.lines >= read.broken >= len(read.problems) * (read.broken > 0)
    assert all(1 <= event.line <= raw.count(b"\n") + 1 for event in read.events)


KEY = b'{"value": 1, "metadata": {}}'


@pytest.mark.parametrize(
    ("raw", "time_ms"),
    [
        (b":::MLL 1560888647.859 a: " + KEY, 1560888647859.0),
        (b":::MLL 1560873514.700728431 a: " + KEY, 1560873514700.728431),
        (b"[7] x:::MLL 5 a :\t" + KEY + b"\r", 5000.0),
        (b":::MLL torn :::MLL 0.001 a: " + KEY, 1.0),
        (b':::MLL 5 a: {"value": NaN, "metadata": {}}', 5000.0),
        (b':::MLL 5 a: {"value": 1}', 5000.0),
    ],
)
def test_time_and_key_before_the_value(raw: bytes, time_ms: float, scratch: Path) -> None:
    read = log(scratch, b"noise\n:::MLL 4 b: " + KEY + b"\n" + raw, KEYED)
    assert [(e.line, e.key, e.time_ms) for e in read.events] == [(3, "a", time_ms)]
    assert (read.lines, read.problems, read.stumbling) == (2, (), 0)


@pytest.mark.parametrize(
    ("raw", "kind", "says"),
    [
        (b":::MLLOG " + KEY, Kind.TORN, "no time, key and colon"),
        (b":::MLL 1.2.3 a: " + KEY, Kind.TORN, "1.2.3 is no time"),
        (b":::MLL " + b"9" * 400 + b" a: " + KEY, Kind.TORN, "is no time"),
        (b":::MLL 5 a:" + KEY, Kind.TORN, "no time, key and colon"),
        (b":::MLL 5 a b: " + KEY, Kind.TORN, "no time, key and colon"),
        (b":::MLL 5 a: {'value': 1}", Kind.TORN, "column"),
        (b":::MLL 5 b: {", Kind.TORN, "column"),
        (b":::MLL 5 a: [1]", Kind.SHAPE, "a list"),
        (b":::MLL 5 a: " + b"[" * 100_000, Kind.TORN, ""),
    ],
)
def test_what_is_wrong_with_a_keyed_line(raw: bytes, kind: Kind, says: str, scratch: Path) -> None:
    read = log(scratch, b"noise\n" + raw, KEYED)
    (problem,) = read.problems
    assert (problem.line, problem.kind, read.stumbling, read.events) == (2, kind, 1, ())
    assert says in problem.message


def test_a_keyed_line_without_a_field_is_judged_by_the_rest(scratch: Path) -> None:
    raw = b':::MLL 5 a: {"metadata": {"n": 1}}\n:::MLL 6 a: {"value": 1, "metadata": 2}\n'
    read = log(scratch, raw, KEYED)
    assert [problem.kind for problem in read.problems] == [Kind.SHAPE] * 2
    assert (read.broken, read.stumbling) == (2, 0)
    assert [(e.value, e.metadata) for e in read.events] == [(None, {"n": 1}), (1, None)]


@given(raw=st.lists(_PIECES | st.sampled_from([b":::MLL 5 a: ", KEY]), max_size=20).map(b"".join))
@settings(max_examples=100, deadline=None)
def test_any_bytes_make_a_keyed_log(raw: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    read = log(tmp_path_factory.mktemp("log"), raw, KEYED)
    assert read.lines >= read.broken >= read.stumbling
