"""Rules about the meters as devices: how many, which channels, what they may measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mlcheck.power import meter
from mlcheck.rules import Flaw, Judgement, Rule, Scope
from mlcheck.suites.inference.checks_power_meter import (
    AGAIN,
    PR_METERS,
    PR_SETTINGS,
    SUPPORTED,
    server_record,
)
from mlcheck.suites.inference.checks_power_session import sides
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts

PR_DELIVERY = "power_measurement.adoc#power-delivery"


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
    server = server_record(entry)
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
    server = server_record(entry)
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
        id="PWR134",
        name="meter-type-unsupported",
        scope=Scope.POWER,
        check=unsupported_number,
        official_check=unsupported_number_official,
        policy=PR_METERS,
        why="Only meters that were accepted are precise enough.",
        fix="Measure again with a meter that the round supports.",
    ),
    Rule(
        id="PWR135",
        name="meter-channels",
        scope=Scope.POWER,
        check=one_channel,
        policy=PR_SETTINGS,
        why="A channel that is not read is power that is not counted.",
        fix="Set the channels in the configuration of the server, and measure again.",
    ),
    Rule(
        id="PWR136",
        name="meter-types-differ",
        scope=Scope.POWER,
        check=meter_of_another_type,
        policy=PR_SETTINGS,
        why="The record of one session cannot name two meters.",
        fix="Copy server.json anew from the measurement.",
    ),
    Rule(
        id="PWR138",
        name="meters-several",
        scope=Scope.POWER,
        check=several_meters,
        policy=PR_SETTINGS,
        why="The workflow of early rounds supports one meter; later ones sum several.",
        fix="Use one meter with several channels, or a round that supports several.",
    ),
    Rule(
        id="PWR139",
        name="power-direct-current",
        scope=Scope.POWER,
        check=direct_current,
        policy=PR_DELIVERY,
        why="Behind the power supplies their loss is missing.",
        fix="Measure at the wall.",
    ),
    Rule(
        id="PWR119",
        name="analyzer-table-meter",
        scope=Scope.POWER,
        check=unnamed_meter,
        policy=PR_SETTINGS,
        why="The table is there so that others can set up the same measurement.",
        fix="Name vendor, model, firmware and channels of the meter.",
    ),
)
