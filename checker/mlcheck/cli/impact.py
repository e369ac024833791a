"""``mlcheck rules impact``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mlcheck.cli import asking, judging

if TYPE_CHECKING:
    from mlcheck.repository.impact import Impact


@asking.explained
def impact(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="RULESET",
            help="Edited copy of rules/SUITE/ROUND.yaml, or of points, rules/SUITE/rcp/ROUND.json.",
        ),
    ],
    exit_code: Annotated[  # noqa: FBT002 - a flag
        bool, typer.Option("--exit-code", help="Exit with 1 if a verdict changes.")
    ] = False,
    limit: Annotated[int, typer.Option(min=1, help="Changes shown of each tree, as text.")] = 20,
    jobs: judging.Jobs = None,
    format_: asking.Form = asking.Format.TEXT,
    store: asking.Uri = asking.DEFAULT_STORE,
    collection: asking.Collection = None,
    options: asking.Options = None,
) -> None:
    """Judge stored rounds anew under an edited rule file and show which verdicts change.

    Rounds that extend the edited one are judged as well. Exit code: 0, or 1 with --exit-code if a
    verdict changes; 2 if the file is wrong or a tree is not there to be judged.
    """
    from mlcheck.overlay import RulesetError
    from mlcheck.repository.edit import edited, require_change
    from mlcheck.repository.impact import impacts

    reader = asking.reader(store, options, None, collection)
    try:
        with edited(file) as edit:
            require_change(edit, file)
            found = list(impacts(reader, edit, jobs, judging.memory_of))
            broken = tuple(edit.broken)
    except RulesetError as err:
        judging.leave(str(err), judging.USAGE)
    if format_ is asking.Format.TEXT:
        asking.say(_lines(found, limit, broken))
    else:
        asking.write(_rows(found), _FIELDS, format_)
    if any(each.problem for each in found):
        raise typer.Exit(judging.USAGE)
    if exit_code and any(each.changed for each in found):
        raise typer.Exit(1)


_FIELDS = ("suite", "round", "tree", "path", "whose", "old", "new", "rules", "problem")


def _rows(found: Sequence[Impact]) -> list[dict[str, Any]]:
    rows = []
    for each in found:
        base: dict[str, Any] = {"suite": each.suite, "round": each.round, "tree": each.tree}
        if each.problem:
            rows.append({**base, "problem": each.problem})
        rows += [
            {
                **base,
                "path": change.path,
                "whose": change.whose,
                "old": change.old,
                "new": change.new,
                "rules": list(change.rules),
            }
            for change in each.changed
        ]
    return rows


def _lines(found: Sequence[Impact], limit: int, broken: Sequence[str]) -> Iterator[str]:
    from mlcheck.output.table import safe

    judged = sum(each.judged for each in found)
    paths = {(each.tree, change.path) for each in found for change in each.changed}
    for each in found:
        yield f"{each.suite} {each.round}, {safe(each.tree)}"
        if each.problem:
            yield f"  not judged: {each.problem}"
            continue
        of_tree = {change.path for change in each.changed}
        come, go = each.findings
        yield f"  verdicts changed: {len(of_tree):,} of {each.judged:,} results"
        yield f"  published values changed: {each.values:,}"
        yield f"  findings: {come:,} come, {go:,} go"
        for change in each.changed[:limit]:
            rules = f" ({', '.join(change.rules)})" if change.rules else ""
            yield f"  {safe(change.path)}"
            yield f"    {change.whose}: {change.old} -> {change.new}{rules}"
        if len(each.changed) > limit:
            yield f"  … and {len(each.changed) - limit:,} more (--limit)"
    yield ""
    if broken:
        yield f"do not resolve with this edit: {', '.join(broken)}"
    yield f"this edit changes {len(paths):,} of {judged:,}"
