"""``mlcheck results``."""

from __future__ import annotations

from typing import Annotated

import typer

from mlcheck.cli import asking, filtering
from mlcheck.repository.choices import Accepted

_SHOWN = 10


@asking.explained
def results(
    suite: filtering.Suite = None,
    round_: filtering.Round = None,
    division: filtering.Division = None,
    submitter: filtering.Submitter = None,
    system: filtering.System = None,
    benchmark: filtering.Benchmark = None,
    scenario: filtering.Scenario = None,
    accelerator: filtering.Accelerator = None,
    availability: filtering.Availability = None,
    accepted: filtering.AcceptedBy = Accepted.OFFICIAL,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Rows per ranking; text shows 10 if not given.")
    ] = None,
    format_: asking.Form = asking.Format.TEXT,
    store: asking.Uri = asking.DEFAULT_STORE,
    as_of: asking.AsOf = None,
    collection: asking.Collection = None,
    options: asking.Options = None,
) -> None:
    """List results; those that may be compared are ranked together.

    Only results of the same suite, round, division, system type, benchmark, scenario and metric
    share a ranking.
    """
    from mlcheck.output.ranking import ranking_lines
    from mlcheck.repository.filters import Filters, asked
    from mlcheck.repository.leaderboard import rankings

    filters = Filters(
        suite=suite,
        round=round_,
        division=division,
        submitter=submitter,
        system=system,
        benchmark=benchmark,
        scenario=scenario,
        accelerator=accelerator,
        availability=availability,
        accepted=accepted,
    )
    found = asked(asking.reader(store, options, as_of, collection), filters)
    ranked = rankings(found)
    if format_ is asking.Format.TEXT:
        asking.say(ranking_lines(ranked, limit or _SHOWN))
        return
    rows = [row for group in ranked.values() for row in group[:limit]]
    asking.write(rows, ["rank", *found[0]], format_)
