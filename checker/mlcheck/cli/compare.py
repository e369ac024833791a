"""``mlcheck compare``."""

from __future__ import annotations

from typing import Annotated

import typer

from mlcheck.cli import asking, filtering, judging
from mlcheck.repository.choices import Accepted, Per


@asking.explained
def compare(
    systems: Annotated[
        list[str], typer.Argument(metavar="SYSTEM…", help="SUBMITTER/SYSTEM, or a name.")
    ],
    baseline: Annotated[
        str | None, typer.Option(metavar="SYSTEM", help="What is 1; the first if not given.")
    ] = None,
    per: Annotated[Per, typer.Option(help="Divide values by this. Derived.")] = Per.SYSTEM,
    across: Annotated[  # noqa: FBT002 - a flag
        bool, typer.Option("--across", help="Also across rounds and divisions.")
    ] = False,
    suite: filtering.Suite = None,
    round_: filtering.Round = None,
    division: filtering.Division = None,
    benchmark: filtering.Benchmark = None,
    scenario: filtering.Scenario = None,
    accepted: filtering.AcceptedBy = Accepted.OFFICIAL,
    format_: asking.Form = asking.Format.TEXT,
    store: asking.Uri = asking.DEFAULT_STORE,
    as_of: asking.AsOf = None,
    collection: asking.Collection = None,
    options: asking.Options = None,
) -> None:
    """Hold systems against each other, benchmark by benchmark.

    Only results that share a ranking are compared: of one suite, round, division and type of
    system, with the same metric. What is not compared is named with the reason.
    """
    from mlcheck.output.compare_text import FIELDS, compare_lines, compare_rows
    from mlcheck.repository import compare as side_by_side
    from mlcheck.repository.filters import Filters

    names = list(dict.fromkeys([*([baseline] if baseline else []), *systems]))
    if len(names) < 2:
        judging.leave("give two systems or more", judging.USAGE)
    filters = Filters(
        suite=suite,
        round=round_,
        division=division,
        benchmark=benchmark,
        scenario=scenario,
        accepted=accepted,
    )
    reader = asking.reader(store, options, as_of, collection)
    found = [side_by_side.contestant(reader, filters, name) for name in names]
    comparison = side_by_side.compare(found, 0, per, across=across)
    if format_ is asking.Format.TEXT:
        asking.say(compare_lines(comparison))
        return
    asking.write(compare_rows(comparison), FIELDS, format_)
