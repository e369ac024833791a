"""The official checker of a round beside mlcheck, on a log generated for every table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mlcheck.suites.training.log_lines import Event
from tests.training.forms import form_of, written
from tests.training.test_rounds import UNLISTED, events, found, names

mlp_compliance = pytest.importorskip("mlperf_logging.compliance_checker.mlp_compliance")
FIRST_YEARS = ("v0.6", "v0.7", "v1.0")
NO_TARGETS = "v0.6"


def accepted(round_: str, lines: list[Event], path: Path) -> bool:
    """Tell what the official checker of a round makes of a log."""
    form = form_of(round_)
    path.write_text("".join(written(each, form) for each in lines), encoding="utf-8")
    ruleset = f"{round_.removeprefix('v')}.0"
    checker = mlp_compliance.make_checker("training", ruleset, quiet=True, werror=False)
    minigo = any((e.key, e.value) == ("submission_benchmark", "minigo") for e in lines)
    table = "minigo" if round_ == "v0.6" and minigo else "common"  # which one, its user says
    return bool(checker.check_file(str(path), f"training_{ruleset}/{table}.yaml"))


def _missed(value: Any) -> Any:
    return dict.fromkeys(value, 1e9) if isinstance(value, dict) else 1e9


TABLES = [each for each in names() if each[0] in FIRST_YEARS and each not in UNLISTED]


@pytest.mark.parametrize(("round_", "benchmark", "division"), TABLES)
def test_both_accept_what_a_table_asks_for(
    round_: str, benchmark: str, division: str, scratch: Path
) -> None:
    lines = list(events(round_, division, benchmark))
    assert accepted(round_, lines, scratch / "result_0.txt")


@pytest.mark.parametrize(("round_", "benchmark", "division"), TABLES)
def test_both_notice_every_key_that_is_missing(
    round_: str, benchmark: str, division: str, scratch: Path
) -> None:
    lines = list(events(round_, division, benchmark))
    for key in {event.key for event in lines} - {"submission_division", "submission_benchmark"}:
        without = [event for event in lines if event.key != key]
        mine = not found(round_, division, benchmark, without)
        if key != "global_batch_size":  # without it the checker of v0.7 ends with an error
            assert accepted(round_, without, scratch / "result_0.txt") == mine, key


@pytest.mark.parametrize(("round_", "benchmark", "division"), TABLES)
def test_both_notice_a_target_that_is_missed(
    round_: str, benchmark: str, division: str, scratch: Path
) -> None:
    if round_ == NO_TARGETS:
        pytest.skip("its checker knows no targets")
    if (benchmark, division) == ("unet3d", "closed"):
        pytest.skip("its target has no upper end")
    lines = [
        event._replace(value=_missed(event.value)) if event.key == "eval_accuracy" else event
        for event in events(round_, division, benchmark)
    ]
    assert found(round_, division, benchmark, lines)
    assert not accepted(round_, lines, scratch / "result_0.txt")
