"""What may go wrong around a command: it ends with a clear line and the right code, whatever it is.

A bug of ours must never look like a finding (1), nor an interruption like a verdict.
"""

from __future__ import annotations

import os
import sys
import traceback
from typing import Any

import typer
from typer.core import TyperGroup

INTERRUPTED = 130  # as shells have it: 128 + SIGINT
USAGE, INTERNAL = 2, 3
NO_VERDICT = "interrupted; no verdict"
TRACEBACK = "MLCHECK_TRACEBACK"


class Guarded(TyperGroup):
    """The group of all commands, with a last line of defence around each."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        """Read the command line; an interruption meanwhile is none of our verdicts either."""
        try:
            return super().make_context(*args, **options)
        except KeyboardInterrupt:
            _say(NO_VERDICT)
            sys.exit(INTERRUPTED)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; turn what escapes from it into a line and an exit code."""
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()  # a full disk is seen here, and not when nobody can say so
        except KeyboardInterrupt:
            _say(NO_VERDICT)
            raise typer.Exit(INTERRUPTED) from None
        except OSError as err:
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - until the end
            if os.environ.get(TRACEBACK):
                raise
            if not isinstance(err, BrokenPipeError):  # of ``mlcheck … | head``
                _say(f"cannot write {err.filename or 'the output'}: {err.strerror or err}")
            raise typer.Exit(USAGE) from None
        except Exception as err:
            if type(err).__module__.startswith(("typer", "click")):
                raise
            raise typer.Exit(_unexpected(err)) from err


def _unexpected(err: Exception) -> int:
    from mlcheck.overlay import RulesetError
    from mlcheck.settings.keys import SettingsError

    if isinstance(err, (RulesetError, SettingsError)):
        _say(str(err))
        return USAGE
    if os.environ.get(TRACEBACK):
        traceback.print_exception(err)
    last = traceback.extract_tb(err.__traceback__)[-1]
    where = f"{last.filename.rpartition('mlcheck/')[2]}:{last.lineno}"
    _say(f"bug: {type(err).__name__}: {str(err)[:200]} ({where})")
    _say(f"nothing is said about the submission; please report this, with {TRACEBACK}=1")
    return INTERNAL


def _say(text: str) -> None:
    typer.echo(f"mlcheck: {text}", err=True)
