"""Rules about files and folders whatever they hold: sizes, names, places that cannot be read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial

from mlcheck.rules import Flaw, Rule, Scope
from mlcheck.suites import tree_flaws
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.package import Package
from mlcheck.tree import join

SR_STRUCTURE = "submission_rules.adoc#directory-structure"


def large_files(package: Package, facts: Facts) -> Iterator[Flaw]:
    """No file is larger than the limit of the repository that results are published in."""
    limit = facts.limits["file_bytes"]
    for home, folder in package.folders:
        for name in sorted(n for n, size in folder.files.items() if size > limit):
            yield Flaw(
                path=join(folder.path, name),
                message=f"{name} is too large for the results repository",
                expected=f"<= {limit} bytes",
                actual=f"{folder.files[name]} bytes",
                hint="truncate or remove it",
                results=package.below(home),
            )


def _names(
    package: Package, wrong: Callable[[str], bool], message: str, hint: str
) -> Iterator[Flaw]:
    for home, folder in package.folders:
        for name in sorted((*folder.files, *folder.folders, *folder.links)):
            if wrong(name):
                yield Flaw(
                    path=join(folder.path, name),
                    message=f"{name!r} {message}",
                    actual=name,
                    hint=hint,
                    results=package.below(home),
                )


def hidden_names(package: Package, _: Facts) -> Iterator[Flaw]:
    """No name starts with a dot: git and archives lose or hide such files."""
    yield from _names(
        package, lambda name: name.startswith("."), "starts with a dot", "rename or remove it"
    )


def names_with_spaces(package: Package, _: Facts) -> Iterator[Flaw]:
    """No name contains a space."""
    yield from _names(package, lambda name: " " in name, "contains a space", "use _ or - instead")


def unportable_names(package: Package, _: Facts) -> Iterator[Flaw]:
    """Names are printable text; control characters and bytes that are not UTF-8 do not travel."""
    yield from _names(
        package, lambda name: not _printable(name), "is not printable text", "rename it"
    )


def _printable(name: str) -> bool:
    """Tell whether a name is printable UTF-8, whatever the locale takes its bytes for."""
    try:
        return os.fsencode(name).decode().isprintable()
    except UnicodeDecodeError:
        return False


def names_alike(package: Package, _: Facts) -> Iterator[Flaw]:
    """No two names in a folder differ by the case of letters only: many file systems keep one."""
    for home, folder in package.folders:
        first: dict[str, str] = {}
        for name in sorted((*folder.files, *folder.folders, *folder.links)):
            other = first.setdefault(name.lower(), name)
            if other != name:
                yield Flaw(
                    path=join(folder.path, name),
                    message=f"{name!r} and {other!r} differ by the case of letters only",
                    actual=name,
                    hint="rename or remove one of them",
                    results=package.below(home),
                )


def bytecode_folders(package: Package, _: Facts) -> Iterator[Flaw]:
    """There are no ``__pycache__`` folders."""
    for home, folder in package.folders:
        if folder.path.endswith("__pycache__"):
            yield Flaw(
                path=folder.path,
                message="compiled Python files were left in the submission",
                hint="remove the folder",
                results=package.below(home),
            )


def empty_folders(package: Package, _: Facts) -> Iterator[Flaw]:
    """No folder is empty: git does not keep it, and it looks as if something got lost."""
    for home, folder in package.folders:
        if folder.empty:
            yield Flaw(
                path=folder.path,
                message="folder is empty",
                hint="remove it, or add what belongs there",
                results=package.below(home),
            )


def unreadable_places(package: Package, _: Facts) -> Iterator[Flaw]:
    """Every folder can be listed, and nothing is a device, pipe or socket."""
    for home, folder in package.folders:
        yield from tree_flaws.unreadable_places(folder, partial(_of_submitter, package, home))


def _of_submitter(package: Package, home: str, _: str) -> tuple[str, ...]:
    """Return the results of a submitter, whatever the path: the place may hold any of them."""
    return package.below(home)


RULES = (
    Rule(
        id="GEN007",
        name="file-too-large",
        scope=Scope.PACKAGE,
        voids=False,
        check=large_files,
        policy=SR_STRUCTURE,
        why="The results repository refuses large files; the official tool skips the submitter.",
        fix="Truncate accuracy logs with the official script, and leave weights and data out.",
    ),
    Rule(
        id="GEN008",
        name="hidden-name",
        scope=Scope.PACKAGE,
        voids=False,
        check=hidden_names,
        policy=SR_STRUCTURE,
        why="Names with a dot in front get lost between machines; the official tool skips the "
        "submitter.",
        fix="Rename or remove it.",
    ),
    Rule(
        id="GEN009",
        name="space-in-name",
        scope=Scope.PACKAGE,
        voids=False,
        check=names_with_spaces,
        policy=SR_STRUCTURE,
        why="Names with spaces break scripts of the round; the official tool skips the submitter.",
        fix="Use an underscore or a hyphen.",
    ),
    Rule(
        id="GEN010",
        name="unportable-name",
        scope=Scope.PACKAGE,
        voids=False,
        check=unportable_names,
        policy=SR_STRUCTURE,
        why="A name with control characters cannot be shown, typed or published.",
        fix="Rename it with plain letters.",
    ),
    Rule(
        id="GEN011",
        name="bytecode-folder",
        scope=Scope.PACKAGE,
        voids=False,
        check=bytecode_folders,
        policy=SR_STRUCTURE,
        why="Compiled files say nothing to a reviewer; the official tool skips the submitter.",
        fix="Remove the folder.",
    ),
    Rule(
        id="GEN013",
        name="empty-folder",
        scope=Scope.PACKAGE,
        voids=False,
        check=empty_folders,
        policy=SR_STRUCTURE,
        why="git does not keep empty folders, so the published tree would differ; the official "
        "tool skips the submitter.",
        fix="Remove it, or add what belongs there.",
    ),
    Rule(
        id="GEN014",
        name="unreadable-place",
        scope=Scope.PACKAGE,
        voids=False,
        check=unreadable_places,
        policy=SR_STRUCTURE,
        why="What cannot be read cannot be judged.",
        fix="Make it readable, or remove it.",
    ),
    Rule(
        id="GEN019",
        name="names-differ-by-case",
        scope=Scope.PACKAGE,
        voids=False,
        check=names_alike,
        policy=SR_STRUCTURE,
        why="Where letters have no case, one of the two files or folders is lost.",
        fix="Rename or remove one of them.",
    ),
)
