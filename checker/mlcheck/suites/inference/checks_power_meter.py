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
PR_DELIVERY = "power_measurement.adoc#power-delivery"
SUPPORTED = "measure again with a meter that the round supports"
AGAIN = "measure again with the workflow of the round"


def _server(entry: Entry) -> Session | None:
    """Return the server's record; None: unreadable, or without messages of the meter (PWR110)."""
    pair = sides(entry)
    if pair is None or not pair[1].meter:
        return None
    return pair[1]


def unsupported_software(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The meter identifies itself, and its software (PTDaemon) is of a version for the round."""
    server = _server(entry)
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
    server = _server(entry)
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
    server = _server(entry)
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
    server = _server(entry)
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
    server = _server(entry)
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


def unsupported_number(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """PTDaemon was started for a type of device that the round supports."""
    yield from _numbers(entry, facts)


def unsupported_number_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool dies of a list of devices in some rounds, of a device alone in others."""
    yield from _numbers(entry, facts)
    pair = sides(entry)
    if pair and pair[1].analyzers and pair[1].listed is not facts.power["workflow"]["meter_list"]:
        yield Flaw(
            path=pair[1].path,
            line=pair[1].line_of("ptd_config"),
            message="ptd_config has not the form of the round",
            expected="one device" if pair[1].listed else "a list of devices",
            hint=AGAIN,
        )


def _numbers(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    pair, models = sides(entry), facts.power["workflow"]["analyzers"]
    for device in pair[1].analyzers if pair else ():
        if pair and device.number not in models.values():
            yield Flaw(
                path=pair[1].path,
                line=pair[1].line_of("device_type"),
                message="PTDaemon was started for a device that the round does not support",
                expected=", ".join(str(number) for number in sorted({*models.values()})),
                actual=str(device.number),
                hint=SUPPORTED,
            )


def one_channel(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """A meter that the round uses with several channels was started for them."""
    pair = sides(entry)
    wanted: Mapping[str, int] = facts.power["workflow"]["channels"]
    for device in pair[1].analyzers if pair else ():
        channels = wanted.get(str(device.number))
        if pair is None or channels is None:
            continue
        asked = _option(device.command, "-c").split(",")
        if len(asked) != channels or device.channels != channels:
            yield Flaw(
                path=pair[1].path,
                line=pair[1].line_of("channel"),
                message="meter for several channels was started for another number of them",
                expected=f"-c with {channels} numbers, and {channels} channels",
                actual=f"-c {_option(device.command, '-c')[:20]}, {device.channels} channels",
                hint="set the channels in the configuration of the server, and measure again",
            )


def _option(command: tuple[str, ...], name: str) -> str:
    at = command.index(name) + 1 if name in command else len(command)
    return command[at] if at < len(command) else ""


def meter_of_another_type(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The meter is of the type that PTDaemon was started for."""
    server = _server(entry)
    found = meter.identity(server.meter) if server else None
    number = facts.power["workflow"]["analyzers"].get(found.model) if found else None
    if server is None or found is None or number is None or not server.analyzers:
        return  # PWR130, PWR131, PWR110
    started = [device.number for device in server.analyzers]
    if number not in started:
        yield Flaw(
            path=server.path,
            line=server.line_of("device_type"),
            message="PTDaemon was started for another meter than the one that replied",
            expected=f"{number}, that of {found.model}",
            actual=", ".join(str(each) for each in started)[:60],
            hint="measure again; the record was put together from two sessions",
        )


def wrong_measurements(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The meter was asked for two measurements, ranging and testing, at the interval of the round,
    marked with the name of the session.
    """
    server = _server(entry)
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


def several_meters(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """Power was measured by one meter; of several, only the messages of the first are recorded."""
    pair = sides(entry)
    if pair and len(pair[1].analyzers) > 1:
        yield Flaw(
            path=pair[1].path,
            line=pair[1].line_of("ptd_config"),
            message="power was measured by several meters",
            expected="one meter",
            actual=str(len(pair[1].analyzers)),
            hint="say in analyzer_table what each of them measured",
        )


def direct_current(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Power of a closed datacenter system is measured at the wall, as alternating current."""
    pair = sides(entry)
    if pair is None or not entry.division.closed_rules:
        return
    if "datacenter" not in (entry.system_type or ""):
        return
    workflow = facts.power["workflow"]
    found = meter.identity(pair[1].meter)
    models = {workflow["analyzers"][name] for name in workflow["direct_current"]}
    devices = pair[1].analyzers
    if (found and found.model in workflow["direct_current"]) or any(
        device.direct_current or device.number in models for device in devices
    ):
        yield Flaw(
            path=pair[1].path,
            line=pair[1].line_of("ptd_config"),
            message="power of a datacenter system was measured as direct current",
            expected="alternating current at the wall",
            actual=found.model[:60] if found else None,
            hint="measure before the power supplies",
        )


def unnamed_meter(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The analyzer table names the model of the meter that replied."""
    server = _server(entry)
    found = meter.identity(server.meter) if server else None
    table = entry.power.analyzer_table if entry.power else None
    if found is None or table is None or found.model not in facts.power["workflow"]["analyzers"]:
        return
    model = found.model.removeprefix("Yokogawa").partition("_")[0]
    words = "".join(table.lines).upper().replace("-", "").replace(" ", "")
    if words and model.upper().rstrip("E") not in words:
        yield Flaw(
            path=table.path,
            message="analyzer table does not name the meter that replied",
            expected=model,
            hint="describe the meter that was used",
        )


RULES = (
    Rule(
        id="PWR130",
        name="meter-software",
        scope=Scope.RESULT,
        check=unsupported_software,
        policy=PR_SETTINGS,
        why="Versions of PTDaemon know different meters and compute uncertainty differently.",
        fix="Install PTDaemon of the round, and measure again.",
    ),
    Rule(
        id="PWR131",
        name="meter-unsupported",
        scope=Scope.RESULT,
        check=unsupported_meter,
        policy=PR_METERS,
        why="Only meters that were accepted are precise enough.",
        fix="Measure again with a meter that the round supports.",
    ),
    Rule(
        id="PWR132",
        name="meter-reply",
        scope=Scope.RESULT,
        check=wrong_replies,
        policy=PR_FLOW,
        why="A range that did not change, or a measurement that did not begin, spoils the result.",
        fix="Measure again; the meter did not do what it was told.",
    ),
    Rule(
        id="PWR133",
        name="meter-range-not-restored",
        scope=Scope.RESULT,
        check=ranges_not_restored,
        official_check=ranges_not_restored_official,
        policy=PR_FLOW,
        why="It shows that the session came to its regular end.",
        fix="Measure again, and let the workflow end by itself.",
    ),
    Rule(
        id="PWR134",
        name="meter-type-unsupported",
        scope=Scope.RESULT,
        check=unsupported_number,
        official_check=unsupported_number_official,
        policy=PR_METERS,
        why="Only meters that were accepted are precise enough.",
        fix="Measure again with a meter that the round supports.",
    ),
    Rule(
        id="PWR135",
        name="meter-channels",
        scope=Scope.RESULT,
        check=one_channel,
        policy=PR_SETTINGS,
        why="A channel that is not read is power that is not counted.",
        fix="Set the channels in the configuration of the server, and measure again.",
    ),
    Rule(
        id="PWR136",
        name="meter-types-differ",
        scope=Scope.RESULT,
        check=meter_of_another_type,
        policy=PR_SETTINGS,
        why="The record of one session cannot name two meters.",
        fix="Copy server.json anew from the measurement.",
    ),
    Rule(
        id="PWR137",
        name="meter-measurements",
        scope=Scope.RESULT,
        check=wrong_measurements,
        policy=PR_FLOW,
        why="Ranges are found in one run and used in the next, sampled once a second.",
        fix="Measure again with the workflow of the round, unchanged.",
    ),
    Rule(
        id="PWR138",
        name="meters-several",
        scope=Scope.RESULT,
        check=several_meters,
        policy=PR_SETTINGS,
        why="The workflow of early rounds supports one meter; later ones sum several.",
        fix="Use one meter with several channels, or a round that supports several.",
    ),
    Rule(
        id="PWR139",
        name="power-direct-current",
        scope=Scope.RESULT,
        check=direct_current,
        policy=PR_DELIVERY,
        why="Behind the power supplies their loss is missing.",
        fix="Measure at the wall.",
    ),
    Rule(
        id="PWR119",
        name="analyzer-table-meter",
        scope=Scope.RESULT,
        check=unnamed_meter,
        policy=PR_SETTINGS,
        why="The table is there so that others can set up the same measurement.",
        fix="Name vendor, model, firmware and channels of the meter.",
    ),
)
