"""``mlcheck store vacuum``."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from mlcheck.cli import asking

if TYPE_CHECKING:
    from mlcheck.repository.vacuum import Waste

app = typer.Typer(help="Look after a store.", no_args_is_help=True)


@app.command("vacuum")
@asking.explained
def vacuum(
    older_than: Annotated[
        int, typer.Option(min=1, metavar="DAYS", help="Only what is older; at least one day.")
    ] = 7,
    remove: Annotated[  # noqa: FBT002 - a flag
        bool, typer.Option("--remove", help="Remove it; else it is only shown.")
    ] = False,
    store: asking.Uri = asking.DEFAULT_STORE,
    options: asking.Options = None,
) -> None:
    """Show, or remove, what ingests that died have left in a store.

    These are rows that no question sees, and files that no table has named for so long. Ingests may
    run meanwhile. Nothing of history is removed: what counted once stays readable (--as-of).
    """
    from mlcheck.repository import vacuum as removing

    age = timedelta(days=older_than)
    kept = asking.opened(store, options)
    found = removing.waste(kept, age)
    if remove:
        removing.remove(kept, found, age)
    asking.say(_lines(found, older_than, removed=remove))


def _lines(found: Waste, days: int, *, removed: bool) -> Iterator[str]:
    from mlcheck.output.table import counted, safe

    for dead in found.ingests:
        yield (
            f"ingest {dead.ingest} died: {safe(dead.suite)} {safe(dead.round)}, "
            f"{counted(sum(dead.rows.values()), 'row')} in {counted(len(dead.rows), 'table')}"
        )
    files = sum(map(len, found.files.values()))
    if files:
        yield f"{counted(files, 'file')} not named by a table for {counted(days, 'day')} or more"
    if not found.ingests and not files:
        yield f"nothing to remove that is older than {counted(days, 'day')}"
    elif not removed:
        yield "nothing was removed; --remove does"
    else:
        yield "removed"
        if found.ingests:
            yield f"files with removed rows can go in {counted(days, 'day')}: run it again then"
