"""What the official tools write of a round, read from ``rules/exports``."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlcheck import resources
from mlcheck.overlay import RulesetError
from mlcheck.repository.errors import AskError
from mlcheck.ruleset import load, read_yaml, validate


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """How a round is published.

    Attributes:
        columns: of the official summary.
        power: where measured power stands: ``none``, ``column`` or ``row``.
        benchmarks: of the round, in the order of its rule file.
        quality: benchmark -> names of its quality values, in order.
        accuracy_units: benchmark -> unit of its accuracy, where the rule file names one.
        units: our unit -> what the official tools call it.
    """

    suite: str
    round: str
    columns: tuple[str, ...]
    power: str
    benchmarks: tuple[str, ...]
    quality: Mapping[str, tuple[str, ...]]
    accuracy_units: Mapping[str, str]
    units: Mapping[str, str]
    system_types: tuple[str, ...]
    divisions: tuple[str, ...]
    scenarios: tuple[str, ...]
    repository: str

    def unit(self, unit: str) -> str:
        """Return what the official tools call a unit.

        Raises:
            RulesetError: ``rules/exports`` does not say.
        """
        if unit not in self.units:
            raise RulesetError(f"rules/exports/{self.suite}.yaml has no name for the unit {unit}")
        return self.units[unit]


def published(suite: str, round_: str) -> Published:
    """Return how a round is published.

    Raises:
        AskError: the official tool of the round writes nothing, or the suite is unknown here.
        RulesetError: the file is wrong.
    """
    document = _document(suite)
    if document is None:
        raise AskError(f"{suite} has no official summary that is known here: use csv or json")
    if round_ not in document["rounds"]:
        raise RulesetError(f"rules/exports/{suite}.yaml says nothing of {round_}")
    of_round = document["rounds"][round_]
    if of_round is None:
        raise AskError(f"the official tool of {suite} {round_} writes no summary: use csv or json")
    benchmarks = load(suite, round_).document["benchmarks"]
    return Published(
        suite=suite,
        round=round_,
        columns=tuple(document["columns"][of_round["columns"]]),
        power=of_round["power"],
        benchmarks=tuple(benchmarks),
        quality={name: _quality(facts) for name, facts in benchmarks.items()},
        accuracy_units={
            name: facts["accuracy"]["unit"]
            for name, facts in benchmarks.items()
            if isinstance(facts.get("accuracy"), dict) and "unit" in facts["accuracy"]
        },
        units=document["units"],
        system_types=tuple(document["sheets"]["system_types"]),
        divisions=tuple(document["sheets"]["divisions"]),
        scenarios=tuple(document["sheets"]["scenarios"]),
        repository=document["repository"].format(round=round_),
    )


def _quality(facts: Mapping[str, Any]) -> tuple[str, ...]:
    stated = facts.get("quality", ())
    targets = stated if isinstance(stated, list) else ()
    return tuple(dict.fromkeys(each["metric"] for each in targets if "metric" in each))


@functools.cache
def _document(suite: str, root: Path | None = None) -> dict[str, Any] | None:
    path = (root or resources.rules_root()) / "exports" / f"{suite}.yaml"
    if not path.is_file():
        return None
    document = read_yaml(path)
    validate(document, "exports", path.name)
    for name, of_round in document["rounds"].items():
        if of_round and of_round["columns"] not in document["columns"]:
            raise RulesetError(f"{path.name}: {name} names columns that are not there")
    return document
