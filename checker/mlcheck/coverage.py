"""What the policies of a suite demand, and which rules judge it: ``rules/SUITE/coverage.yaml``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from mlcheck import resources
from mlcheck.overlay import RulesetError
from mlcheck.rules import Rule
from mlcheck.ruleset import read_yaml, validate


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """One sentence of a policy, in our words.

    Attributes:
        rules: the rules that judge it; empty if no file of a submission can show it.
        beyond_files: what of it, or all of it if there is no rule, cannot be checked, and why.
    """

    text: str
    policy: str
    rules: tuple[Rule, ...]
    beyond_files: str


def demands(suite: str, rules: Iterable[Rule], root: Path | None = None) -> tuple[Demand, ...]:
    """Return the demands of the policies in their order.

    Raises:
        RulesetError: the file is missing or wrong, names a rule that is not there, or lacks one.
    """
    path = (root or resources.rules_root()) / suite / "coverage.yaml"
    if not path.is_file():
        raise RulesetError(f"no file says what the policies of {suite} demand")
    document = read_yaml(path)
    validate(document, "coverage", f"{suite} coverage")
    known = {rule.id: rule for rule in rules}
    named = {rule for demand in document["demands"] for rule in demand.get("rules", ())}
    if named != known.keys():
        odd = ", ".join(sorted(named ^ known.keys()))
        raise RulesetError(f"{suite} coverage: rules unknown or left out: {odd}")
    return tuple(
        Demand(
            text=raw["demand"],
            policy=raw["policy"],
            rules=tuple(known[rule] for rule in raw.get("rules", ())),
            beyond_files=raw.get("beyond_files", ""),
        )
        for raw in document["demands"]
    )
