"""Plain filters for people who do not write SQL. Case is of no account."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mlcheck.repository.choices import Accepted
from mlcheck.repository.errors import AskError
from mlcheck.repository.reader import Reader

Row = dict[str, Any]
Condition = tuple[str, list[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What rows have to be. None: anything.

    ``system`` is a part of a name; ``accelerator`` a name of a table, also of a SoC, a family such
    as H100, or a part of what was written.
    """

    suite: str | None = None
    round: str | None = None
    division: str | None = None
    submitter: str | None = None
    system: str | None = None
    benchmark: str | None = None
    scenario: str | None = None
    accelerator: str | None = None
    availability: str | None = None
    accepted: Accepted = Accepted.OFFICIAL


_COLUMNS = {
    "suite": ("suite",),
    "round": ("round",),
    "division": ("division",),
    "submitter": ("submitter",),
    "benchmark": ("benchmark", "benchmark_raw"),
    "scenario": ("scenario",),
    "availability": ("availability",),
}
_VERDICT = {Accepted.OFFICIAL: "official_verdict", Accepted.POLICY: "verdict"}


def asked(
    reader: Reader, filters: Filters, *further: Condition, required: bool = True
) -> list[Row]:
    """Return the rows of the leaderboard that pass.

    Raises:
        AskError: nothing passes, and something is required; the text says what there is.
    """
    conditions = [*_conditions(filters), *further]
    where = " AND ".join(f"({text})" for text, _ in conditions) or "true"
    values = [value for _, parameters in conditions for value in parameters]
    rows = reader.rows(f"SELECT * FROM leaderboard WHERE {where}", values)
    if required and not rows:
        raise AskError(_nothing(reader, filters))
    return rows


def _conditions(filters: Filters) -> Iterator[Condition]:
    for name, columns in _COLUMNS.items():
        value = getattr(filters, name)
        if value is not None:
            yield same(columns, value)
    if filters.system is not None:
        yield has(("system", "system_name"), filters.system)
    if filters.accelerator is not None:
        yield of_accelerator(filters.accelerator)
    if filters.accepted in _VERDICT:
        yield f"{_VERDICT[filters.accepted]} = 'valid'", []


def same(columns: tuple[str, ...], value: str) -> Condition:
    """Return the condition that one of the columns is this text."""
    return " OR ".join(f"lower({column}) = lower(?)" for column in columns), [value] * len(columns)


def has(columns: tuple[str, ...], value: str) -> Condition:
    """Return the condition that one of the columns holds this text."""
    text = " OR ".join(f"contains(lower({column}), lower(?))" for column in columns)
    return text, [value] * len(columns)


def of_accelerator(text: str) -> Condition:
    """Return the condition that a system has an accelerator of this name or family.

    A system with two kinds of accelerators has both. The accelerators of a device are parts of its
    SoC, so that a SoC will do. A text that names no part and no family is looked for in what was
    written.
    """
    accelerators, socs = _parts("accelerators", text), _parts("processors", text)
    if not accelerators and not socs:
        return has(("accelerator", "accelerator_raw", "soc", "soc_id"), text)
    return "list_has_any(accelerators, ?) OR list_contains(?, soc)", [accelerators, socs]


def _parts(kind: str, text: str) -> list[str]:
    """Return the names of the parts of a family, or those that a text names."""
    from mlcheck.normalize.names import names

    known = names(kind)
    family = {name for name, part in known.parts.items() if part.family.lower() == text.lower()}
    return sorted(family or known.named(text).known)


def _nothing(reader: Reader, filters: Filters) -> str:
    """Say what there is instead of what was asked for."""
    for name, column in (("submitter", "submitter"), ("round", "round"), ("suite", "suite")):
        value = getattr(filters, name)
        if value is None:
            continue
        there = [row["x"] for row in reader.rows(f"SELECT DISTINCT {column} x FROM submissions")]
        if value.lower() not in {text.lower() for text in there}:
            return f"nothing of {name} {value}; there are: {', '.join(sorted(there)) or 'none'}"
    rounds = reader.rows("SELECT DISTINCT suite, round FROM submissions ORDER BY ALL")
    if not rounds:
        return "the store holds no results"
    there_are = ", ".join(f"{row['suite']} {row['round']}" for row in rounds)
    return f"no results pass these filters; there are {there_are}"
