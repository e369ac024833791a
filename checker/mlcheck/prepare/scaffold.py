"""Files for a new system: from another system of the submitter, or empty ones to fill in.

What a person has to say is left blank, and mlcheck verify says so until it is filled in. Which
files there are is the suite's: ``suites/SUITE/scaffold.py``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mlcheck.documents import read_document
from mlcheck.tree import Tree, Unreadable, join

Files = dict[str, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSystem:
    """What is to be made.

    Attributes:
        results: BENCHMARK or BENCHMARK/SCENARIO, as the suite has it, to make folders for.
    """

    division: str
    submitter: str
    name: str
    implementation: str
    results: tuple[str, ...] = ()


def readme(title: str) -> bytes:
    """Return a text that asks to be written."""
    return f"# {title}\n\nSay here how this was made: software, commands, settings.\n".encode()


def as_json(fields: Mapping[str, Any]) -> bytes:
    """Return a document as a file holds it."""
    return (json.dumps(fields, indent=2, ensure_ascii=False) + "\n").encode()


def like(tree: Tree, path: str, **known: str) -> bytes:
    """Return the description of another system, with what is known of the new one in its place.

    Raises:
        ValueError: it is not there, or cannot be read.
    """
    document = read_document(tree, path)
    if document.problem:
        raise ValueError(f"{path}: {document.problem}")
    return as_json({**document.fields, **known})


def copied(tree: Tree, above: str, other: str, name: str) -> Files:
    """Return the files of the folder of another system under a new name.

    Files whose names begin with that of the system are renamed as well.

    Raises:
        ValueError: one cannot be read.
    """
    files: Files = {}
    for folder in tree.walk(join(above, other)):
        below = folder.path.removeprefix(join(above, other)).lstrip("/")
        for file in sorted(folder.files):
            raw = tree.read(join(folder.path, file))
            if isinstance(raw, Unreadable):
                raise ValueError(f"{join(folder.path, file)}: {raw.reason}")  # noqa: TRY004
            renamed = name + file.removeprefix(other) if file.startswith(f"{other}_") else file
            files[join(above, name, below, renamed)] = raw
    return files


def require_known(what: str, name: str, known: Mapping[str, Any] | tuple[str, ...]) -> None:
    """Refuse a name that a round does not know.

    Raises:
        ValueError: it does not; the message lists those it does.
    """
    if name not in known:
        raise ValueError(f"no {what} {name!r}; known: {', '.join(known)}")


def write_new(files: Mapping[str, bytes], root: str) -> Iterator[str]:
    """Write files that are not there yet; yield their paths.

    Raises:
        OSError: one cannot be written.
    """
    for path, raw in files.items():
        target = os.path.join(root, path)
        if os.path.lexists(target):
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "xb") as handle:
            handle.write(raw)
        yield path
