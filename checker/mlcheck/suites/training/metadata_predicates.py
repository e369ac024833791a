"""Predicates on the metadata of one line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mlcheck.suites.training.predicate import (
    About,
    Predicate,
    bounds_text,
    metadata_of,
    same,
    simple,
    within,
)


def _metadata(names: list[str]) -> Predicate:
    return simple(
        "metadata",
        About.METADATA,
        "metadata " + " and ".join(names),
        lambda e, _: all(name in metadata_of(e) for name in names),
    )


def _metadata_any(names: list[str]) -> Predicate:
    return simple(
        "metadata_any",
        About.METADATA,
        "metadata " + " or ".join(names),
        lambda e, _: any(name in metadata_of(e) for name in names),
    )


def _metadata_with(pairs: Mapping[str, str]) -> Predicate:
    text = ", ".join(f"metadata {there} beside {name}" for name, there in pairs.items())
    return simple(
        "metadata_with",
        About.METADATA,
        text,
        lambda e, _: all(
            n not in metadata_of(e) or there in metadata_of(e) for n, there in pairs.items()
        ),
    )


def _metadata_range(bounds: Mapping[str, Mapping[str, float]]) -> Predicate:
    text = ", ".join(f"metadata {name} {bounds_text(each)}" for name, each in bounds.items())
    return simple(
        "metadata_range",
        About.METADATA,
        text,
        lambda e, _: all(
            n not in metadata_of(e) or within(metadata_of(e)[n], b) for n, b in bounds.items()
        ),
    )


def _metadata_one_of(wanted: Mapping[str, list[Any]]) -> Predicate:
    text = ", ".join(
        f"metadata {name} one of {', '.join(str(each) for each in values)}"
        for name, values in wanted.items()
    )
    return simple(
        "metadata_one_of",
        About.METADATA,
        text,
        lambda e, _: all(
            n in metadata_of(e) and any(same(metadata_of(e)[n], each) for each in values)
            for n, values in wanted.items()
        ),
    )


METADATA: dict[str, Callable[[Any], Predicate]] = {
    "metadata": _metadata,
    "metadata_any": _metadata_any,
    "metadata_one_of": _metadata_one_of,
    "metadata_range": _metadata_range,
    "metadata_with": _metadata_with,
}
