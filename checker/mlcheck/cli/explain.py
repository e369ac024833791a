"""``mlcheck explain``."""

from __future__ import annotations

from typing import Annotated

import typer

from mlcheck.cli import judging


def explain(
    rule: Annotated[str, typer.Argument(metavar="RULE", help="Id or name, such as INF504.")],
    round_: Annotated[str | None, typer.Option("--round", help="Only for this round.")] = None,
) -> None:
    """Say what a rule demands, why, how grave it is in each round, and how to mend it."""
    from mlcheck.output.rule_text import find_rule, rule_text
    from mlcheck.overlay import RulesetError

    found = find_rule(rule)
    if found is None:
        judging.leave(f"no rule {rule}; mlcheck rules list shows all", judging.USAGE)
    try:
        typer.echo(rule_text(*found, round_=round_))
    except RulesetError as err:
        judging.leave(str(err), judging.USAGE)
