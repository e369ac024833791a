"""Write a prepared tree into a folder of its own, with a manifest beside it."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from typing import BinaryIO

from mlcheck import __version__
from mlcheck.model import RulesetRef
from mlcheck.prepare.plan import Content, Plan, facts
from mlcheck.tree import Tree

SCHEMA_VERSION = "1.0"
CHUNK = 1 << 20  # bytes


class PrepareError(Exception):
    """It cannot be written; the message says why."""


@dataclass(frozen=True, slots=True)
class Written:
    """A file that was written, and what it was made of. ``link``: what it says, if it is one."""

    path: str
    size: int
    sha256: str
    origin: str
    origin_sha256: str
    link: str | None = None


def carry_out(tree: Tree, plan: Plan, out: str) -> tuple[Written, ...]:
    """Write the files of a plan.

    Args:
        tree: what it was planned for; only read.
        plan: what is written.
        out: a folder that does not exist, or is empty.

    Raises:
        PrepareError: there is something already.
        OSError: it cannot be read or written.
    """
    if os.path.lexists(out) and not (os.path.isdir(out) and not os.listdir(out)):
        raise PrepareError(f"{out} is there already and not empty")
    os.makedirs(out, exist_ok=True)
    return tuple(_written(tree, path, plan.files[path], out) for path in sorted(plan.files))


def _written(tree: Tree, path: str, content: Content, out: str) -> Written:
    target = os.path.join(out, path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if content.link is not None:
        os.symlink(content.link, target)
        digest = hashlib.sha256(os.fsencode(content.link)).hexdigest()
        return Written(path, 0, digest, content.origin, digest, content.link)
    with tree.opened(content.origin) as source, open(target, "x+b") as handle:
        if content.keep:
            _shorten(source, handle, content.keep)
        else:
            _copy(source, handle)
        handle.write(content.added)
        size, digest = handle.tell(), _digest(handle)
        return Written(path, size, digest, content.origin, _digest(source))


def _copy(source: BinaryIO, target: BinaryIO) -> None:
    while chunk := source.read(CHUNK):
        target.write(chunk)


def _shorten(source: BinaryIO, target: BinaryIO, keep: int) -> None:
    """Write beginning and end of a file that is longer than both."""
    target.write(source.read(keep))
    target.write(str(facts()["truncate"]["mark"]).encode())
    source.seek(-keep, os.SEEK_END)
    target.write(source.read(keep))


def _digest(handle: BinaryIO) -> str:
    summary = hashlib.sha256()
    handle.seek(0)
    while chunk := handle.read(CHUNK):
        summary.update(chunk)
    return summary.hexdigest()


def manifest(plan: Plan, written: tuple[Written, ...], rules: RulesetRef) -> str:
    """Return the text of a manifest: what was done, and what each file was made of."""
    document = {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "mlcheck", "version": __version__},
        "ruleset": {"suite": rules.suite, "round": rules.round, "sha256": rules.sha256},
        "steps": [asdict(step) for step in plan.steps],
        "left": list(plan.left),
        "files": [asdict(file) for file in written],
    }
    return json.dumps(document, indent=1) + "\n"
