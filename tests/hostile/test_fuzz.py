"""Every file of both examples, changed at random: findings, and never an error of ours."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mlcheck.engine import Job, verify
from mlcheck.gate.baseline import read_baseline
from mlcheck.gate.waivers import read_waivers
from mlcheck.judge import INTERNAL_ERROR
from mlcheck.output.formats import Format, View, render
from mlcheck.settings.files import read_file
from mlcheck.settings.keys import SettingsError
from tests.trees import EXAMPLES, copy_tree, scratch_folder

EVERY = ("inference-v5.1", "training-v5.1")
TOKENS = [
    b"", b"\x00", b"\xff", b"\n", b"\r\n", b":::MLLOG ", b"{", b"}", b"[" * 50, b'"', b"null",
    b"NaN", b"Infinity", b"-1", b"1e999", b"9" * 400, b"\\ud800", b"../" * 40, b"%s%n", b"true",
    b"\xef\xbb\xbf", b"01-01-9999 00:00:00.000", b'"value": {}', b'"time_ms": null',
]  # fmt: skip


def kinds() -> Iterator[tuple[str, str]]:
    """Yield one file of each name that the examples hold: example, path."""
    for example in EVERY:
        seen = set()
        for path in sorted((EXAMPLES / example).rglob("*")):
            kind = path.name if path.suffix != ".json" else (path.parts[-2], path.suffix)
            if path.is_file() and kind not in seen and path.stat().st_size:
                seen.add(kind)
                yield example, str(path.relative_to(EXAMPLES / example))


@st.composite
def edited(draw: st.DrawFn, raw: bytes) -> bytes:
    """Return bytes that were cut, doubled, and had tokens put in."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(raw)))
        end = draw(st.integers(at, min(len(raw), at + 60)))
        raw = raw[:at] + draw(st.sampled_from(TOKENS) | st.binary(max_size=8)) + raw[end:]
        if draw(st.booleans()) and draw(st.booleans()):
            raw = raw[: draw(st.integers(0, len(raw)))]
    return raw


FEW = settings(
    max_examples=int(os.environ.get("MLCHECK_FUZZ", "4")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize(("example", "path"), list(kinds()), ids=lambda part: part[-40:])
def test_every_kind_of_file(example: str, path: str) -> None:
    with scratch_folder() as scratch:
        root = copy_tree(EXAMPLES / example, scratch / "tree")
        original = (root / path).read_bytes()

        @FEW
        @given(raw=edited(original))
        def any_change(raw: bytes) -> None:
            (root / path).write_bytes(raw)
            suite, _, round_ = example.partition("-")
            report = verify(Job(root=str(root), suite=suite, round=round_), jobs=1)
            bugs = [f"{f.message} {f.actual}" for f in report.findings if f.rule == INTERNAL_ERROR]
            assert bugs == []
            for kind in Format:
                render(report, kind, View()).encode("utf-8", "backslashreplace")
            json.loads(render(report, Format.JSON, View()))

        any_change()


WAIVERS = b"""waivers:
  - rule: INF103
    path: "closed/**"
    reason: why
    approver: who
    expires: 2026-12-31
"""
BASELINE = b'{"schema_version": "1.0", "findings": [{"id": "0123456789ab", "rule": "INF504"}]}'
SETTINGS = b'gate = "official"\nselect = ["INF"]\n[profiles.a]\ninherits = "ci"\njobs = 2\n'


@pytest.mark.parametrize(
    ("name", "text", "reader"),
    [
        ("waivers.yaml", WAIVERS, read_waivers),
        ("known.json", BASELINE, read_baseline),
        ("mlcheck.toml", SETTINGS, read_file),
    ],
)
def test_files_of_the_user(
    name: str, text: bytes, reader: Callable[[str], object], scratch: Path
) -> None:
    @settings(FEW, max_examples=FEW.max_examples * 20)
    @given(raw=edited(text) | st.binary(max_size=60))
    def any_change(raw: bytes) -> None:
        (scratch / name).write_bytes(raw)
        with contextlib.suppress(SettingsError):
            reader(str(scratch / name))

    any_change()
