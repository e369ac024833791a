"""JSON schemas for editors: a description is checked by the rules of its round while it is typed.

Those of documents that mlcheck itself reads and writes lie in ``schemas/``; those of descriptions
are made of the rule file of a round, so that editor and verify agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mlcheck import resources
from mlcheck.ruleset import Ruleset, load, rounds
from mlcheck.settings.keys import KEYS, Key, Kind

DRAFT = "https://json-schema.org/draft/2020-12/schema"
BLANK = {
    "anyOf": [
        {"type": "null"},
        {"type": "string", "pattern": r"^\s*$"},
        {"type": "array", "maxItems": 0},
        {"type": "object", "maxProperties": 0},
    ]
}


def names() -> tuple[str, ...]:
    """Return the names of all schemas."""
    internal = ("-rules", "-system", "coverage", "round-changes", "round-history", "gate")
    files = (path.name for path in (resources.data_root() / "schemas").glob("*.schema.json"))
    own = [name.removesuffix(".schema.json") for name in files]
    return (*_MADE, *sorted(name for name in own if not name.endswith(internal)))


def editor_schema(name: str, suite: str, round_: str | None) -> Mapping[str, Any]:
    """Return a schema.

    Args:
        name: one of :func:`names`.
        suite: whose descriptions.
        round_: None: the newest.

    Raises:
        RulesetError: there is no such suite or round.
        KeyError: the suite has no such description, or there is no such schema.
    """
    if name in _MADE:
        return _MADE[name](load(suite, round_ or rounds(suite)[-1]))
    if name not in names():
        raise KeyError(name)
    return resources.schema(name)


def _system(ruleset: Ruleset) -> Mapping[str, Any]:
    facts = ruleset.document["system"]
    base = resources.schema(facts["schema"])
    properties = {name: dict(value) for name, value in base["properties"].items()}
    _add(properties, "status", {"pattern": _any_case(facts["statuses"]), "type": "string"})
    if "types" in facts:
        _add(properties, "system_type", {"enum": list(facts["types"])})
    for name in facts.get("nonempty", ()):
        _add(properties, name, {"not": BLANK})
    return {
        **{key: value for key, value in base.items() if key != "$id"},
        "title": f"{base['title']}, {ruleset.round}",
        "properties": properties,
        "required": sorted(facts["required"]),
    }


def _measurements(ruleset: Ruleset) -> Mapping[str, Any]:
    required = ruleset.document["implementation"]["required"]
    return {
        "$schema": DRAFT,
        "title": f"Implementation description of {ruleset.suite} {ruleset.round}",
        "description": "measurements/SYSTEM/BENCHMARK/SCENARIO/SYSTEM_IMPLEMENTATION_SCENARIO.json",
        "type": "object",
        "properties": {name: {"not": BLANK} for name in required},
        "required": sorted(required),
    }


def _settings(_: Ruleset) -> Mapping[str, Any]:
    values = {key.name: _setting(key) for key in KEYS.values()}
    profile = {**values, "inherits": {"type": "string", "description": "profile it goes on from"}}
    return {
        "$schema": DRAFT,
        "title": "Settings of mlcheck: mlcheck.toml, or [tool.mlcheck] of pyproject.toml",
        "type": "object",
        "properties": {
            **values,
            "profile": {"type": "string", "description": "profile if none is asked for"},
            "profiles": {
                "type": "object",
                "additionalProperties": {
                    "type": "object",
                    "properties": profile,
                    "additionalProperties": False,
                },
            },
            "rules": {
                "type": "object",
                "description": "SUITE/ROUND -> SHA-256; mlcheck config pin prints them",
                "additionalProperties": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            },
        },
        "additionalProperties": False,
    }


def _setting(key: Key) -> dict[str, Any]:
    texts = {"type": "array", "items": {"type": "string"}}
    kinds: dict[Kind, dict[str, Any]] = {
        Kind.TEXT: {"type": "string", "minLength": 1},
        Kind.FILE: {"type": "string", "minLength": 1},
        Kind.CHOICE: {"enum": list(key.choices)},
        Kind.FLAG: {"type": "boolean"},
        Kind.NUMBER: {"type": "integer", "minimum": key.least},
        Kind.LIST: texts,
        Kind.REASONED: {
            "anyOf": [texts, {"type": "object", "additionalProperties": {"type": "string"}}]
        },
    }
    return {**kinds[key.kind], "description": key.about}


def _add(properties: dict[str, dict[str, Any]], name: str, more: Mapping[str, Any]) -> None:
    """Add a demand to a property beside those it has."""
    before = properties.get(name)
    properties[name] = {"allOf": [before, dict(more)]} if before else dict(more)


def _any_case(texts: Iterable[str]) -> str:
    """Return a pattern that one of some texts fits, in letters of any case."""
    return f"^({'|'.join(''.join(_letter(char) for char in text) for text in texts)})$"


def _letter(char: str) -> str:
    if char.isalpha():
        return f"[{char.lower()}{char.upper()}]"
    return f"\\{char}" if char in r".^$*+?()[]{}|\/-" and char not in "-/" else char


_MADE: Mapping[str, Callable[[Ruleset], Mapping[str, Any]]] = {
    "system": _system,
    "measurements": _measurements,
    "settings": _settings,
}
