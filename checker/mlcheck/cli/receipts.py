"""Receipts of ``mlcheck verify``: writing one, and telling whether one still holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from mlcheck.cli import judging
from mlcheck.model import Report

if TYPE_CHECKING:
    from mlcheck.engine import Job

_FEW = 10  # lines about verdicts


def write(
    file: Path, root: str, submitter: str | None, judge: Callable[[], tuple[Job, Report]]
) -> Report:
    """Judge a tree and write its receipt; the tree is hashed before it is judged."""
    from mlcheck import receipt
    from mlcheck.fingerprint import fingerprint
    from mlcheck.tree import Tree

    tree = fingerprint(Tree(root), submitter)
    job, report = judge()
    document = receipt.receipt(report, tree, receipt.Scope(submitter, job.select, job.ignore))
    try:
        file.write_text(receipt.text(document), encoding="utf-8")
    except OSError as err:
        judging.leave(f"cannot write {file}: {err.strerror}", judging.USAGE)
    typer.echo(f"mlcheck: receipt {document['sha256']} in {file}", err=True)
    return report


def check(file: Path, root: str, judge: Callable[[dict[str, Any]], tuple[Job, Report]]) -> NoReturn:
    """Judge a tree as a receipt says and tell whether everything is still so.

    ``judge`` takes the settings that a receipt states. What people let pass is that of today.

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
    stated = {"suite": rules["suite"], "round": rules["round"], "submitter": scope.submitter}
    tree = fingerprint(Tree(root), scope.submitter)
    _, report = judge({**stated, "select": list(scope.select), "ignore": list(scope.ignore)})
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
