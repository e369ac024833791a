"""Rules about symbolic links."""

from __future__ import annotations

from collections.abc import Iterator
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
)
