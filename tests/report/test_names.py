"""Names of files, and names of accelerators."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlcheck_report.accelerators import Accelerators, Part, read, spellings
from mlcheck_report.names import LONGEST, result_name, slug

SAFE = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?")


@given(st.lists(st.one_of(st.none(), st.text()), min_size=1, max_size=3))
def test_slugs_are_safe_and_short(parts: list[str | None]) -> None:
    name = slug(*parts)
    assert SAFE.fullmatch(name)
    assert len(name) <= LONGEST + 9


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("A",), ("a",)),
        (("a b",), ("a", "b")),
        (("x" * 10_000,), ("x" * 10_001,)),
        (("\u202e",), ("\u202d",)),
    ],
)
def test_different_names_have_different_slugs(one: tuple[str], other: tuple[str]) -> None:
    assert slug(*one) != slug(*other)


def test_slugs_stay_readable() -> None:
    assert slug("llama2-70b-99.9", "Offline").startswith("llama2-70b-99-9-offline-")


def test_plain_ids_are_file_names() -> None:
    assert result_name("50e2292705f7") == "50e2292705f7"
    assert SAFE.fullmatch(result_name("../../etc/passwd"))


@pytest.mark.parametrize(
    ("text", "parts", "notes"),
    [
        ("GPU A (x32), GPU B 256GB (x16)", [("GPU A", 32), ("GPU B 256GB", 16)], []),
        ("8x GPU A and 4 x GPU B", [("GPU A", 8), ("GPU B", 4)], []),
        ("GPU A x8 + GPU B x2", [("GPU A", 8), ("GPU B", 2)], []),
        ("GPU A (x8)", [("GPU A", 8)], []),
        ("GPU A (x4), gpu a (x4)", [("GPU A", 4)], []),
        ("GPU A, GPU B", [("GPU A, GPU B", None)], []),  # no counts: it may be one name
        ("NVIDIA Blackwell GPU (B200-SXM-180GB)", None, []),
        ("Intel(R) Arc(TM) 140T GPU", None, []),
        ("NVIDIA RTX 4000 Ada-PCIe-20GB", None, []),
        ("GPU A (450W TDP)", [("GPU A", None)], ["450W TDP"]),
        ("GPU A [power capped at 300 W]", [("GPU A", None)], ["power capped at 300 W"]),
        ("GPU A MaxQ", [("GPU A", None)], ["MaxQ"]),
        ("Virtualized GPU A", [("GPU A", None)], ["Virtualized"]),
        ("GPU A (300W cap) (x2), GPU B (x1)", [("GPU A", 2), ("GPU B", 1)], ["300W cap"]),
        ("450W", None, []),
        ("(450W)", None, []),
    ],
)
def test_accelerators(
    text: str, parts: list[tuple[str, int | None]] | None, notes: list[str]
) -> None:
    wanted = [(text, None)] if parts is None else parts
    assert read(text) == Accelerators(tuple(Part(*part) for part in wanted), tuple(notes))


@given(st.text())
def test_any_name_has_at_least_one_part(text: str) -> None:
    found = read(text)
    assert found.parts
    assert found.mixed == (len(found.parts) > 1)


def test_no_name() -> None:
    assert read(None).parts == ()


def test_most_frequent_spelling_counts() -> None:
    assert spellings(["HBM3e", "HBM3E", "HBM3E"]) == {"HBM3e": "HBM3E", "HBM3E": "HBM3E"}
