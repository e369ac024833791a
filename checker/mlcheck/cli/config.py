"""``mlcheck config``: the settings of a run."""

from __future__ import annotations

from typing import Annotated

import typer

from mlcheck.cli import configuring, judging

app = typer.Typer(help="Show the settings of a run.", no_args_is_help=True)


@app.command()
def show(
    profile: configuring.Profile = None,
    config: configuring.Config = None,
    no_config: configuring.NoConfig = False,  # noqa: FBT002
    path: Annotated[
        str | None,
        typer.Argument(metavar="[PATH]", help="Tree that would be verified."),
    ] = None,
) -> None:
    """Print every setting with its value and where it comes from."""
    from mlcheck.output.settings_text import settings_text

    settings = configuring.configured(path, config, {"profile": profile}, no_config=no_config)
    for line in settings_text(settings):
        typer.echo(line)


@app.command()
def pin(
    rounds: Annotated[
        list[str], typer.Argument(metavar="SUITE/ROUND…", help="Such as inference/v5.1.")
    ],
) -> None:
    """Print the lines of a settings file that pin the rules of rounds by their hash."""
    from mlcheck.overlay import RulesetError
    from mlcheck.ruleset import load

    lines = ["[rules]"]
    for name in rounds:
        suite, slash, round_ = name.partition("/")
        if not slash:
            judging.leave(f"{name}: give SUITE/ROUND, such as inference/v5.1", judging.USAGE)
        try:
            lines.append(f'"{name}" = "{load(suite, round_).sha256}"')
        except RulesetError as err:
            judging.leave(str(err), judging.USAGE)
    typer.echo("\n".join(lines))
