"""Rules about the session of a power measurement, as client and server record it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mlcheck.power.session import Message, Session, as_uuid
from mlcheck.rules import Flaw, Judgement, Rule, Scope
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts

PR_FILES = "power_measurement.adoc#performance-and-power-logs"
PR_WORKFLOW = "power_measurement.adoc#am-i-required-to-use-the-mlperf-power-workflow"
AGAIN = "copy client.json and server.json anew from the measurement"
MEASURE = "measure again with the workflow of the round"


def sides(entry: Entry) -> tuple[Session, Session] | None:
    """Return client and server, if both could be read; PWR101 and PWR110 report the rest."""
    folder = entry.power
    if folder is None or folder.client is None or folder.server is None:
        return None
    pair = folder.client, folder.server
    return None if any(side.document.problem for side in pair) else pair


def unreadable_documents(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """client.json and server.json can be read, and each of their members has its type."""
    yield from _unreadable(entry, official=False)


def unreadable_documents_official(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """The official tool never looks at some of the types, and dies of the others."""
    yield from _unreadable(entry, official=True)


def _unreadable(entry: Entry, *, official: bool) -> Iterator[Flaw]:
    folder = entry.power
    for session in (folder.client, folder.server) if folder else ():
        if session is None:
            continue  # PWR101
        document = session.document
        if document.problem:
            yield Flaw(
                path=document.path,
                line=document.line,
                message="document of the power session cannot be read",
                expected="a JSON object",
                actual=document.problem,
                hint=AGAIN,
            )
        for problem in session.problems:
            if official and problem.harmless:
                continue
            yield Flaw(
                path=document.path,
                line=document.line_of(problem.name),
                message=f"{problem.name} is missing"
                if problem.actual is None
                else f"{problem.name} is not what it has to be",
                expected=problem.expected,
                actual=problem.actual,
                hint=AGAIN,
            )


def unknown_sources(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The programs of the workflow have the hashes of a release for the round."""
    released: Mapping[str, Mapping[str, str]] = facts.power["workflow"]["sources"]
    for session in sides(entry) or ():
        sources = session.sources
        if sources is None or sources in released.values():
            continue
        differing = min((_differing(sources, known) for known in released.values()), key=len)
        yield Flaw(
            path=session.path,
            line=session.line_of("sources"),
            message="programs of the power workflow are of no release for the round",
            expected=f"hashes of {' or '.join(released)}",
            actual=f"other {', '.join(differing)}"[:160],
            hint=MEASURE,
        )


def _differing(sources: Mapping[str, Any], known: Mapping[str, str]) -> list[str]:
    names = sources.keys() | known.keys()
    return sorted(name for name in names if sources.get(name) != known.get(name))


def differing_uuids(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """client.json and server.json name the same UUIDs."""
    pair = sides(entry)
    if pair is None:
        return
    client, server = pair
    for side in client.uuids.keys() & server.uuids.keys():  # PWR110 reports others
        ours, theirs = client.uuids[side], server.uuids[side]
        if as_uuid(ours) != as_uuid(theirs):
            yield Flaw(
                path=client.path,
                line=client.line_of("uuid"),
                message=f"client.json and server.json name different UUIDs of the {side}",
                expected=theirs,
                actual=ours,
                hint="take both documents from the same session",
            )


def foreign_identities(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """UUIDs and name of the session are those that client and server exchanged when it began."""
    pair = sides(entry)
    for session in pair or ():
        opened = next((m for m in session.messages if m.command.startswith("new,")), None)
        if opened:
            agreed = {side for side in session.uuids if _agree(pair, side)}
            yield from _foreign(session, opened, agreed, named=_agree(pair, None))
        elif session.messages:
            yield Flaw(
                path=session.path,
                line=session.line_of("messages"),
                message="messages open no session",
                expected="new,LABEL,UUID with the reply OK NAME,UUID",
                hint=AGAIN,
            )


def _agree(pair: tuple[Session, Session] | None, side: str | None) -> bool:
    """Tell whether both documents name one UUID, or one session (else PWR112, PWR114)."""
    if pair is None or side is None:
        return pair is not None and pair[0].name == pair[1].name
    return len({as_uuid(session.uuids.get(side)) for session in pair}) == 1


def _foreign(session: Session, opened: Message, agreed: set[str], *, named: bool) -> Iterator[Flaw]:
    name, _, server = opened.reply.removeprefix("OK ").partition(",")
    said = {"client": opened.command.rpartition(",")[2], "server": server}
    for side in sorted(agreed):
        stated = session.uuids[side]
        if as_uuid(said[side]) != as_uuid(stated):
            yield _other(session, "uuid", f"UUID of the {side}", said[side], stated)
    if named and session.name and session.name != name:
        yield _other(session, "session_name", "name of the session", name, session.name)


def _other(session: Session, member: str, what: str, message: str, stated: str) -> Flaw:
    return Flaw(
        path=session.path,
        line=session.line_of(member),
        message=f"{what} is not that of the messages",
        expected=message[:80],
        actual=stated[:80],
        hint=AGAIN,
    )


def differing_sessions(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """client.json and server.json name the same session."""
    pair = sides(entry)
    if pair and pair[0].document.fields.get("session_name") != pair[1].document.fields.get(
        "session_name"
    ):
        client, server = pair
        yield Flaw(
            path=client.path,
            line=client.line_of("session_name"),
            message="client.json and server.json name different sessions",
            expected=server.name[:80],
            actual=client.name[:80],
            hint="take both documents from the same session",
        )


RULES = (
    Rule(
        id="PWR110",
        name="power-session-unreadable",
        scope=Scope.POWER,
        check=unreadable_documents,
        official_check=unreadable_documents_official,
        policy=PR_FILES,
        why="They hold times, hashes and messages by which the measurement is judged.",
        fix="Copy client.json and server.json anew from the measurement.",
    ),
    Rule(
        id="PWR111",
        name="power-workflow-unknown",
        scope=Scope.POWER,
        check=unknown_sources,
        policy=PR_WORKFLOW,
        why="Only the workflow of the working group integrates the checks that are relied upon.",
        fix="Measure with the release of the workflow for the round, unchanged.",
    ),
    Rule(
        id="PWR112",
        name="power-uuids-differ",
        scope=Scope.POWER,
        check=differing_uuids,
        policy=PR_FILES,
        why="Documents of two sessions prove nothing together.",
        fix="Take both documents from the same session.",
    ),
    Rule(
        id="PWR113",
        name="power-identity-foreign",
        scope=Scope.POWER,
        check=foreign_identities,
        policy=PR_FILES,
        why="What the document says of the session has to be what its messages say.",
        fix="Copy client.json and server.json anew from the measurement.",
    ),
    Rule(
        id="PWR114",
        name="power-sessions-differ",
        scope=Scope.POWER,
        check=differing_sessions,
        policy=PR_FILES,
        why="Documents of two sessions prove nothing together.",
        fix="Take both documents from the same session.",
    ),
)
