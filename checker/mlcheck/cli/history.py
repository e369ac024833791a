"""``mlcheck history``."""

from __future__ import annotations

from typing import Annotated

import typer

from mlcheck.cli import asking, filtering, judging
from mlcheck.repository.choices import Accepted, Kind


@asking.explained
def history(
    what: Annotated[
        str,
        typer.Argument(
            metavar="SYSTEM|SUBMITTER|ACCELERATOR",
            help="As it is written, or a family such as H100.",
        ),
    ],
    kind: Annotated[
        Kind | None, typer.Option("--as", help="What WHAT is, if it may be two.")
    ] = None,
    suite: filtering.Suite = None,
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
    """Show the best results of a system, a submitter or an accelerator, round by round."""
    from mlcheck.output.history_text import history_lines, history_rows
    from mlcheck.output.table import counted
    from mlcheck.repository import history as over_rounds
    from mlcheck.repository.filters import Filters

    filters = Filters(
        suite=suite,
        division=division,
        benchmark=benchmark,
        scenario=scenario,
        accepted=accepted,
    )
    reader = asking.reader(store, options, as_of, collection)
    found, mine = over_rounds.of_whom(reader, filters, what, kind)
    lines = over_rounds.history(mine)
    if not lines:
        judging.leave(f"no result of {what} has a value", judging.USAGE)
    if format_ is asking.Format.TEXT:
        asking.say(history_lines(lines, f"{found} {what}: {counted(len(mine), 'result')}"))
        return
    rows = history_rows(lines)
    asking.write(rows, list(rows[0]), format_)
