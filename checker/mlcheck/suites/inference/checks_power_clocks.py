"""Rules about time: clocks of client and server, phases of the session, and LoadGen's window."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime

from mlcheck.power import meter
from mlcheck.power.clocks import MS_PER_HOUR
from mlcheck.power.integrate import MS_PER_S, Window
from mlcheck.power.samples import shown
from mlcheck.power.session import BEGIN, END, PHASES, Session
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.checks_power_session import sides
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.power_time import TimedRun

PR_NTP = "power_measurement.adoc#definitions-read-this-section-carefully"
PR_TIMES = "power_measurement.adoc#loadgen-and-startend-timestamps"
PR_FLOW = "power_measurement.adoc#power-measurement-flow"
SYNCHRONISE = "synchronise both machines by NTP, and measure again"
WHOLE_S = 1.0  # LoadGen's two clocks are read one after the other


def _phases(entry: Entry) -> tuple[Session, Session] | None:
    """Return client and server, if both record phases that can be read (PWR110)."""
    pair = sides(entry)
    if pair is None or any(set(PHASES) - session.phases.keys() for session in pair):
        return None
    return pair


def incomplete_phases(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Client and server record the same checkpoints of ranging and testing: set up, begun, ended,
    wound up.
    """
    pair = _phases(entry)
    for phase in PHASES if pair else ():
        ours, theirs = (session.phases[phase] for session in pair or ())
        wanted = facts.power["workflow"]["checkpoints"]
        for session, times in zip(pair or (), (ours, theirs), strict=True):
            if len(times) != wanted:
                yield _checkpoints(session, phase, wanted, len(times))


def incomplete_phases_official(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """The official tool asks for equal numbers of checkpoints, and for the client's first three."""
    pair = _phases(entry)
    for phase in PHASES if pair else ():
        ours, theirs = (session.phases[phase] for session in pair or ())
        if pair and (len(ours) != len(theirs) or len(ours) <= END):
            short = min(pair, key=lambda session: len(session.phases[phase]))
            yield _checkpoints(short, phase, 4, len(short.phases[phase]))


def _checkpoints(session: Session, phase: str, wanted: int, found: int) -> Flaw:
    return Flaw(
        path=session.path,
        line=session.line_of("phases"),
        message=f"checkpoints of the {phase} phase are not complete",
        expected=str(wanted),
        actual=str(found),
        hint="copy client.json and server.json anew from the measurement",
    )


def skewed_clocks(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Client and server came to each checkpoint at one time, but for the limit of the round."""
    if entry.power is None:
        return
    limit = facts.power["workflow"]["skew"]
    for session, phase, number, apart in _skews(entry):
        equal = apart == limit["limit_ms"] and not limit["limit_included"]
        if apart > limit["limit_ms"] or equal:
            bound = "<=" if limit["limit_included"] else "<"
            yield _skew(session, phase, number, f"{bound} {limit['limit_ms']} ms", apart)


def unsynchronised_clocks(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Clocks of client and server are as near as the workflow wants them before it begins."""
    worst = max(_skews(entry), key=lambda skew: skew[3], default=None)
    if worst:
        session, phase, number, apart = worst
        workflow = facts.power["workflow"]
        if workflow["synchronised_ms"] < apart <= workflow["skew"]["limit_ms"]:
            yield _skew(session, phase, number, f"<= {workflow['synchronised_ms']} ms", apart)


def _skews(entry: Entry) -> Iterator[tuple[Session, str, int, float]]:
    """Yield for each phase the checkpoint at which the clocks differ most, and by how many ms."""
    pair = _phases(entry)
    for phase in PHASES if pair else ():
        ours, theirs = (session.phases[phase] for session in pair or ())
        # documents hold seconds in binary: what was written is compared
        apart = [round(abs(one - other), 4) for one, other in zip(ours, theirs, strict=False)]
        if pair and apart:
            worst = max(apart)
            yield pair[1], phase, apart.index(worst) + 1, worst


def _skew(session: Session, phase: str, number: int, expected: str, apart: float) -> Flaw:
    return Flaw(
        path=session.path,
        line=session.line_of("phases"),
        message=f"clocks of client and server differ at checkpoint {number} of {phase}",
        expected=expected,
        actual=f"{apart:.1f} ms",
        hint=SYNCHRONISE,
    )


def load_outside(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """LoadGen's power_begin and power_end lie inside the phase of the session, in UTC or in the
    time zone that the client states; if summer time began or ended in between, by an hour's change
    of that zone.
    """
    for run in _runs(entry):
        if run.log and run.shown and run.span and run.clock is None:
            yield from _outside(run, run.shown, run.span)
        elif run.log and run.shown is None and run.phase == "ranging":
            yield _no_window(run)


def load_outside_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool compares times as logged, or an hour less, whatever the time zone."""
    pair = sides(entry)
    zone_s = pair[1].zone_s or 0 if pair else 0
    behind = 1000 * zone_s if facts.power["clock"] == "local" else 0
    for run in _runs(entry):
        if run.log and run.shown is None and run.phase == "ranging":
            yield _no_window(run)
        if not (run.log and run.shown and run.span):
            continue
        begin, end = run.shown.begin_ms + behind, run.shown.end_ms + behind
        if not (_inside(begin, run.span) and _inside(end, run.span)):
            yield from _outside(run, run.shown, run.span)


def _inside(time: float, span: Window) -> bool:
    return any(span.begin_ms < time - back < span.end_ms for back in (0, MS_PER_HOUR))


def _runs(entry: Entry) -> tuple[TimedRun, ...]:
    return (entry.power.ranging_run, entry.power.testing_run) if entry.power else ()


def _no_window(run: TimedRun) -> Flaw:
    return Flaw(
        path=run.log.path if run.log else "",
        message="log of the ranging run does not state its window",
        expected="power_begin and power_end as MM-DD-YYYY HH:MM:SS.mmm",
        hint="copy the log anew from the run",
    )


def _outside(run: TimedRun, load: Window, span: Window) -> Iterator[Flaw]:
    if run.log:
        yield Flaw(
            path=run.log.path,
            line=run.log.line("power_begin"),
            message=f"load lies outside of the {run.phase} phase of the session",
            expected=f"between {shown(span.begin_ms)} and {shown(span.end_ms)} UTC",
            actual=f"{shown(load.begin_ms)} to {shown(load.end_ms)}",
            hint="synchronise the clocks, and take log and session from one measurement",
        )


def window_beyond_run(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """The window of the power measurement is no longer than LoadGen ran by its own clock."""
    run = entry.power.testing_run if entry.power else None
    log, window = (run.log, run.window) if run else (None, None)
    if log is None or window is None or not log.last_ms:
        return
    if window.duration_ms > log.last_ms + WHOLE_S * MS_PER_S:
        yield Flaw(
            path=log.path,
            line=log.line("power_end"),
            message="window of the power measurement is longer than the run",
            expected=f"<= {log.last_ms:.0f} ms",
            actual=f"{window.duration_ms:.0f} ms",
            hint="copy the log anew from the run; its times were changed",
        )


def session_date(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The session took place after the round before was published and before this one was, and the
    software of the meter is no younger.
    """
    pair = _phases(entry)
    times = pair[1].phases["testing"] if pair else ()
    if pair is None or len(times) <= BEGIN:
        return
    day = _day(times[BEGIN])
    published: dict[str, str] = facts.power["workflow"]["published"]
    after, before = (_date(published.get(name)) for name in ("before", "round"))
    if day is None or after is None or before is None:
        yield Unjudged("the rule file does not say when the round was published")
        return
    found = meter.identity(pair[1].meter)
    if found and found.built and found.built > day:
        yield _dated(pair[1], "software of the meter is younger than the session", day, found.built)
    elif not after <= day <= before:
        yield Flaw(
            path=pair[1].path,
            line=pair[1].line_of("phases"),
            message="power was measured outside of the time of the round",
            expected=f"{after} to {before}",
            actual=str(day),
            hint="say why, or measure again",
        )


def _dated(server: Session, message: str, day: date, built: date) -> Flaw:
    return Flaw(
        path=server.path,
        line=server.line_of("ptd_messages"),
        message=message,
        expected=f"<= {day}",
        actual=str(built),
        hint="set the clocks right, and measure again",
    )


def _day(time_ms: float) -> date | None:
    try:
        return datetime.fromtimestamp(time_ms / MS_PER_S, UTC).date()
    except (OverflowError, ValueError, OSError):
        return None


def _date(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


RULES = (
    Rule(
        id="PWR150",
        name="power-clock-skew",
        scope=Scope.POWER,
        check=skewed_clocks,
        policy=PR_NTP,
        why="Samples are matched to the load by time.",
        fix="Synchronise both machines by NTP, and measure again.",
    ),
    Rule(
        id="PWR151",
        name="power-clock-unsynchronised",
        scope=Scope.POWER,
        check=unsynchronised_clocks,
        policy=PR_NTP,
        why="Clocks that the workflow would not begin with drifted apart during the run.",
        fix="Synchronise both machines by NTP, and measure again.",
    ),
    Rule(
        id="PWR152",
        name="power-phases-incomplete",
        scope=Scope.POWER,
        check=incomplete_phases,
        official_check=incomplete_phases_official,
        policy=PR_FLOW,
        why="Checkpoints tell when the meter ran.",
        fix="Copy client.json and server.json anew from the measurement.",
    ),
    Rule(
        id="PWR153",
        name="power-load-outside-phase",
        scope=Scope.POWER,
        check=load_outside,
        official_check=load_outside_official,
        policy=PR_TIMES,
        why="Power has to be that of this load and of no other.",
        fix="Synchronise the clocks, and take log and session from one measurement.",
    ),
    Rule(
        id="PWR154",
        name="power-window-beyond-run",
        scope=Scope.POWER,
        check=window_beyond_run,
        policy=PR_TIMES,
        why="Idle time in the window lowers the average.",
        fix="Copy the log anew from the run.",
    ),
    Rule(
        id="PWR157",
        name="power-session-date",
        scope=Scope.POWER,
        check=session_date,
        policy="power_measurement.adoc#sut-and-power-analyzer-to-remain-unchanged-from-submission-to-results",
        why="An old measurement may be one of another system.",
        fix="Say why, or measure again.",
    ),
)
