"""Judge benchmark submissions by the rules of their round, and normalise their results.

``mlcheck.verify(path)`` returns a typed report; see :mod:`mlcheck.api`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mlcheck.api import (
        Finding,
        Format,
        Gate,
        NothingHereError,
        Report,
        Result,
        RulesetError,
        SettingsError,
        Summary,
        View,
        render,
        summarise,
        verify,
    )

__version__ = "0.1.0"
__all__ = [
    "Finding",
    "Format",
    "Gate",
    "NothingHereError",
    "Report",
    "Result",
    "RulesetError",
    "SettingsError",
    "Summary",
    "View",
    "__version__",
    "render",
    "summarise",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Import the interface when it is asked for: the command line starts faster without."""
    if name in __all__:
        from mlcheck import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
