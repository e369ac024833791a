"""``mlcheck explain``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

import typer

from mlcheck.cli import configuring, judging

FINDING_ID = re.compile(r"[0-9a-f]{12}")


def explain(
    rule: Annotated[
        str,
        typer.Argument(
            metavar="RULE|FINDING", help="Id or name of a rule, such as INF504, or id of a finding."
        ),
    ],
    path: Annotated[
        str | None,
        typer.Argument(metavar="[PATH]", help="Submission: say how it was judged there."),
    ] = None,
    round_: Annotated[str | None, typer.Option("--round", help="Only for this round.")] = None,
    suite: judging.Suite = None,
    profile: configuring.Profile = None,
    config: configuring.Config = None,
    waivers: Annotated[str | None, typer.Option(metavar="FILE", help="As for verify.")] = None,
    baseline: Annotated[str | None, typer.Option(metavar="FILE", help="As for verify.")] = None,
) -> None:
    """Say what a rule demands, why, how grave it is in each round, and how to mend it.

    With PATH also how it was judged there: on which results, with which values and thresholds. Ids
    of findings stand in JSON and SARIF reports; they need PATH.
    """
    from mlcheck.overlay import RulesetError

    given = {"suite": suite, "round": round_, "profile": profile}
    given |= {"waivers": waivers, "baseline": baseline}
    try:
        for line in _lines(rule, path, round_, config, given):
            typer.echo(line)
    except RulesetError as err:
        judging.leave(str(err), judging.USAGE)


def _lines(
    asked: str,
    path: str | None,
    round_: str | None,
    config: str | None,
    given: dict[str, str | None],
) -> Iterator[str]:
    from mlcheck.cli.gating import carried_out, planned
    from mlcheck.output.judged_text import example_text, finding_text, judged_text
    from mlcheck.output.rule_text import find_rule, own_rule_text, rule_text

    is_finding = bool(FINDING_ID.fullmatch(asked.lower()))
    if not is_finding and find_rule(asked) is None and own_rule_text(asked) is None:
        judging.leave(f"no rule {asked}; mlcheck rules list shows all", judging.USAGE)
    if is_finding and path is None:
        judging.leave(f"{asked} is the id of a finding: give the tree as well", judging.USAGE)
    report = None
    if path is not None:
        settings = configuring.configured(path, config, given)
        plan = planned(path, settings)
        report = carried_out(plan, judging.memory_of_user(plan.job) if settings["cache"] else None)
        round_ = plan.job.round
    id_ = asked
    if report and is_finding:
        finding = next((one for one in report.findings if one.id == asked.lower()), None)
        if finding is None:
            judging.leave(f"no finding {asked} in {path}", judging.USAGE)
        yield from finding_text(finding, report)
        yield ""
        id_ = finding.rule
    found = find_rule(id_)
    yield rule_text(*found, round_=round_) if found else own_rule_text(id_) or ""
    yield from example_text(found[1].id if found else id_)
    if report and found and not is_finding:
        yield ""
        yield from judged_text(found[1].id, report)
