"""Rules about what client and server of a measurement told each other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mlcheck.power.session import Session
from mlcheck.rules import Flaw, Judgement, Rule, Scope
from mlcheck.suites.inference.checks_power_session import MEASURE, PR_FILES, PR_WORKFLOW, sides
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts

_CLIENT = re.compile(r"mlcommons/power client v(\d+)$")
_SERVER = re.compile(r"mlcommons/power server v(\d+)$")


def differing_messages(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Client and server record the same commands and replies; the replies to time may differ."""
    pair = sides(entry)
    if pair is None:
        return
    client, server = pair
    fewer = facts.power["workflow"]["client_messages_fewer"]
    if len(client.messages) + fewer != len(server.messages):
        yield _differs(
            client,
            "client and server record different numbers of messages",
            str(len(server.messages) - fewer),
            str(len(client.messages)),
        )
        return
    for number, (ours, theirs) in enumerate(zip(client.messages, server.messages, strict=False), 1):
        if ours.command != theirs.command:
            yield _differs(client, f"command {number} is another one", theirs.command, ours.command)
            return
        if ours.reply != theirs.reply and ours.command != "time":
            yield _differs(client, f"reply {number} is another one", theirs.reply, ours.reply)
            return


def _differs(client: Session, message: str, expected: str, actual: str) -> Flaw:
    return Flaw(
        path=client.path,
        line=client.line_of("messages"),
        message=message,
        expected=expected[:120],
        actual=actual[:120],
        hint="take both documents from the same session",
    )


def wrong_protocol(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """The first message shows that client and server are of the same version."""
    pair = sides(entry)
    server = pair[1] if pair else None
    if server is None or (
        not server.messages and any(p.name == "messages" for p in server.problems)
    ):
        return  # PWR110
    first = server.messages[0] if server.messages else None
    ours = _CLIENT.search(first.command) if first else None
    theirs = _SERVER.search(first.reply) if first else None
    if not (ours and theirs and ours[1] == theirs[1]):
        yield Flaw(
            path=server.path,
            line=server.line_of("messages"),
            message="client and server did not greet each other with one version",
            expected="mlcommons/power client vN and mlcommons/power server vN",
            actual=f"{first.command[:40]} and {first.reply[:40]}" if first else "no message",
            hint=MEASURE,
        )


def debug_mode(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """Neither client nor server ran in debug mode."""
    for session in sides(entry) or ():
        yield from _debug(session)


def debug_mode_official(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """The official tool asks the server alone."""
    pair = sides(entry)
    if pair:
        yield from _debug(pair[1])


def _debug(session: Session) -> Iterator[Flaw]:
    if session.debug is not False:
        yield Flaw(
            path=session.path,
            line=session.line_of("debug"),
            message="power workflow ran in debug mode",
            expected="debug absent or false",
            actual=repr(session.debug)[:60],
            hint="measure again without MLPP_DEBUG in the environment",
        )


def unproven_synchronisation(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """client.log shows that the clock was held against a time server, and was near it in the end;
    neither log is empty.
    """
    limit = facts.power["workflow"]["synchronised_ms"]
    for log in entry.power.synchronised if entry.power else ():
        if log.problem or not log.lines:
            yield Flaw(
                path=log.path,
                message="log of the power workflow is empty"
                if not log.problem
                else "log of the power workflow cannot be read",
                expected="what client or server did",
                actual=log.problem,
                hint="copy it anew from the measurement",
            )
        elif log.offsets and abs(log.offsets[-1][1]) >= limit:
            line, offset = log.offsets[-1]
            yield Flaw(
                path=log.path,
                line=line,
                message="clock was not near that of the time server",
                expected=f"less than {limit} ms",
                actual=f"{offset:g} ms",
                hint="synchronise by NTP, and measure again",
            )
        elif not log.offsets and log.path.endswith("client.log"):
            yield Flaw(
                path=log.path,
                message="log does not show that the clock was synchronised",
                expected="NTP:offset = … s",
                hint="let the workflow synchronise by NTP",
            )


RULES = (
    Rule(
        id="PWR115",
        name="power-messages-differ",
        scope=Scope.POWER,
        check=differing_messages,
        policy=PR_FILES,
        why="Both sides record the same talk, so that an edit of one shows.",
        fix="Take both documents from the same session.",
    ),
    Rule(
        id="PWR116",
        name="power-protocol",
        scope=Scope.POWER,
        check=wrong_protocol,
        policy=PR_WORKFLOW,
        why="Client and server of different versions may understand each other wrongly.",
        fix="Install the same release on both machines, and measure again.",
    ),
    Rule(
        id="PWR117",
        name="power-debug-mode",
        scope=Scope.POWER,
        check=debug_mode,
        official_check=debug_mode_official,
        policy=PR_WORKFLOW,
        why="In debug mode the workflow leaves out waiting times and checks.",
        fix="Measure again without MLPP_DEBUG in the environment.",
    ),
    Rule(
        id="PWR118",
        name="power-clock-unproven",
        scope=Scope.POWER,
        check=unproven_synchronisation,
        policy="power_measurement.adoc#definitions-read-this-section-carefully",
        why="System and director have to be synchronised by NTP.",
        fix="Let the workflow synchronise both machines, and keep its logs.",
    ),
)
