"""Rounds that change others: nothing leaks back into the parent, and differences are complete."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mlcheck.overlay import RulesetError, apply_changes, differences

leaves = st.booleans() | st.integers() | st.text(max_size=4) | st.lists(st.integers(), max_size=2)
keys = st.text(st.sampled_from("ab/~"), min_size=1, max_size=2)
documents = st.recursive(
    st.dictionaries(keys, leaves, max_size=3),
    lambda inner: st.dictionaries(keys, leaves | inner, max_size=3),
    max_leaves=8,
)


def changes_between(old: dict[str, Any], new: dict[str, Any]) -> list[dict[str, Any]]:
    made = []
    for pointer, was, value in differences(old, new):
        if was is None:
            made.append({"op": "add", "path": pointer, "value": value})
        elif value is None:
            made.append({"op": "remove", "path": pointer})
        else:
            made.append({"op": "replace", "path": pointer, "was": was, "value": value})
    return made


@given(old=documents, new=documents)
def test_the_differences_of_two_documents_lead_from_one_to_the_other(
    old: dict[str, Any], new: dict[str, Any]
) -> None:
    before = copy.deepcopy(old)
    assert apply_changes(old, changes_between(old, new)) == new
    assert old == before


@given(
    parent=documents,
    changes=st.lists(
        st.fixed_dictionaries(
            {
                "op": st.sampled_from(["add", "remove", "replace"]),
                "path": st.text(st.sampled_from("/ab~01"), max_size=6),
                "was": leaves,
                "value": leaves | documents,
            }
        ),
        max_size=3,
    ),
)
def test_a_parent_is_never_changed(parent: dict[str, Any], changes: list[dict[str, Any]]) -> None:
    before, listed = copy.deepcopy(parent), copy.deepcopy(changes)
    try:
        made = apply_changes(parent, changes)
    except RulesetError:
        made = {}
    for value in made.values():
        if isinstance(value, list):
            value.append("more")
        elif isinstance(value, dict):
            value["more"] = "more"
    assert parent == before
    assert changes == listed
