"""Read the logs of a LoadGen that wrote plain text, as a :class:`DetailLog`.

Such a detail log holds events as ``"pid": …, "tid": …, "ts": 1234ns : TEXT`` and no number that a
rule asks for: settings and results stand in the summary. The rule file says which line of
the summary means which key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from mlcheck.loadgen import DetailLog, LoggedError, read_summary, stray_line
from mlcheck.suites.inference.facts import Facts
from mlcheck.tree import Tree, Unreadable

_ERROR = b"ERROR"
_CLOCK = re.compile(rb'"ts": (\d+)ns')
_VERSION = re.compile(rb": version\s*: (.*)")
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")
_WORDS = ("true", "false")
_HEAD = 1 << 14
_SHOWN = 120
NS_PER_MS = 1_000_000
SCENARIO = "effective_scenario"  # written with blanks, such as Single Stream


def read_text_run(tree: Tree, detail: str, summary: str, facts: Facts) -> DetailLog:
    """Read both logs of a run. Never raises, whatever the bytes."""
    raw = tree.read(detail)
    if isinstance(raw, Unreadable):
        return DetailLog(path=detail, problem=raw.reason)
    values: dict[str, tuple[int, bytes]] = {}
    version = _VERSION.search(raw, 0, _HEAD)
    if version:
        text = version[1].decode("utf-8", "replace").strip()
        values["loadgen_version"] = (raw.count(b"\n", 0, version.start()) + 1, _json(text))
    lines = read_summary(tree, summary).values
    for name, key in facts.summary.items():
        if name in lines:
            number, text = lines[name]
            values[key] = (number, _json(text.replace(" ", "") if key == SCENARIO else text))
    return DetailLog(
        path=summary,
        size=len(raw),
        tail=raw[-4096:],
        values=values,
        errors=tuple(_errors(raw, facts.ignored_errors)),
        stray=stray_line(raw),
        first_ms=_clock(_CLOCK.search(raw)),
        last_ms=_clock(_CLOCK.search(raw, max(0, raw.rfind(b'"ts": ')))),
        events=detail,
    )


def _json(text: str) -> bytes:
    """Return a printed value as the JSON that newer logs hold."""
    if text in _WORDS or _NUMBER.fullmatch(text):
        return text.encode()
    return json.dumps(text).encode()


def _errors(raw: bytes, ignored: Sequence[str]) -> Iterator[LoggedError]:
    passed_over = [part.encode() for part in ignored]
    at = raw.find(_ERROR)
    while at >= 0:
        begin, end = raw.rfind(b"\n", 0, at) + 1, raw.find(b"\n", at)
        line = raw[begin : end if end >= 0 else len(raw)]
        if not any(part in line for part in passed_over):
            text = line[line.find(_ERROR) :].decode("utf-8", "replace")
            yield LoggedError(raw.count(b"\n", 0, at) + 1, text[:_SHOWN])
        at = raw.find(_ERROR, end) if end >= 0 else -1


def _clock(found: re.Match[bytes] | None) -> float:
    return int(found[1]) / NS_PER_MS if found else 0
