"""Flaws of what lies in a tree, in whatever suite: closed folders, devices, links that lead astray.

Callers give ``below``, which names the results that a path concerns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from mlcheck.rules import Flaw
from mlcheck.tree import Folder, LinkKind, join

Below = Callable[[str], tuple[str, ...]]

LINKS = {
    LinkKind.BROKEN: "leads nowhere",
    LinkKind.OUTSIDE: "leads out of the submission",
    LinkKind.LOOP: "leads back to a folder above it",
}


def touching(results: Iterable[tuple[str, str]], path: str) -> tuple[str, ...]:
    """Return the ids of the (path, id) results that a path holds, or that hold it."""
    return tuple(
        id_
        for result, id_ in results
        if path in ("", result) or result.startswith(f"{path}/") or path.startswith(f"{result}/")
    )


def stray_links(folder: Folder, below: Below) -> Iterator[Flaw]:
    """Yield a flaw per link of a folder that was not followed."""
    for name, kind in sorted(folder.links.items()):
        path = join(folder.path, name)
        yield Flaw(
            path=path,
            message=f"link {name} {LINKS[kind]}",
            expected="a link to something inside the submission",
            actual=folder.texts.get(name, "")[:80] or None,
            hint="put a copy of the file in its place",
            results=below(path),
        )


def unreadable_places(folder: Folder, below: Below) -> Iterator[Flaw]:
    """Yield a flaw for a folder that cannot be listed, and per device, pipe or socket in it."""
    if folder.problem:
        yield Flaw(
            path=folder.path,
            message="folder cannot be listed",
            actual=folder.problem,
            hint="make it readable",
            results=below(folder.path),
        )
    for name in folder.special:
        path = join(folder.path, name)
        yield Flaw(
            path=path,
            message=f"{name} is neither file, folder nor link",
            hint="remove it",
            results=below(path),
        )
