"""Every difference between a round and the one before it has a reason, and every reason a use."""

from __future__ import annotations

from itertools import pairwise

import pytest

from mlcheck.overlay import differences
from mlcheck.ruleset import load, reasons, rounds

PAIRS = list(pairwise(rounds("inference")))


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_differences_and_reasons_belong_together(old: str, new: str) -> None:
    before, after = (dict(load("inference", name).document) for name in (old, new))
    changed = [pointer for pointer, _, _ in differences(before, after)]
    stated = reasons("inference", new)
    assert changed
    assert [p for p in changed if not any(p.startswith(path) for path in stated)] == []
    assert [path for path in stated if not any(p.startswith(path) for p in changed)] == []
    assert "TODO" not in stated.values()
