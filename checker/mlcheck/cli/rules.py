"""``mlcheck rules``: the rules as data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated

import typer

from mlcheck.cli import impact, judging

app = typer.Typer(help="Show the rules of the rounds.", no_args_is_help=True)
app.command("impact")(impact.impact)

Round = Annotated[str, typer.Argument(metavar="ROUND", help="Round, such as v5.1.")]
Suite = Annotated[str, typer.Option(help="Suite.")]


@app.command("list")
def list_(
    suite: Suite = "inference",
    round_: Annotated[str | None, typer.Option("--round", help="Round; the newest.")] = None,
) -> None:
    """List the rules, with what policy and official tool make of a breach."""
    from mlcheck.output.rule_text import rule_table

    _print(lambda: rule_table(suite, round_))


@app.command()
def show(
    round_: Round,
    pointer: Annotated[
        str, typer.Argument(metavar="[POINTER]", help="Part, such as /benchmarks/resnet.")
    ] = "",
    suite: Suite = "inference",
) -> None:
    """Print the resolved rules of a round as YAML."""
    from mlcheck.output.rule_text import ruleset_yaml

    _print(lambda: iter([ruleset_yaml(suite, round_, pointer)]))


@app.command()
def diff(old: Round, new: Round, suite: Suite = "inference") -> None:
    """Print what differs between the rules of two rounds, with the reasons that are stated."""
    from mlcheck.output.rule_text import ruleset_differences

    _print(lambda: ruleset_differences(suite, old, new))


@app.command()
def coverage(suite: Suite = "inference") -> None:
    """Print what the policies demand, which rules judge it, and what files cannot show."""
    from mlcheck.output.rule_text import policy_coverage

    _print(lambda: policy_coverage(suite))


def _print(lines: Callable[[], Iterator[str]]) -> None:
    from mlcheck.overlay import RulesetError

    try:
        for line in lines():
            typer.echo(line)
    except RulesetError as err:
        judging.leave(str(err), judging.USAGE)
