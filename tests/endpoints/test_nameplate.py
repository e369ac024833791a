"""The power that a system is built for: summed, missing, or stated in a way that has no meaning."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlcheck.engine import Job, verify
from mlcheck.model import Report, Verdict
from tests.endpoints import made
from tests.power_folder import add_power, rehash
from tests.rounds.moved import moved

SCENARIO = "closed/Acme/results/acme-edge-1x/resnet50/Offline"
SYSTEM = "closed/Acme/systems/acme-edge-1x.json"
PLATE = "closed/Acme/systems/acme-edge-1x_power.yaml"
GOOD = """\
Rack:
  Server A:
    PSUs:
      - &small {PowerCapacityWatts: 1000}
      - *small
      - {PowerCapacityWatts: 2000}
      - {PowerCapacityWatts: 1500.5}
    Min PSUs Needed: 2
  Switches:
    - psus: [{PowerCapacityWatts: 100}]
      min psus needed: 1
"""


@pytest.fixture
def power_tree(tree: Path) -> Path:
    """Return a submission of the round with one result whose power was measured."""
    add_power(tree, tree / SCENARIO)
    moved(tree, made.ROUND, "6.1.0")
    rehash(tree / SCENARIO / "performance")  # the logs are those of another LoadGen now
    return tree


def found(tree: Path) -> tuple[Report, set[tuple[str, str, str]]]:
    report = made.judged(tree)
    return report, {
        (finding.rule, finding.severity.value, finding.official.value)
        for finding in report.findings
    }


def design_power(report: Report) -> object:
    result = next(result for result in report.results if result.path == SCENARIO)
    return result.extra.get("design_power_watts")


def state(tree: Path, value: object) -> None:
    made.edit(tree / SYSTEM, lambda document: document.update(system_power_capacity=value))


def test_needed_supplies_are_summed(power_tree: Path) -> None:
    (power_tree / PLATE).write_text(GOOD)
    report, findings = found(power_tree)
    assert findings == set()
    assert design_power(report) == 3600.5


@pytest.mark.parametrize("value", [5000, 5000.0, "5000"])
def test_description_may_state_it(power_tree: Path, value: object) -> None:
    state(power_tree, value)
    report, findings = found(power_tree)
    assert findings == set()
    assert design_power(report) == 5000


def test_more_power_than_it_is_built_for(power_tree: Path) -> None:
    state(power_tree, 50)
    _, findings = found(power_tree)
    assert findings == {("PWR181", "warning", "none")}


def test_nothing_states_it(power_tree: Path) -> None:
    report, findings = found(power_tree)
    assert findings == {("PWR106", "warning", "warning")}
    result = next(result for result in report.results if result.path == SCENARIO)
    assert (result.verdict, result.official_verdict) == (Verdict.VALID, Verdict.VALID)
    assert [finding.results for finding in report.findings] == [(result.id,)]


def test_without_measured_power_nobody_asks(tree: Path) -> None:
    moved(tree, made.ROUND, "6.1.0")
    (tree / PLATE).write_text("[")
    assert found(tree)[1] == set()


@pytest.mark.parametrize("value", [True, "5 kW", -1, 0, None, [5000], "nan", 1e300])
def test_description_without_a_number(power_tree: Path, value: object) -> None:
    state(power_tree, value)
    report, findings = found(power_tree)
    assert findings == {("PWR107", "error", "none")}
    assert design_power(report) is None


DIES, TAKES = "error", "none"  # what the official tool does
BROKEN = {
    "empty": ("", DIES),
    "torn": ("a: [", DIES),
    "holds itself": ("a: &a [*a]\n", DIES),
    "no leaf": ("Rack: {Server: {PSUs: []}}\n", TAKES),
    "supplies are a number": ("A: {PSUs: 3, Min PSUs Needed: 1}\n", DIES),
    "supplies are numbers": ("A: {PSUs: [3], Min PSUs Needed: 1}\n", DIES),
    "needed is text": ("A: {PSUs: [{PowerCapacityWatts: 1}], Min PSUs Needed: one}\n", DIES),
    "needs too many": ("A: {PSUs: [{PowerCapacityWatts: 1}], Min PSUs Needed: 2}\n", TAKES),
    "needs none": ("A: {PSUs: [{PowerCapacityWatts: 1}], Min PSUs Needed: 0}\n", TAKES),
    "watts are text": ("A: {PSUs: [{PowerCapacityWatts: 1 kW}], Min PSUs Needed: 1}\n", DIES),
    "no watts": ("A: {PSUs: [{}], Min PSUs Needed: 1}\n", TAKES),
    "no number": ("A: {PSUs: [{PowerCapacityWatts: .nan}], Min PSUs Needed: 1}\n", TAKES),
}


@pytest.mark.parametrize(("content", "official"), BROKEN.values(), ids=BROKEN.keys())
def test_list_that_cannot_be_summed(power_tree: Path, content: str, official: str) -> None:
    (power_tree / PLATE).write_text(content)
    report, findings = found(power_tree)
    assert findings == {("PWR107", "error", official)}
    assert design_power(report) is None


def test_rounds_before_do_not_know_the_field(tree: Path) -> None:
    state(tree, 5000)
    report = verify(Job(root=str(tree), suite="inference", round="v5.1"), jobs=1)
    assert [finding.rule for finding in report.findings] == ["SYS014"]


@pytest.mark.parametrize(("watts", "beyond"), [(499, True), (500, False)])
def test_no_system_takes_more_than_it_is_built_for(
    power_tree: Path, watts: int, *, beyond: bool
) -> None:
    state(power_tree, watts)
    _, findings = found(power_tree)
    assert (("PWR181", "warning", "none") in findings) is beyond
