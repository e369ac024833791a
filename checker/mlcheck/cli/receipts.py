"""Receipts of ``mlcheck verify``: writing one, and telling whether one still holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import typer

from mlcheck.cli import judging
from mlcheck.model import Report

_FEW = 10  # lines about verdicts


def write(
    file: Path,
    root: str,
    judge: Callable[[], Report],
    scope: tuple[str | None, list[str], list[str]],
) -> Report:
    """Judge a tree and write its receipt; the tree is hashed before it is judged."""
    from mlcheck import receipt
    from mlcheck.fingerprint import fingerprint
    from mlcheck.tree import Tree

    submitter, select, ignore = scope
    tree = fingerprint(Tree(root), submitter)
    report = judge()
    of_what = receipt.Scope(submitter, _ids(select), _ids(ignore))
    document = receipt.receipt(report, tree, of_what)
    try:
        file.write_text(receipt.text(document), encoding="utf-8")
    except OSError as err:
        judging.leave(f"cannot write {file}: {err.strerror}", judging.USAGE)
    typer.echo(f"mlcheck: receipt {document['sha256']} in {file}", err=True)
    return report


def _ids(options: list[str]) -> tuple[str, ...]:
    return tuple(part.strip().upper() for text in options for part in text.split(","))


def check(file: Path, root: str, jobs: int | None, executor: str | None) -> NoReturn:
    """Judge a tree as a receipt says and tell whether everything is still so.

    Exit code: 0 it is, 1 tree, rules, verdicts or waivers differ, 2 it is no receipt.
    """
    from mlcheck import receipt
    from mlcheck.fingerprint import fingerprint
    from mlcheck.output.table import safe
    from mlcheck.tree import Tree

    try:
        old = receipt.read(file)
    except receipt.ReceiptError as err:
        judging.leave(str(err), judging.USAGE)
    scope = receipt.scope_of(old)
    rules = old["rulesets"][0]
    tree = fingerprint(Tree(root), scope.submitter)
    report = judging.judged(
        root,
        rules["suite"],
        rules["round"],
        scope.submitter,
        jobs,
        scope.select,
        scope.ignore,
        executor,
    )
    found = list(receipt.compared(old, receipt.receipt(report, tree, scope)))
    for each in found:
        typer.echo(f"{each.what:<9} {'same' if each.same else 'DIFFERS':<8} {safe(each.detail)}")
        for line in each.further[:_FEW]:
            typer.echo(f"  {safe(line)}")
        if len(each.further) > _FEW:
            typer.echo(f"  … and {len(each.further) - _FEW:,} more")
    holds = all(each.same for each in found if each.counts)
    typer.echo("the receipt holds" if holds else "the receipt does not hold")
    raise typer.Exit(0 if holds else 1)
