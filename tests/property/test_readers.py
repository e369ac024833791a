"""Whatever the bytes: readers answer, and do not raise."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mlcheck.documents import read_document, read_text
from mlcheck.loadgen import DetailLog, read_detail, read_summary
from mlcheck.output.text import printable
from mlcheck.power import meter
from mlcheck.power.meter_log import meter_log
from mlcheck.power.samples import sample_log
from mlcheck.power.session import NAMES, SERVER_NAMES, Message, read_session
from mlcheck.power.synchronised import synchronisation
from mlcheck.ruleset import load
from mlcheck.suites.inference.accuracy import counted, last_of_each, read_accuracy
from mlcheck.suites.inference.build_facts import facts_of
from mlcheck.suites.inference.checks_evidence import same_as_printed
from mlcheck.tree import Tree, Unreadable
from tests.trees import ROUND, holding

FACTS = facts_of(load("inference", ROUND))
KEYS = ("result_validity", "effective_scenario", "num_errors", "sut_name")
RAW = st.binary(max_size=300)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
events = st.builds(
    lambda key, value, error: json.dumps(
        {"key": key, "value": value, "time_ms": 1, "metadata": {"is_error": error}}
    ).encode(),
    st.sampled_from(KEYS) | st.text(max_size=10),
    json_values,
    st.booleans() | json_values,
)
torn = st.builds(lambda raw, cut: raw[: cut % (len(raw) + 1)], events, st.integers(0, 500))
log_lines = st.builds(lambda head, rest: head + rest, st.sampled_from([b":::MLLOG ", b""]), RAW)
logs = st.lists(
    st.builds(lambda event: b":::MLLOG " + event, events | torn) | log_lines, max_size=6
).map(b"\n".join)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("readers")


def ask(log: DetailLog) -> None:
    for key in (*log.values, *KEYS):
        log.get(key)
        log.text(key)
        log.raw(key)
        number = log.number(key)
        assert number is None or not isinstance(number, bool)
        assert log.line(key) >= 0


@given(raw=RAW)
def test_any_bytes(folder: Path, raw: bytes) -> None:
    tree = holding(folder, raw)
    document = read_document(tree, "file")
    assert (document.problem is None) or document.fields == {}
    for name in document.fields:
        document.line_of(name)
    text = read_text(tree, "file")
    assert len(text.lines) == raw.count(b"\n") + 1
    read_summary(tree, "file")
    sample_log("file", tree.read("file"))
    meter_log("file", tree.read("file"))
    synchronisation("file", tree.read("file"))
    for server in (False, True):
        read_session(read_document(tree, "file"), server=server)
    ask(read_detail(tree, "file"))


@example(raw=b':::MLLOG {"key": "a", "value": 1e999}')
@example(raw=b':::MLLOG {"key": "a", "value": "\xff"}')
@given(raw=logs)
def test_any_log(folder: Path, raw: bytes) -> None:
    log = read_detail(holding(folder, raw), "file")
    ask(log)
    lines = raw.split(b"\n")
    for key in log.values:
        assert log.values[key][1] in lines[log.line(key) - 1]
    for error in (*log.errors, *log.broken):
        assert lines[error.line - 1].startswith(b":::MLLOG")


@given(value=json_values, spaces=st.integers(0, 3))
def test_any_json(folder: Path, value: object, spaces: int) -> None:
    text = json.dumps({"a": value}, indent=spaces)
    document = read_document(holding(folder, text), "file")
    assert document.problem is None
    assert json.dumps(document.fields["a"]) == json.dumps(value)
    assert document.line_of("a") == (2 if "\n" in text else 1)


@given(
    lines=st.lists(
        st.text(max_size=30)
        | st.builds(lambda number: f"accuracy={number}%", st.floats() | st.text(max_size=8))
        | st.sampled_from(["hash=ab", "mAP=37.4%", "accuracy=76.5%", "accuracy=1.2.3"]),
        max_size=6,
    ),
    name=st.sampled_from(sorted(FACTS.benchmarks)),
)
def test_any_accuracy_text(folder: Path, lines: list[str], name: str) -> None:
    benchmark = FACTS.benchmarks[name]
    raw = "\n".join(lines).encode("utf-8", "surrogatepass")
    text = read_accuracy(holding(folder, raw), "file", benchmark, FACTS)
    taken = counted(text, benchmark.targets, "reached")
    assert taken == text.readings[: len(taken)]
    assert set(last_of_each(taken).values()) <= set(text.readings)


@given(
    cells=st.lists(
        st.text(max_size=12)
        | st.floats().map(str)
        | st.datetimes().map(lambda time: time.strftime("%m-%d-%Y %H:%M:%S.%f")[:-3]),
        max_size=6,
    )
)
def test_any_power_sample(folder: Path, cells: list[str]) -> None:
    line = ",".join(["Time", *cells])
    tree = holding(folder, line.encode("utf-8", "surrogatepass"))
    samples = sample_log("file", tree.read("file"))
    assert len(samples.times_ms) == len(samples.watts) == len(samples.readings)


sessions = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys((*NAMES, *SERVER_NAMES), json_values),
)


@given(document=sessions)
def test_any_session(folder: Path, document: dict[str, Any]) -> None:
    tree = holding(folder, json.dumps(document).encode("utf-8", "surrogatepass"))
    session = read_session(read_document(tree, "file"), server=True)
    missing = {*NAMES, *SERVER_NAMES} - document.keys()
    assert missing <= {problem.name for problem in session.problems}
    phases = [*meter.phases(session.meter)]
    meter.identity(session.meter)
    meter.first_ranges(session.meter)
    for phase in phases:
        meter.summary(phase.after, "Watts")


messages = st.lists(
    st.tuples(
        st.sampled_from(["Identify", "RR", "SR,A,Auto", "SR,V,1e999", "Go", "Go,1000,0,x", "Stop"]),
        st.text("Watts,0123456789.e-nan", max_size=30),
    ),
    max_size=8,
)


@given(pairs=messages)
def test_any_talk_to_a_meter(pairs: list[tuple[str, str]]) -> None:
    talk = tuple(Message(command, reply) for command, reply in pairs)
    meter.identity(talk)
    meter.first_ranges(talk)
    for phase in meter.phases(talk):
        meter.summary([*phase.after, Message("Watts", "Watts,nan")], "Watts")


@given(path=st.text(max_size=30))
def test_any_path(folder: Path, path: str) -> None:
    tree = Tree(str(folder))
    tree.folder(path)
    if not path.startswith("/") and ".." not in path.split("/"):
        assert isinstance(tree.read(path), (bytes, Unreadable))


@given(one=st.text(max_size=12) | st.floats().map(repr), other=st.text(max_size=12))
def test_two_prints_are_compared_either_way(one: str, other: str) -> None:
    assert same_as_printed(one, one)
    assert same_as_printed(one, other) == same_as_printed(other, one)


@given(number=st.floats(1e-3, 1e9), digits=st.integers(2, 9))
def test_a_number_is_the_same_as_its_rounded_print(number: float, digits: int) -> None:
    exact, rounded = f"{number:.12f}", f"{number:.{digits}f}"
    assert same_as_printed(exact, rounded)
    assert not same_as_printed(exact, str(Decimal(rounded) + Decimal(2).scaleb(-digits)))


@given(raw=st.text(max_size=40))
def test_shown_text_is_printable(raw: str) -> None:
    shown = printable(raw)
    assert shown.isprintable()
    assert shown.encode().decode() == shown
    if raw.isprintable():
        assert shown == raw
