"""Changes of a round are applied without surprises."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from mlcheck.overlay import RulesetError, apply_changes, differences

PARENT: dict[str, Any] = {
    "limits": {"seconds": 600, "names": ["a", "b"]},
    "a/b": {"c~d": 1},
    "null": None,
}


def change(op: str, path: str, **more: Any) -> dict[str, Any]:
    return {"op": op, "path": path, "why": "it is a test", **more}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([], {}),
        ([change("add", "/limits/bytes", value=1)], {"limits": {**PARENT["limits"], "bytes": 1}}),
        ([change("remove", "/limits/names")], {"limits": {"seconds": 600}}),
        (
            [change("replace", "/limits/seconds", was=600, value=60)],
            {"limits": {**PARENT["limits"], "seconds": 60}},
        ),
        ([change("replace", "/a~1b/c~0d", was=1, value=2)], {"a/b": {"c~d": 2}}),
        ([change("replace", "/null", was=None, value=[])], {"null": []}),
        ([change("add", "/new", value={}), change("add", "/new/x", value=1)], {"new": {"x": 1}}),
    ],
    ids=range(7),
)
def test_changes(changes: list[dict[str, Any]], expected: dict[str, Any]) -> None:
    assert apply_changes(PARENT, changes) == PARENT | expected


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (change("add", "/limits/seconds", value=1), "is there already"),
        (change("remove", "/limits/secnds"), "is not there"),
        (change("replace", "/limits/secnds", was=600, value=60), "is not there"),
        (change("replace", "/limits/seconds", was=60, value=61), "was 600, not 60"),
        (change("replace", "/limits/seconds", was=600, value=600), "alters nothing"),
        (change("add", "/limts/seconds", value=1), "nothing there that could hold"),
        (change("add", "/limits/seconds/x", value=1), "nothing there that could hold"),
        (change("add", "/limits/names/0", value=1), "nothing there that could hold"),
        (change("add", "limits", value=1), "is no JSON pointer"),
        (change("remove", ""), "is no JSON pointer"),
    ],
    ids=range(10),
)
def test_a_change_that_does_not_fit(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesetError, match=message):
        apply_changes(PARENT, [wrong])


def test_neither_parent_nor_change_is_shared_with_the_outcome() -> None:
    before, value = copy.deepcopy(PARENT), {"x": [1]}
    made = apply_changes(PARENT, [change("add", "/new", value=value)])
    made["new"]["x"].append(2)
    made["limits"]["names"].append("c")
    assert before == PARENT
    assert value == {"x": [1]}


def test_differences_are_leaves_with_pointers() -> None:
    new = apply_changes(
        PARENT,
        [
            change("replace", "/a~1b/c~0d", was=1, value=2),
            change("remove", "/limits/names"),
            change("add", "/new", value={"x": 1}),
        ],
    )
    assert differences(PARENT, new) == [
        ("/a~1b/c~0d", 1, 2),
        ("/limits/names", ["a", "b"], None),
        ("/new", None, {"x": 1}),
    ]
    assert differences(PARENT, copy.deepcopy(PARENT)) == []
