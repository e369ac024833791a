"""Settings as text: each value, and where it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mlcheck.settings.keys import KEYS
from mlcheck.settings.resolve import Settings


def settings_text(settings: Settings) -> Iterator[str]:
    """Yield a line per setting."""
    yield f"settings file: {settings.file or 'none'}"
    yield f"profile: {settings.profile}  # {settings.profile_origin}"
    for name in KEYS:
        held = settings.values[name]
        yield f"{name} = {_shown(held.value)}  # {' + '.join(held.origins)}"
    for name, digest in settings.rules.items():
        yield f'rules."{name}" = "{digest}"  # {settings.file}'


def _shown(value: Any) -> str:
    if value is None:
        return "(none)"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(_shown(part) for part in value)}]"
    return str(value) if isinstance(value, int) else f'"{value}"'
