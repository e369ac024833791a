"""Load a round: read its YAML, resolve what it extends, validate it, and hash the result."""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from mlcheck import resources
from mlcheck.model import Official, RulesetRef, Severity
from mlcheck.overlay import RulesetError, apply_changes


@dataclass(frozen=True, slots=True)
class Weight:
    """How grave a rule is in one round."""

    severity: Severity
    official: Official


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """The resolved rules of one suite and round.

    Attributes:
        root: the folder of rule files it was read from; None: those that mlcheck brings.
    """

    suite: str
    round: str
    status: str
    document: Mapping[str, Any]
    weights: Mapping[str, Weight]
    sha256: str
    root: Path | None = None

    @property
    def ref(self) -> RulesetRef:
        """The short form that reports carry."""
        return RulesetRef(suite=self.suite, round=self.round, sha256=self.sha256)


def rounds(suite: str, root: Path | None = None) -> tuple[str, ...]:
    """Return the rounds of a suite that have a rule file, oldest first.

    Raises:
        RulesetError: there are none.
    """
    folder = (root or resources.rules_root()) / suite
    names = [path.stem for path in folder.glob("v*.yaml")]
    if not names:
        raise RulesetError(f"no suite {suite}")
    return tuple(sorted(names, key=_round_key))


def _round_key(name: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", name))


@functools.cache
def load(suite: str, round_: str, root: Path | None = None) -> Ruleset:
    """Return the resolved ruleset of a round.

    It is held against its schema, unless it came with an installed wheel: then the tests have done
    it, and every start would pay for it again.

    Raises:
        RulesetError: there is no such round, or its file or a parent's is wrong.
    """
    root = root or resources.rules_root()
    known = resources.is_shipped(root)
    if not known:
        _require_sound_line(suite, round_, root)
    document, status = _resolve(suite, round_, root)
    if not known:
        validate(document, f"{suite}-rules", f"{suite} {round_}")
    canonical = json.dumps(document, sort_keys=True, ensure_ascii=False)
    return Ruleset(
        suite=suite,
        round=round_,
        status=status,
        document=document,
        weights={rule: _weight(stated) for rule, stated in document["rules"].items()},
        sha256=hashlib.sha256(canonical.encode()).hexdigest(),
        root=root,
    )


def _weight(stated: Mapping[str, str]) -> Weight:
    return Weight(Severity(stated["severity"]), Official(stated["official"]))


def glance(suite: str, round_: str, root: Path | None = None) -> Mapping[str, Any]:
    """Return the resolved document of a round as it stands, not held against its schema.

    For a fact or two of many rounds. What is judged is judged by rules that were loaded.

    Raises:
        RulesetError: there is no such round, or a change of it does not fit its parent.
    """
    return _resolve(suite, round_, root or resources.rules_root())[0]


def glanced_weight(suite: str, round_: str, rule: str) -> Weight:
    """Return how grave a rule is in a round, at a glance."""
    return _weight(glance(suite, round_)["rules"][rule])


@functools.cache
def _resolve(suite: str, round_: str, root: Path) -> tuple[dict[str, Any], str]:
    """Return the document of a round without its head, and its status. Not to be changed."""
    raw, status = _read_round(suite, round_, root)
    if "extends" not in raw:
        raw.pop("history", None)
        return raw, status
    parent, _ = _resolve(suite, raw["extends"], root)
    try:
        return apply_changes(parent, raw["changes"]), status
    except RulesetError as err:
        raise RulesetError(f"{round_}.yaml: {err}") from err


def _require_sound_line(suite: str, round_: str, root: Path) -> None:
    """Raise RulesetError if a round or one before it is misshapen, or it extends itself."""
    line = [round_]
    while True:
        raw, _ = _read_round(suite, line[-1], root)
        if "extends" not in raw:
            validate(raw.get("history", {}), "round-history", f"{suite} {line[-1]}")
            return
        validate(raw, "round-changes", f"{suite} {line[-1]}")
        line.append(raw["extends"])
        if line[-1] in line[:-1]:
            raise RulesetError(f"{suite} {round_} extends itself: {' -> '.join(line)}")


def _read_round(suite: str, round_: str, root: Path) -> tuple[dict[str, Any], str]:
    """Return what a rule file holds beside its head, and the status that stands there."""
    path = root / suite / f"{round_}.yaml"
    if not path.is_file():
        known = ", ".join(rounds(suite, root))
        raise RulesetError(f"no rules for {suite} {round_}; known rounds: {known}")
    raw = _read_once(path)
    head = raw.get("ruleset") or {}
    if (head.get("suite"), head.get("round")) != (suite, round_):
        raise RulesetError(f"{path.name} says it is {head.get('suite')} {head.get('round')}")
    return {key: value for key, value in raw.items() if key != "ruleset"}, head["status"]


def reasons(suite: str, round_: str, root: Path | None = None) -> dict[str, str]:
    """Return why a round differs from the one before: beginning of a path -> reason.

    A round that extends another states it with each change, one that is written whole in its
    ``history``.
    """
    raw, _ = _read_round(suite, round_, root or resources.rules_root())
    stated = raw.get("changes") or raw.get("history", {}).get("reasons", ())
    return {change["path"]: change["why"] for change in stated}


def validate(document: Mapping[str, Any], schema: str, where: str) -> None:
    """Hold a rule file against ``schemas/SCHEMA.schema.json``.

    Raises:
        RulesetError: it does not fit.
    """
    from jsonschema import Draft202012Validator

    problems: Iterable[Any] = Draft202012Validator(resources.schema(schema)).iter_errors(document)
    for problem in problems:
        raise RulesetError(f"{where}: {problem.json_path}: {problem.message[:200]}")


class _StrictLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """A safe loader that refuses a key given twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002 - PyYAML's signature
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                mark = key_node.start_mark
                raise RulesetError(f"line {mark.line + 1}: key {key!r} is there twice")
            seen.add(key)
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping


@functools.cache
def _read_once(path: Path) -> dict[str, Any]:
    return read_yaml(path)


def read_yaml(path: Path) -> dict[str, Any]:
    """Read a rule file.

    Raises:
        RulesetError: it is not a YAML mapping, or a key is there twice.
    """
    try:
        with path.open(encoding="utf-8") as handle:
            document = yaml.load(handle, Loader=_StrictLoader)
    except yaml.YAMLError as err:
        raise RulesetError(f"{path.name}: {err}") from err
    except RulesetError as err:
        raise RulesetError(f"{path.name}: {err}") from err
    if not isinstance(document, dict):
        raise RulesetError(f"{path.name}: not a mapping")
    return document
