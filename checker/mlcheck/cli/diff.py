"""``mlcheck diff``."""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING, Annotated

import typer

from mlcheck.cli import asking, judging

if TYPE_CHECKING:
    from mlcheck.repository.sides import Side

_WHAT = "A folder, an ingest, or a round: v5.1, training/v5.1."


@asking.explained
def diff(
    old: Annotated[str, typer.Argument(metavar="A", help=_WHAT)],
    new: Annotated[str, typer.Argument(metavar="B", help=_WHAT)],
    exit_code: Annotated[  # noqa: FBT002 - a flag
        bool, typer.Option("--exit-code", help="Exit with 1 if something is worse.")
    ] = False,
    tolerance: Annotated[
        float, typer.Option(min=0, max=100, help="Percent a value may be worse by.")
    ] = 0.0,
    limit: Annotated[int, typer.Option(min=1, help="Lines of each kind, as text.")] = 20,
    suite: judging.Suite = None,
    jobs: judging.Jobs = None,
    format_: asking.Form = asking.Format.TEXT,
    store: asking.Uri = asking.DEFAULT_STORE,
    collection: asking.Collection = None,
    options: asking.Options = None,
) -> None:
    """Show what changed: results added and withdrawn, values, verdicts, descriptions.

    Worse is: a valid result of the same round is withdrawn, a result is no longer valid, or a value
    is worse by more than the tolerance. Exit code: 0, or 1 with --exit-code if something is worse.
    """
    from mlcheck.output.diff_text import FIELDS, diff_lines, diff_rows
    from mlcheck.repository.diff import changes
    from mlcheck.repository.reader import of_store
    from mlcheck.repository.sides import of_report, of_text

    there = functools.cache(lambda: asking.opened(store, options))
    current = functools.cache(lambda: of_store(there(), collection))

    def side(text: str) -> Side:
        if os.path.isdir(text):
            return of_report(judging.judged(text, suite, None, None, jobs), text)
        return of_text(there(), current(), text)

    sides = [side(old), side(new)]
    found = changes(sides[0], sides[1], tolerance / 100)
    if format_ is asking.Format.TEXT:
        touched = {c.where for c in found if c.kind not in ("added", "description")}
        same = max(0, len(sides[0].results) - len(touched))
        asking.say(diff_lines(found, (sides[0].label, sides[1].label), same, limit))
    else:
        asking.write(diff_rows(found), FIELDS, format_)
    if exit_code and any(change.regression for change in found):
        raise typer.Exit(1)
