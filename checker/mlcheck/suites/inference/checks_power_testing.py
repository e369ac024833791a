"""Rules that hold the testing run of a measurement against its ranging run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mlcheck.power.integrate import MS_PER_S, Window, mean_w
from mlcheck.rules import Flaw, Judgement, Rule, Scope
from mlcheck.suites.inference.checks_power_ranging import AGAIN, PR_FLOW
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.power_time import TimedRun


def other_settings(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The ranging run has the settings of the testing run; it may be shorter where the round allows
    it.
    """
    ranging, testing = _logs(entry)
    if ranging is None or testing is None:
        return
    may: list[str] = facts.power["workflow"]["ranging_may_differ"]
    for key in sorted(ranging.values.keys() & testing.values.keys()):  # INF302 reports torn logs
        if not key.startswith("effective_") or key in may:
            continue
        ours, theirs = ranging.raw(key), testing.raw(key)
        if ours != theirs:
            yield Flaw(
                path=ranging.path,
                line=ranging.line(key),
                message=f"ranging run has another {key}",
                expected=theirs[:80] or "not logged",
                actual=ours[:80] or None,
                hint=AGAIN,
            )


def _logs(entry: Entry) -> tuple[Any, Any]:
    if entry.power is None:
        return None, None
    return entry.power.ranging_run.log, entry.power.testing_run.log


def differing_durations(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Ranging and testing last about as long as each other; in newer rounds the testing run may be
    longer.
    """
    ranging, testing = _both(entry) or (None, None)
    if ranging and testing:
        yield from _durations(testing, ranging.window, testing.window, facts)


def differing_durations_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool knows no change of summer time."""
    ranging, testing = _both(entry) or (None, None)
    if ranging and testing:
        yield from _durations(testing, ranging.shown, testing.shown, facts)


def _durations(
    run: TimedRun, ranging: Window | None, testing: Window | None, facts: Facts
) -> Iterator[Flaw]:
    if run.log is None or ranging is None or testing is None:
        return
    rule = facts.power["workflow"]["duration"]
    shorter = ranging.duration_ms - testing.duration_ms
    longest = max(ranging.duration_ms, testing.duration_ms)
    against = ranging.duration_ms if rule["testing_may_be_longer"] else longest
    apart = shorter if rule["testing_may_be_longer"] else abs(shorter)
    share = apart / against if against > 0 else float("inf")
    if share > rule["limit"] or (share == rule["limit"] and not rule["limit_included"]):
        yield Flaw(
            path=run.log.path,
            line=run.log.line("power_begin"),
            message="testing run is shorter than the ranging run"
            if shorter > 0
            else "testing run is longer than the ranging run",
            expected=f"within {100 * rule['limit']:g} % of {ranging.duration_ms / MS_PER_S:.0f} s",
            actual=f"{testing.duration_ms / MS_PER_S:.0f} s",
            hint=AGAIN,
        )


def _both(entry: Entry) -> tuple[TimedRun, TimedRun] | None:
    return (entry.power.ranging_run, entry.power.testing_run) if entry.power else None


def less_power(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The testing run took no less power than the ranging run, but for a few percent."""
    runs = _both(entry)
    limit = facts.power["workflow"]["below_ranging_percent"]
    if runs is None or limit is None:
        return
    means = [mean_w(run.samples, run.window, positive=True) for run in runs if run.window]
    if len(means) == 2 and means[0] and means[1] and _falls(means[0], means[1], limit):
        yield _less(entry, limit, f"{means[0]:.6g} W", f"{means[1]:.6g} W")


def less_power_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool rounds to five decimals, takes no sample for -1 W, reads clocks as in
    PWR102, and does not look if it has said something about the duration.
    """
    runs = _both(entry)
    limit = facts.power["workflow"]["below_ranging_percent"]
    if entry.power is None or runs is None or limit is None:
        return
    logs = (*(run.log for run in runs), entry.power.samples, entry.power.ranging_samples)
    if None in logs:
        return  # PWR101, INF301
    warns = facts.power["workflow"]["duration"]["testing_may_be_longer"]
    if warns and next(differing_durations_official(entry, facts), None):
        return
    means = [
        mean_w(run.shown_samples, run.shown, positive=True) or -1.0 for run in runs if run.shown
    ]
    if len(means) == 2 and _falls(round(means[0], 5), round(means[1], 5), limit):
        yield _less(entry, limit, f"{means[0]:.6g} W", f"{means[1]:.6g} W")


def _falls(ranging: float, testing: float, percent: float) -> bool:
    return round((testing / ranging - 1) * 100, 2) <= -percent


def _less(entry: Entry, percent: float, ranging: str, testing: str) -> Flaw:
    return Flaw(
        path=entry.power.samples_path if entry.power else entry.path,
        message="testing run took less power than the ranging run",
        expected=f"no more than {percent:g} % below {ranging}",
        actual=testing,
        hint=AGAIN,
    )


RULES = (
    Rule(
        id="PWR146",
        name="ranging-settings-differ",
        scope=Scope.POWER,
        check=other_settings,
        policy=PR_FLOW,
        why="Ranges have to be those of the real load.",
        fix="Measure again, with a ranging run like the testing run.",
    ),
    Rule(
        id="PWR147",
        name="ranging-duration-differs",
        scope=Scope.POWER,
        check=differing_durations,
        official_check=differing_durations_official,
        policy=PR_FLOW,
        why="Runs of one load last about as long as each other.",
        fix="Measure again, with a ranging run like the testing run.",
    ),
    Rule(
        id="PWR148",
        name="power-below-ranging",
        scope=Scope.POWER,
        check=less_power,
        official_check=less_power_official,
        policy=PR_FLOW,
        why="The power of a run that does less is not that of the load.",
        fix="Measure again, with a ranging run like the testing run.",
    ),
)
