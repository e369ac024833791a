"""Hold a log against the tables of its round: a walk through its lines, in their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mlcheck.suites.training.log_lines import Event
from mlcheck.suites.training.mllog import Log
from mlcheck.suites.training.predicate import About, Predicate, State
from mlcheck.suites.training.tables import Judged, KeyRule, Merged

WEIGHTS = "weights_initialization"
MISSING = "missing"
REPEATED = "repeated"
TARGET = "target"
TABLE = "table"  # a value that the policy prints and the official tool does not look at


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """An entry of a table that a log does not meet.

    Attributes:
        about: what kind of demand it is: an ``About``, or missing, repeated, target, table.
        policy: it breaks the policy; ``official``: the official tool refuses it.
        same: of a repeated key: all its values are equal.
    """

    key: str
    about: str
    line: int
    expected: str
    actual: str
    policy: bool
    official: bool
    same: bool = False

    @property
    def light(self) -> bool:
        """Whether a log complies all the same."""
        return self.same or self.about == TABLE


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate:
    """A key that is put together from several lines, one field each.

    Attributes:
        into: the key that is made. ``source``: the key of the lines.
        by: metadata that lines of one value share. ``name``: metadata that names the field.
    """

    into: str
    source: str
    by: str
    name: str


def breaches(
    log: Log, table: Merged, aggregate: Aggregate | None, tensors: tuple[str, ...] = ()
) -> tuple[Breach, ...]:
    """Return all that a log does not meet.

    Args:
        log: what was read.
        table: what it is held against.
        aggregate: a key that is put together from several lines.
        tensors: whose initialisation is logged, each once; empty: the benchmark does not say.
    """
    events = log.events
    if aggregate:
        events = (*events, *aggregated(events, aggregate))
    walk = _Walk(table)
    for event in events:
        walk.step(event)
    return (*walk.end(), *_uninitialised(log, tensors))


def _uninitialised(log: Log, tensors: tuple[str, ...]) -> Iterator[Breach]:
    """Yield a breach if not just these tensors were initialised, each once."""
    lines = list(log.all(WEIGHTS))
    counts = Counter(str((event.metadata or {}).get("tensor")) for event in lines)
    wrong = (Counter(tensors) - counts) + (counts - Counter(tensors)) if tensors else Counter()
    if wrong:
        yield Breach(
            key=WEIGHTS,
            about=About.VALUE.value,
            line=lines[0].line if lines else 0,
            expected=f"{len(tensors)} tensors, each once",
            actual=f"{len(lines)} lines, {len(wrong)} wrong, such as {min(wrong)[:40]}",
            policy=True,
            official=True,
        )


def aggregated(events: Iterable[Event], given: Aggregate) -> Iterator[Event]:
    """Yield the lines that are put together, in the order in which their groups began."""
    groups: dict[Any, tuple[Event, dict[str, Any]]] = {}
    for event in events:
        metadata = event.metadata or {}
        if event.key != given.source or given.name not in metadata:
            continue
        by, name = metadata.get(given.by), metadata[given.name]
        if not isinstance(by, int | float | str) or not isinstance(name, str):
            continue  # the table says that it is missing
        _, fields = groups.setdefault(by, (event, {given.by: by}))
        fields[name] = event.value
    for event, fields in groups.values():
        yield event._replace(key=given.into, value=fields)


class _Walk:
    """What is known on the way through a log."""

    def __init__(self, table: Merged) -> None:
        self.table = table
        self.state = State()
        self.found: list[Breach] = []
        self.values: dict[str, list[Event]] = {}
        self.met_policy: set[int] = set()  # entries (by id) of which a line met `some`
        self.met_official: set[int] = set()

    def step(self, event: Event) -> None:
        """Judge one line, then remember it."""
        key = event.key
        first = key not in self.values
        self.values.setdefault(key, []).append(event)
        if key.startswith("submission_") and not first:
            return  # the first one counts
        for judged in self.table.get(key, ()):
            rule = judged.rule
            for each in rule.each:
                self._hold(event, each, judged)
            for each in rule.first if first else ():
                self._hold(event, each, judged)
            for each in rule.policy if judged.policy else ():
                self._hold(event, each, Judged(rule, policy=True, official=False), TABLE)
            if all(each.holds(event, self.state) for each in rule.some):
                self.met_policy.add(id(rule))
            if all((each.official or each.holds)(event, self.state) for each in rule.some):
                self.met_official.add(id(rule))
        if key == "submission_division" and isinstance(event.value, str):
            self.state.division = event.value
        self.state.note(event)

    def _hold(self, event: Event, each: Predicate, judged: Judged, about: str = "") -> None:
        holds = each.holds(event, self.state)
        official = each.official(event, self.state) if each.official else holds
        policy, refused = judged.policy and not holds, judged.official and not official
        if policy or refused:
            self.found.append(
                Breach(
                    key=event.key,
                    about=about or each.about.value,
                    line=event.line,
                    expected=each.expected(self.state),
                    actual=_actual(event, each),
                    policy=policy,
                    official=refused,
                )
            )

    def end(self) -> Iterator[Breach]:
        """Yield the breaches found on the way, and those that show only at the end."""
        yield from self.found
        told: set[frozenset[str]] = set()
        for entries in self.table.values():
            for judged in entries:
                yield from self._count(judged, told)
                yield from self._target(judged)

    def _count(self, judged: Judged, told: set[frozenset[str]]) -> Iterator[Breach]:
        rule = judged.rule
        events = self.values.get(rule.key, [])
        names = frozenset((rule.key, *rule.occurs.instead))
        if names in told:
            return  # block_start or epoch_start: one of them is missing, not both
        if rule.occurs.instead:
            told.add(names)
        count = max(len(self.values.get(key, ())) for key in names)
        if count < rule.occurs.least:
            yield self._breach(judged, MISSING, events, str(rule.occurs), f"{count} lines")
        elif rule.occurs.most is not None and count > rule.occurs.most:
            alike = all(event.value == events[0].value for event in events)
            same = alike and not rule.occurs.strict
            shown = sorted({repr(event.value)[:40] for event in events})[:4]
            actual = f"{count} lines with {', '.join(shown)}"
            yield self._breach(judged, REPEATED, events[1:], str(rule.occurs), actual, same=same)

    def _target(self, judged: Judged) -> Iterator[Breach]:
        rule = judged.rule
        events = self.values.get(rule.key, [])
        policy = judged.policy and id(rule) not in self.met_policy
        official = judged.official and id(rule) not in self.met_official
        if rule.some and events and (policy or official):
            expected = " and ".join(each.expected(self.state) for each in rule.some)
            last = f"{_short(events[-1].value)} in the last of {len(events)} lines"
            whose = Judged(rule, policy=policy, official=official)
            yield self._breach(whose, TARGET, events[-1:], expected, last)

    def _breach(
        self,
        judged: Judged,
        about: str,
        events: list[Event],
        expected: str,
        actual: str,
        *,
        same: bool = False,
    ) -> Breach:
        keys = dict.fromkeys((judged.rule.key, *judged.rule.occurs.instead))
        return Breach(
            key=" or ".join(keys),
            about=about,
            line=events[0].line if events else 0,
            expected=expected,
            actual=actual,
            policy=judged.policy,
            official=judged.official,
            same=same,
        )


def _actual(event: Event, each: Predicate) -> str:
    if each.about in (About.METADATA, About.SCHEDULE, About.SEQUENCE):
        metadata: Mapping[str, Any] = event.metadata or {}
        names = [f"{n}: {_short(v)}" for n, v in metadata.items() if n not in ("file", "lineno")]
        return ", ".join(names[:4]) or "none"
    if each.about is About.ORDER:
        return f"line {event.line}"
    return f"at {event.time_ms:.0f} ms" if each.about is About.LIMIT else _short(event.value)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def table_rule(table: Merged, key: str) -> KeyRule | None:
    """Return what the policy asks of a key."""
    return next((judged.rule for judged in table.get(key, ()) if judged.policy), None)
