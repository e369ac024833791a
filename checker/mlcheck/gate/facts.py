"""What a gate makes of the rules of a suite: ``rules/SUITE/gate.yaml``."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mlcheck import resources
from mlcheck.extra_rules import rules_of
from mlcheck.overlay import RulesetError
from mlcheck.ruleset import read_yaml, validate
from mlcheck.settings.keys import Stage
from mlcheck.suites.registry import SUITES


@dataclass(frozen=True, slots=True, kw_only=True)
class GateFacts:
    """Beginnings of rule ids, by what a gate makes of them.

    Attributes:
        mandatory: those that cannot be waived, and why.
        later: stage -> those that are not run yet at that stage.
        absence: those that ask for what is not there.
        run: those that a single log or run folder is enough for.
        performance: those of them that an accuracy run by itself is not enough for.
    """

    mandatory: Mapping[str, str]
    later: Mapping[Stage, tuple[str, ...]]
    absence: tuple[str, ...]
    run: tuple[str, ...]
    performance: tuple[str, ...] = ()

    def why_mandatory(self, rule: str) -> str | None:
        """Return why a rule cannot be waived; None: it can."""
        return next((why for id_, why in self.mandatory.items() if rule.startswith(id_)), None)


@functools.cache
def gate_facts(suite: str, root: Path | None = None) -> GateFacts:
    """Return the facts of a suite.

    Raises:
        RulesetError: the file is missing or wrong, or names rules that there are not.
    """
    path = (root or resources.rules_root()) / suite / "gate.yaml"
    if not path.is_file():
        raise RulesetError(f"no file says which rules of {suite} are mandatory: {path.name}")
    document = read_yaml(path)
    validate(document, "gate", f"{suite} gate")
    audit, final = document["stages"]["audit"], document["stages"]["final"]
    known = [rule.id for rule in SUITES[suite].rules]
    performance = document.get("performance", ())
    lists = (document["mandatory"], audit, final, document["absence"], document["run"], performance)
    for id_ in (id_ for ids in lists for id_ in ids):
        if not any(rule.startswith(id_) for rule in known):
            raise RulesetError(f"{suite} gate: no rule is or begins with {id_}")
    return GateFacts(
        mandatory=document["mandatory"],
        later={
            Stage.PERFORMANCE: (*audit, *final),
            Stage.AUDIT: tuple(final),
            Stage.FINAL: (),
        },
        absence=tuple(document["absence"]),
        run=tuple(document["run"]),
        performance=tuple(performance),
    )


def matching(ids: Iterable[str], suite: str) -> tuple[str, ...]:
    """Return the rules of a suite whose ids begin so."""
    beginnings = tuple(ids)
    return tuple(rule.id for rule in rules_of(suite) if rule.id.startswith(beginnings))
