"""Rules about the meter: what it is, how it was set, and what it replied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mlcheck.power import meter
from mlcheck.power.session import PHASES, Session
from mlcheck.rules import Flaw, Judgement, Rule, Scope
from mlcheck.suites.inference.checks_power_session import sides
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts

PR_METERS = "power_measurement.adoc#which-power-analyzers-aka-meters-are-supported"
PR_SETTINGS = "power_measurement.adoc#power-analyzer-settings"
PR_FLOW = "power_measurement.adoc#power-measurement-flow"
SUPPORTED = "measure again with a meter that the round supports"
AGAIN = "measure again with the workflow of the round"


def server_record(entry: Entry) -> Session | None:
    """Return the server's record; None: unreadable, or without messages of the meter (PWR110)."""
    pair = sides(entry)
    if pair is None or not pair[1].meter:
        return None
    return pair[1]


def unsupported_software(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The meter identifies itself, and its software (PTDaemon) is of a version for the round."""
    server = server_record(entry)
    if server is None:
        return
    versions: list[str] = facts.power["workflow"]["ptd_versions"]
    found = meter.identity(server.meter)
    if found is None or found.version not in versions:
        yield Flaw(
            path=server.path,
            line=server.line_of("ptd_messages"),
            message="meter did not identify itself"
            if found is None
            else "version of PTDaemon is none of the round",
            expected=" or ".join(versions),
            actual=found.version[:40] if found else None,
            hint="install PTDaemon of the round, and measure again",
        )


def unsupported_meter(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The meter is of a model that the round supports."""
    server = server_record(entry)
    found = meter.identity(server.meter) if server else None
    models = facts.power["workflow"]["analyzers"]
    if server and found and found.model not in models:
        yield Flaw(
            path=server.path,
            line=server.line_of("ptd_messages"),
            message="meter is of a model that the round does not support",
            expected=", ".join(models),
            actual=found.model[:60],
            hint=SUPPORTED,
        )


def wrong_replies(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The meter replied that its ranges changed and that measurements began and ended; to the third
    Stop, that nothing was left to stop.
    """
    server = server_record(entry)
    for command, wanted in facts.power["workflow"]["replies"].items() if server else ():
        stops = 0
        for message in server.replies(command) if server else ():
            stops += message.command == "Stop"
            last: str = facts.power["workflow"]["last_stop"]
            expected = last if stops > 2 else wanted  # the server stops once more at its end
            if server and message.reply != expected:
                yield Flaw(
                    path=server.path,
                    line=server.line_of("ptd_messages"),
                    message=f"meter replied something else to {message.command[:50]}",
                    expected=expected,
                    actual=message.reply[:120],
                    hint="measure again; the meter did not do what it was told",
                )


def ranges_not_restored(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """After the measurement, the ranges of the meter are set to what they were before."""
    server = server_record(entry)
    if server is None:
        return
    initial = meter.first_ranges(server.meter)
    if initial is None:
        yield _unknown_ranges(server)
        return
    for letter, value in zip("AV", initial, strict=True):
        commands = [message.command for message in server.replies(f"SR,{letter}")]
        if not commands or commands[-1] != f"SR,{letter},{value}":
            yield _not_restored(server, letter, value, commands[-1] if commands else None)


def ranges_not_restored_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool counts: it looks at the third, or third or fourth, setting."""
    server = server_record(entry)
    if server is None:
        return
    initial = meter.first_ranges(server.meter)
    if initial is None:
        yield _unknown_ranges(server)
        return
    places: Mapping[str, list[int]] = facts.power["workflow"]["official_restored_at"]
    for letter, value in zip("AV", initial, strict=True):
        commands = [message.command for message in server.replies(f"SR,{letter}")]
        wanted, at = f"SR,{letter},{value}", places[letter]
        enough = len(commands) >= max(at)
        if not enough or wanted not in [commands[number - 1] for number in at]:
            yield _not_restored(server, letter, value, commands[-1] if commands else None)


def _unknown_ranges(server: Session) -> Flaw:
    return Flaw(
        path=server.path,
        line=server.line_of("ptd_messages"),
        message="ranges of the meter before the session are not recorded",
        expected="Ranges,AUTO,AMPS,AUTO,VOLTS as the reply to the third command",
        hint=AGAIN,
    )


def _not_restored(server: Session, letter: str, value: str, last: str | None) -> Flaw:
    return Flaw(
        path=server.path,
        line=server.line_of("ptd_messages"),
        message=f"range of the meter was not set back to SR,{letter},{value[:20]}",
        expected=f"SR,{letter},{value[:20]}",
        actual=last[:40] if last else None,
        hint="measure again; the session ended before its time",
    )


def wrong_measurements(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The meter was asked for two measurements, ranging and testing, at the interval of the round,
    marked with the name of the session.
    """
    server = server_record(entry)
    if server is None:
        return
    interval = facts.power["workflow"]["samples"]["interval_ms"]
    wanted = [f"Go,{interval},0,{server.name}_{phase}" for phase in PHASES]
    found = [message.command for message in server.replies("Go")]
    if found != wanted:
        pairs = zip([*found, None], [*wanted, None], strict=False)
        ours, theirs = next((pair for pair in pairs if pair[0] != pair[1]), (None, None))
        yield Flaw(
            path=server.path,
            line=server.line_of("ptd_messages"),
            message="meter was asked for other measurements than ranging and testing",
            expected=theirs[:80] if theirs else "nothing more",
            actual=ours[:80] if ours else None,
            hint=AGAIN,
        )


RULES = (
    Rule(
        id="PWR130",
        name="meter-software",
        scope=Scope.POWER,
        check=unsupported_software,
        policy=PR_SETTINGS,
        why="Versions of PTDaemon know different meters and compute uncertainty differently.",
        fix="Install PTDaemon of the round, and measure again.",
    ),
    Rule(
        id="PWR131",
        name="meter-unsupported",
        scope=Scope.POWER,
        check=unsupported_meter,
        policy=PR_METERS,
        why="Only meters that were accepted are precise enough.",
        fix="Measure again with a meter that the round supports.",
    ),
    Rule(
        id="PWR132",
        name="meter-reply",
        scope=Scope.POWER,
        check=wrong_replies,
        policy=PR_FLOW,
        why="A range that did not change, or a measurement that did not begin, spoils the result.",
        fix="Measure again; the meter did not do what it was told.",
    ),
    Rule(
        id="PWR133",
        name="meter-range-not-restored",
        scope=Scope.POWER,
        check=ranges_not_restored,
        official_check=ranges_not_restored_official,
        policy=PR_FLOW,
        why="It shows that the session came to its regular end.",
        fix="Measure again, and let the workflow end by itself.",
    ),
    Rule(
        id="PWR137",
        name="meter-measurements",
        scope=Scope.POWER,
        check=wrong_measurements,
        policy=PR_FLOW,
        why="Ranges are found in one run and used in the next, sampled once a second.",
        fix="Measure again with the workflow of the round, unchanged.",
    ),
)
