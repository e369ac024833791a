"""Which value holds: command line, environment, profile, settings file, default, in this order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mlcheck.settings.files import BUILT_IN, Profile, SettingsFile, built_in
from mlcheck.settings.keys import KEYS, SettingsError, read, read_text

DEFAULT_PROFILE = "local"
COMMAND_LINE = "command line"
TOLERATE = "tolerate"


@dataclass(frozen=True, slots=True)
class Value:
    """A value and where it comes from; of one that adds up, all the places."""

    value: Any
    origins: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of a run.

    Attributes:
        reasons: of what is tolerated, where one is given.
        ours: what the profiles that mlcheck brings along tolerate.
    """

    profile: str
    profile_origin: str
    values: Mapping[str, Value]
    rules: Mapping[str, str]
    file: str | None
    reasons: Mapping[str, str]
    ours: frozenset[str]

    def __getitem__(self, name: str) -> Any:
        """Return the value of a key."""
        return self.values[name].value


@dataclass(frozen=True, slots=True)
class _Layer:
    where: str
    values: Mapping[str, Any]


def resolve(
    given: Mapping[str, Any], environment: Mapping[str, str], file: SettingsFile | None
) -> Settings:
    """Return the settings of a run.

    Args:
        given: values of the command line by key, and ``profile``; None: not given.
        environment: variables; ``MLCHECK_GATE`` sets ``gate``, and so on.
        file: the settings file, if there is one.

    Raises:
        SettingsError: a value or the profile is wrong.
    """
    profiles = _profiles(file)
    name, origin = _profile_name(given, environment, file)
    line = _line(name, profiles)
    layers = [
        _Layer("default", {key.name: key.default for key in KEYS.values()}),
        *([_Layer(file.path, file.values)] if file else []),
        *(_Layer(_profile_of(profile), profile.values) for profile in line),
        *_environment(environment),
        _Layer(COMMAND_LINE, _command_line(given)),
    ]
    return Settings(
        profile=name,
        profile_origin=origin,
        values={key: _held(key, layers) for key in KEYS},
        rules=file.rules if file else {},
        file=file.path if file else None,
        reasons=_reasons(layers),
        ours=frozenset(
            rule
            for profile in line
            if profile.where == BUILT_IN
            for rule in profile.values.get(TOLERATE, ())
        ),
    )


def _profiles(file: SettingsFile | None) -> dict[str, list[Profile]]:
    """Return profiles by name; one of a file goes on from the built-in one of its name."""
    found: dict[str, list[Profile]] = {name: [one] for name, one in built_in().items()}
    for name, one in (file.profiles if file else {}).items():
        found.setdefault(name, []).append(one)
    return found


def _profile_name(
    given: Mapping[str, Any], environment: Mapping[str, str], file: SettingsFile | None
) -> tuple[str, str]:
    if given.get("profile"):
        return str(given["profile"]), COMMAND_LINE
    if environment.get("MLCHECK_PROFILE"):
        return environment["MLCHECK_PROFILE"], "MLCHECK_PROFILE"
    if file and file.profile:
        return file.profile, file.path
    return DEFAULT_PROFILE, "default"


def _line(name: str, profiles: Mapping[str, list[Profile]]) -> list[Profile]:
    """Return a profile and what it goes on from, the eldest first."""
    line: list[Profile] = []
    seen: list[str] = []
    wanted: str | None = name
    while wanted is not None:
        if wanted not in profiles:
            known = ", ".join(sorted(profiles))
            raise SettingsError(f"no profile {wanted}; known: {known}")
        if wanted in seen:
            raise SettingsError(f"profile goes on from itself: {' -> '.join([*seen, wanted])}")
        seen.append(wanted)
        line = [*profiles[wanted], *line]
        parents = [one.inherits for one in profiles[wanted] if one.inherits]
        wanted = parents[-1] if parents else None
    return line


def _profile_of(profile: Profile) -> str:
    return profile.where if ", profile " in profile.where else f"profile {profile.name}"


def _environment(environment: Mapping[str, str]) -> Iterator[_Layer]:
    for key in KEYS.values():
        text = environment.get(key.variable, "")
        if text:
            yield _Layer(key.variable, {key.name: read_text(key, text, key.variable)})


def _command_line(given: Mapping[str, Any]) -> dict[str, Any]:
    values = {name: value for name, value in given.items() if name in KEYS and value is not None}
    return {name: read(KEYS[name], value, COMMAND_LINE) for name, value in values.items()}


def _reasons(layers: list[_Layer]) -> dict[str, str]:
    found: dict[str, str] = {}
    for layer in layers:
        given = layer.values.get(TOLERATE)
        if isinstance(given, Mapping):
            found.update(given)
    return found


def _held(key: str, layers: list[_Layer]) -> Value:
    saying = [layer for layer in layers if key in layer.values]
    if not KEYS[key].adds_up:
        return Value(saying[-1].values[key], (saying[-1].where,))
    said = [layer for layer in saying if layer.values[key]] or saying[:1]
    parts = tuple(dict.fromkeys(part for layer in said for part in layer.values[key]))
    return Value(parts, tuple(layer.where for layer in said))
