"""Settings files: ``mlcheck.toml``, or ``[tool.mlcheck]`` of a ``pyproject.toml``.

A file inside the tree under test is not taken as an authority over its own gate: it is read only if
it is named on the command line, and even then that is said.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mlcheck import resources
from mlcheck.settings.keys import KEYS, Kind, SettingsError, beside, read

NAME = "mlcheck.toml"
PYPROJECT = "pyproject.toml"
LARGEST = 1 << 20  # bytes
BUILT_IN = "built in"


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A named set of values that goes on from another."""

    name: str
    values: Mapping[str, Any]
    where: str
    inherits: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsFile:
    """What a settings file holds.

    Attributes:
        values: those for all profiles.
        rules: ``SUITE/ROUND`` -> the hash that the rules of a round must have.
        profile: the profile that is taken if none is asked for.
    """

    path: str
    values: Mapping[str, Any] = field(default_factory=dict)
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)
    profile: str | None = None


def find(start: str) -> str | None:
    """Return the nearest settings file of a folder or one above it, in the same checkout."""
    for folder in (Path(start).resolve(), *Path(start).resolve().parents):
        if (folder / NAME).is_file():
            return str(folder / NAME)
        project = folder / PYPROJECT
        if project.is_file() and "mlcheck" in _load(str(project)).get("tool", {}):
            return str(project)
        if (folder / ".git").exists():
            return None
    return None


def is_inside(file: str, root: str) -> bool:
    """Tell whether a file lies in a tree."""
    return Path(file).resolve().is_relative_to(Path(root).resolve())


def read_file(path: str) -> SettingsFile:
    """Read a settings file.

    Raises:
        SettingsError: it cannot be read, or something in it is wrong.
    """
    document = _load(path)
    if os.path.basename(path) == PYPROJECT:
        document = document.get("tool", {}).get("mlcheck", {})
    return _settings(document, path)


def built_in() -> Mapping[str, Profile]:
    """Return the profiles that mlcheck brings along."""
    path = str(resources.rules_root() / "profiles.toml")
    return _settings(_load(path), BUILT_IN).profiles


def _load(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as handle:
            raw = handle.read(LARGEST + 1)
    except OSError as err:
        raise SettingsError(f"cannot read {path}: {err.strerror}") from err
    if len(raw) > LARGEST:
        raise SettingsError(f"{path}: larger than {LARGEST} bytes")
    try:
        return tomllib.loads(raw.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as err:
        raise SettingsError(f"{path}: {err}") from err


def _settings(document: Any, path: str) -> SettingsFile:
    if not isinstance(document, dict):
        raise SettingsError(f"{path}: the settings are no table")
    rest = dict(document)
    profiles = _table(rest.pop("profiles", {}), path, "profiles")
    rules = _table(rest.pop("rules", {}), path, "rules")
    profile = rest.pop("profile", None)
    if profile is not None and not isinstance(profile, str):
        raise SettingsError(f"{path}: profile must be a name, not {profile!r}")
    for name, digest in rules.items():
        if not isinstance(digest, str) or not re.fullmatch(r"[0-9a-f]{64}", digest):
            raise SettingsError(f"{path}: rules: {name} must be a SHA-256 of 64 digits")
    return SettingsFile(
        path=path,
        values=_values(rest, path),
        profiles={name: _profile(name, inside, path) for name, inside in profiles.items()},
        rules=rules,
        profile=profile,
    )


def _profile(name: str, inside: Any, path: str) -> Profile:
    where = path if path == BUILT_IN else f"{path}, profile {name}"
    values = dict(_table(inside, path, f"profiles.{name}"))
    inherits = values.pop("inherits", None)
    if inherits is not None and not isinstance(inherits, str):
        raise SettingsError(f"{where}: inherits must be the name of a profile")
    return Profile(name=name, values=_values(values, where), where=where, inherits=inherits)


def _table(value: Any, path: str, name: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise SettingsError(f"{path}: {name} must be a table")
    return value


def _values(table: Mapping[str, Any], where: str) -> dict[str, Any]:
    return {name: _value(name, value, where) for name, value in table.items()}


def _value(name: str, value: Any, where: str) -> Any:
    if name not in KEYS:
        raise SettingsError(f"{where}: there is no setting {name}{_close(name, KEYS)}")
    key = KEYS[name]
    made = read(key, value, where)
    file = where.partition(", profile ")[0]
    if key.kind is Kind.FILE:
        return beside(file, made)
    if name == "output":
        parts = (text.partition("=") for text in made)
        return tuple(f"{kind}={beside(file, path)}" if path else kind for kind, _, path in parts)
    return made


def _close(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"; is {near[0]} meant?" if near else ""
