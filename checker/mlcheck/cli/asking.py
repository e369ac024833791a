"""What the commands about a store share: its options, and how errors end."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec, TypeVar

import typer

from mlcheck.cli import judging

if TYPE_CHECKING:
    from mlcheck.repository.reader import Reader
    from mlcheck.repository.store import Store

P = ParamSpec("P")
T = TypeVar("T")

Uri = Annotated[
    str,
    typer.Option(
        "--store", envvar="MLCHECK_STORE", help="Folder of the store, or an URI such as s3://…"
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option("--storage-option", metavar="KEY=VALUE", help="For object storage; repeatable."),
]
AsOf = Annotated[
    str | None,
    typer.Option("--as-of", metavar="TIME", help="What counted then: 2025-09-09, or a version."),
]
Collection = Annotated[str | None, typer.Option(help="Only this collection; all if not given.")]
DEFAULT_STORE = "mlcheck-store"


class Format(StrEnum):
    """How an answer is written."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"


Form = Annotated[Format, typer.Option("--format", help="Format on stdout.")]


def opened(uri: str, options: list[str] | None, as_of: str | None = None) -> Store:
    """Return a store; exit if an option makes no sense."""
    from mlcheck.repository import store

    pairs = {}
    for option in options or ():
        key, equals, value = option.partition("=")
        if not equals or not key:
            judging.leave(f"--storage-option {option}: give KEY=VALUE", judging.USAGE)
        pairs[key] = value
    try:
        when = None if as_of is None else store.as_of(as_of)
    except ValueError:
        judging.leave(f"--as-of {as_of}: give a time such as 2025-09-09, or a number", 2)
    return store.Store(uri, pairs, when)


def reader(
    uri: str, options: list[str] | None, as_of: str | None, collection: str | None
) -> Reader:
    """Return what counts in a store; exit if an option makes no sense."""
    from mlcheck.repository.reader import of_store

    return of_store(opened(uri, options, as_of), collection)


def explained(command: Callable[P, T]) -> Callable[P, T]:
    """Let a command end with one line where a store or an extra is not there."""

    @functools.wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> T:
        from mlcheck.repository.errors import AskError

        try:
            return command(*args, **kwargs)
        except AskError as err:
            judging.leave(str(err), judging.USAGE)

    return wrapped


def say(lines: Iterable[str]) -> None:
    """Print lines."""
    for line in lines:
        typer.echo(line)


def write(rows: Sequence[Mapping[str, Any]], names: Sequence[str], form: Format) -> None:
    """Print rows as CSV or JSON."""
    from mlcheck.output.table import csv_text, json_text

    if form is Format.CSV:
        sys.stdout.write(csv_text(rows, names))
    else:
        sys.stdout.write(json_text([{name: row.get(name) for name in names} for row in rows]))
