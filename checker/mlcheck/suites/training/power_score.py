"""The published energy: the mean of the runs that count for the time to train."""

from __future__ import annotations

from mlcheck.model import Power, Source
from mlcheck.suites.training.entry import Entry
from mlcheck.suites.training.power_facts import PowerFacts
from mlcheck.suites.training.power_files import official_failures
from mlcheck.suites.training.score import Score

METHOD = "meters of nodes"


def power_of(entry: Entry, scored: Score | None, facts: PowerFacts | None) -> Power | None:
    """Return the energy of a result; None: no power was measured.

    The runs that count are those of the time to train, and the factor is the same, too.
    """
    if entry.power is None or facts is None:
        return None
    value = _mean_j(entry, scored) if scored else None
    nodes = [log for run in entry.power.runs for log in run.nodes]
    return Power(
        kind="measured",
        value=value,
        unit=facts.unit,
        average_w=value / (scored.minutes * 60) if value is not None and scored else None,
        efficiency=None,
        valid=_accepted(entry, facts),
        samples=sum(len(log.times_ms) for log in nodes),
        source=Source(nodes[0].path if nodes else entry.power.path),
        method=METHOD,
    )


def run_joules(entry: Entry) -> dict[str, float | None]:
    """Return the energy of each run by the path of its log."""
    return {
        run.log: run.energy.total.official_j for run in (entry.power.runs if entry.power else ())
    }


def _mean_j(entry: Entry, scored: Score) -> float | None:
    joules = run_joules(entry)
    counted = [joules[run.path] for run in scored.counted]
    known = [each for each in counted if each is not None]
    if not known or len(known) < len(counted):
        return None
    return sum(known) / len(known) * scored.factor


def _accepted(entry: Entry, facts: PowerFacts) -> bool:
    """Whether the official check takes the measurement, runs excused that count as slowest."""
    failed = official_failures(entry.power, facts) if entry.power else frozenset()
    return failed is not None and len(failed) <= (entry.rules.dropped if entry.rules else 0)
