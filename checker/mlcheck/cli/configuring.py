"""From the command line, the environment and a settings file to the settings of a run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mlcheck.cli import judging

if TYPE_CHECKING:
    from mlcheck.settings.files import SettingsFile
    from mlcheck.settings.resolve import Settings

Config = Annotated[
    str | None,
    typer.Option("--config", metavar="FILE", help="Settings file; else the nearest mlcheck.toml."),
]
NoConfig = Annotated[bool, typer.Option("--no-config", help="Read no settings file.")]
Profile = Annotated[
    str | None,
    typer.Option("--profile", help="local, ci, review, published, scc, or one of yours."),
]


def configured(
    root: str | None, config: str | None, given: Mapping[str, Any], *, no_config: bool = False
) -> Settings:
    """Return the settings of a run; leave if one of them is wrong.

    A settings file inside the tree under test could open its own gate: it is read only if it is
    named, and that is said.
    """
    from mlcheck.settings.keys import SettingsError
    from mlcheck.settings.resolve import resolve

    try:
        file = None if no_config else _file(root, config or os.environ.get("MLCHECK_CONFIG"))
        return resolve(given, os.environ, file)
    except SettingsError as err:
        judging.leave(str(err), judging.USAGE)


def _file(root: str | None, named: str | None) -> SettingsFile | None:
    from mlcheck.settings.files import find, is_inside, read_file

    path = named or find(".")
    if path is None:
        return None
    inside = root is not None and os.path.isdir(root) and is_inside(path, root)
    if inside and not named:
        typer.echo(
            f"mlcheck: {path} lies inside the tree under test and is not read; "
            f"give --config {path} if you trust it",
            err=True,
        )
        return None
    if inside:
        typer.echo(f"mlcheck: settings of {path}, inside the tree under test, decide", err=True)
    return read_file(path)
