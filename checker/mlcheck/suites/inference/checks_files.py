"""Rules about files and folders whatever they hold: links, sizes, names."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mlcheck.rules import Flaw, Rule, Scope
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.package import Package
from mlcheck.tree import Folder, LinkKind, join

SR_STRUCTURE = "submission_rules.adoc#directory-structure"


@dataclass(frozen=True, slots=True)
class _Fault:
    kind: LinkKind
    says: str
    hint: str


_BROKEN = _Fault(LinkKind.BROKEN, "leads nowhere", "mend or remove the link")
_OUTSIDE = _Fault(
    LinkKind.OUTSIDE,
    "leads out of the submission",
    "replace the link by a copy of what it points to",
)
_LOOP = _Fault(LinkKind.LOOP, "leads back to a folder above it", "remove the link")


def _links(package: Package, fault: _Fault) -> Iterator[Flaw]:
    for home, folder in package.folders:
        for name in sorted(n for n, kind in folder.links.items() if kind is fault.kind):
            yield _link(package, home, folder, name, fault)


def _link(package: Package, home: str, folder: Folder, name: str, fault: _Fault) -> Flaw:
    return Flaw(
        path=join(folder.path, name),
        message=f"link {name} {fault.says}",
        expected="a link to something inside the submission",
        hint=fault.hint,
        results=package.below(home),
    )


def _links_official(package: Package, fault: _Fault) -> Iterator[Flaw]:
    """Yield the links of files that name nothing as seen from the root. Whole links count as broken
    ones.
    """
    for home, folder in package.folders:
        for name, text in sorted(folder.texts.items()):
            kind = folder.links.get(name, LinkKind.BROKEN)
            leads = name in folder.folders or package.tree.exists_from_root(text)
            if kind is fault.kind and not leads:
                yield _link(package, home, folder, name, fault)


def broken_links(package: Package, _: Facts) -> Iterator[Flaw]:
    """Every symbolic link leads to something that is there."""
    yield from _links(package, _BROKEN)


def broken_links_official(package: Package, _: Facts) -> Iterator[Flaw]:
    """The official tool looks for the target from the root, not from the folder of the link."""
    yield from _links_official(package, _BROKEN)


def links_out_of_the_tree(package: Package, _: Facts) -> Iterator[Flaw]:
    """No symbolic link leads out of the submission; such links are not followed."""
    yield from _links(package, _OUTSIDE)


def links_out_of_the_tree_official(package: Package, _: Facts) -> Iterator[Flaw]:
    """The official tool only refuses those whose target it does not find from the root."""
    yield from _links_official(package, _OUTSIDE)


def link_loops(package: Package, _: Facts) -> Iterator[Flaw]:
    """No symbolic link leads to a folder that contains it; such links are not followed."""
    yield from _links(package, _LOOP)


def link_loops_official(package: Package, _: Facts) -> Iterator[Flaw]:
    """The official tool only refuses those whose target it does not find from the root."""
    yield from _links_official(package, _LOOP)


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
        if folder.problem:
            yield Flaw(
                path=folder.path,
                message="folder cannot be listed",
                actual=folder.problem,
                hint="make it readable",
                results=package.below(home),
            )
        for name in folder.special:
            yield Flaw(
                path=join(folder.path, name),
                message=f"{name} is neither file, folder nor link",
                hint="remove it",
                results=package.below(home),
            )


RULES = (
    Rule(
        id="GEN004",
        name="broken-link",
        scope=Scope.PACKAGE,
        voids=False,
        check=broken_links,
        official_check=broken_links_official,
        policy=SR_STRUCTURE,
        why="A link to nothing hides evidence that reviewers look for; the official tool skips "
        "the submitter.",
        fix="Put the file there, or remove the link.",
    ),
    Rule(
        id="GEN005",
        name="link-out-of-tree",
        scope=Scope.PACKAGE,
        voids=False,
        check=links_out_of_the_tree,
        official_check=links_out_of_the_tree_official,
        policy=SR_STRUCTURE,
        why="Such a link works on the machine of the submitter alone, and may show a reviewer "
        "files that were never meant to be published.",
        fix="Replace the link by a copy of its target.",
    ),
    Rule(
        id="GEN006",
        name="link-loop",
        scope=Scope.PACKAGE,
        voids=False,
        check=link_loops,
        official_check=link_loops_official,
        policy=SR_STRUCTURE,
        why="A folder that contains itself has no end; tools hang on it or count its results "
        "again and again.",
        fix="Remove the link.",
    ),
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
