"""Rules about the tree as a whole: what lies where, under which names, and what is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mlcheck.rules import Flaw, Judgement, Rule, Scope
from mlcheck.suites.inference import layout
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.package import Package
from mlcheck.tree import LinkKind, join

SR_STRUCTURE = "submission_rules.adoc#directory-structure"


def stray_root_files(package: Package, facts: Facts) -> Iterator[Flaw]:
    """Beside the divisions the root holds nothing but documents (.md, .pdf)."""
    root = package.tree.folder("")
    suffixes = tuple(facts.files["root_suffixes"])
    strays = sorted(n for n in root.files if not n.endswith(suffixes)) if root else []
    for name in strays:
        yield Flaw(
            path=name,
            message=f"{name} lies in the root of the submission",
            expected=f"only folders and {', '.join(suffixes)} files",
            actual=name,
            hint="move it into the folder of the submitter, or remove it",
            results=package.below(""),
        )


def unknown_divisions(package: Package, facts: Facts) -> Iterator[Flaw]:
    """The folders of the root are divisions of the round."""
    root = package.tree.folder("")
    known = {*facts.divisions, *facts.files["root_folders_ignored"]}
    for name in sorted(set(root.folders) - known) if root else ():
        yield Flaw(
            path=name,
            message=f"{name} is no division, nothing in it was judged",
            expected=", ".join(facts.divisions),
            actual=name,
            hint="rename it to a division, or move it out of the submission",
            results=(),
        )


def stray_division_files(package: Package, facts: Facts) -> Iterator[Flaw]:
    """A division holds folders of submitters and no files."""
    for division in layout.divisions(package.tree, facts):
        folder = package.tree.folder(division)
        for name in sorted(folder.files) if folder else ():
            yield Flaw(
                path=join(division, name),
                message=f"{name} lies beside the submitters of {division}",
                expected="only folders of submitters",
                actual=name,
                hint="move it into the folder of a submitter, or remove it",
                results=package.below(division),
            )


def _links(kind: LinkKind, says: str, hint: str) -> Callable[[Package, Facts], Iterator[Flaw]]:
    def check(package: Package, _: Facts) -> Iterator[Flaw]:
        for home, folder in package.folders:
            for name in sorted(n for n, found in folder.links.items() if found is kind):
                yield Flaw(
                    path=join(folder.path, name),
                    message=f"link {name} {says}",
                    expected="a link to something inside the submission",
                    hint=hint,
                    results=package.below(home),
                )

    return check


def broken_links(package: Package, facts: Facts) -> Iterator[Flaw]:
    """Every symbolic link leads to something that is there."""
    yield from _links(LinkKind.BROKEN, "leads nowhere", "mend or remove the link")(package, facts)


def links_out_of_the_tree(package: Package, facts: Facts) -> Iterator[Flaw]:
    """No symbolic link leads out of the submission; such links are not followed."""
    hint = "replace the link by a copy of what it points to"
    yield from _links(LinkKind.OUTSIDE, "leads out of the submission", hint)(package, facts)


def link_loops(package: Package, facts: Facts) -> Iterator[Flaw]:
    """No symbolic link leads to a folder that contains it; such links are not followed."""
    hint = "remove the link"
    yield from _links(LinkKind.LOOP, "leads back to a folder above it", hint)(package, facts)


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
        package, lambda name: not name.isprintable(), "is not printable text", "rename it"
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


def submitters_without_results(package: Package, facts: Facts) -> Iterator[Flaw]:
    """Every folder of a submitter holds results; otherwise nothing of it is judged."""
    for _, submitter, home in package.homes():
        if not package.below(home):
            yield Flaw(
                path=home,
                message=f"{submitter} has no results, nothing of it was judged",
                expected=f"{home}/{facts.layout['results']}/SYSTEM/BENCHMARK/SCENARIO",
                hint="add the results, or remove the folder",
                results=(),
            )


def _with_results(package: Package, home: str, facts: Facts) -> set[str]:
    results = package.tree.folder(join(home, facts.layout["results"]))
    return set(results.folders) if results else set()


def systems_without_results(package: Package, facts: Facts) -> Iterator[Flaw]:
    """Every described system has results."""
    for _, _, home in package.homes():
        if not package.below(home):
            continue  # GEN012
        folder = package.tree.folder(join(home, facts.layout["systems"]))
        names = (
            {n.removesuffix(".json") for n in folder.files if n.endswith(".json")}
            if folder
            else set()
        )
        for name in sorted(names - _with_results(package, home, facts)):
            yield Flaw(
                path=join(home, facts.layout["systems"], f"{name}.json"),
                message=f"{name} is described but has no results",
                expected=join(home, facts.layout["results"], name),
                hint="remove the description, or add the results",
                results=(),
            )


def measurements_without_results(package: Package, facts: Facts) -> Iterator[Flaw]:
    """Every folder of measurements belongs to a system with results."""
    top = facts.layout["measurements"].partition("/")[0]
    if top == facts.layout["results"]:
        return  # measurements lie inside the results of this round
    for _, _, home in package.homes():
        folder = package.tree.folder(join(home, top))
        if folder is None or not package.below(home):
            continue
        for name in sorted(set(folder.folders) - _with_results(package, home, facts)):
            yield Flaw(
                path=join(home, top, name),
                message=f"{name} has measurements but no results",
                expected=join(home, facts.layout["results"], name),
                hint="remove the measurements, or add the results",
                results=(),
            )


def _calibration(package: Package, facts: Facts, names: list[str]) -> Iterator[Flaw]:
    where = facts.layout["calibration"]
    for division, submitter, home in package.homes():
        if not facts.divisions[division].closed_rules or not package.below(home):
            continue
        folders = [package.tree.folder(join(home, place)) for place in where["folders"]]
        if any(folder and name in folder.files for folder in folders for name in names):
            continue
        yield Flaw(
            path=home,
            message=f"{submitter} has no calibration document",
            expected=" or ".join(join(place, n) for place in where["folders"] for n in names[:1]),
            hint="describe how weights were calibrated, or that they were not",
            results=package.below(home),
        )


def missing_calibration(package: Package, facts: Facts) -> Iterator[Flaw]:
    """A closed or network submitter has a calibration document, .md or .adoc, in its folder or in
    documentation/.
    """
    yield from _calibration(package, facts, facts.layout["calibration"]["files"])


def missing_calibration_official(package: Package, facts: Facts) -> Iterator[Judgement]:
    """The official tool knows the document by one name only."""
    yield from _calibration(package, facts, facts.layout["calibration"]["official_files"])


RULES = (
    Rule(
        id="GEN001",
        name="stray-root-file",
        scope=Scope.PACKAGE,
        voids=False,
        check=stray_root_files,
        policy=SR_STRUCTURE,
        why="The root is shared by all submitters of a round; the official tool judges nothing while other files lie there.",
        fix="Move the file into the folder of the submitter, or remove it.",
    ),
    Rule(
        id="GEN002",
        name="unknown-division",
        scope=Scope.PACKAGE,
        voids=False,
        check=unknown_divisions,
        policy=SR_STRUCTURE,
        why="What lies in a folder of another name is judged by nobody, and a misspelt division would pass in silence.",
        fix="Name the folder closed, open or network, or take it out of the submission.",
    ),
    Rule(
        id="GEN003",
        name="stray-division-file",
        scope=Scope.PACKAGE,
        voids=False,
        check=stray_division_files,
        policy=SR_STRUCTURE,
        why="The official tool skips a whole division while files lie beside its submitters.",
        fix="Move the file into the folder of a submitter, or remove it.",
    ),
    Rule(
        id="GEN004",
        name="broken-link",
        scope=Scope.PACKAGE,
        voids=False,
        check=broken_links,
        policy=SR_STRUCTURE,
        why="A link to nothing hides evidence that reviewers look for; the official tool skips the submitter.",
        fix="Put the file there, or remove the link.",
    ),
    Rule(
        id="GEN005",
        name="link-out-of-tree",
        scope=Scope.PACKAGE,
        voids=False,
        check=links_out_of_the_tree,
        policy=SR_STRUCTURE,
        why="Such a link works on the machine of the submitter alone, and may show a reviewer files that were never meant to be published.",
        fix="Replace the link by a copy of its target.",
    ),
    Rule(
        id="GEN006",
        name="link-loop",
        scope=Scope.PACKAGE,
        voids=False,
        check=link_loops,
        policy=SR_STRUCTURE,
        why="A folder that contains itself has no end; tools hang on it or count its results again and again.",
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
        why="Names with a dot in front get lost between machines; the official tool skips the submitter.",
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
        id="GEN012",
        name="submitter-without-results",
        scope=Scope.PACKAGE,
        voids=False,
        check=submitters_without_results,
        policy=SR_STRUCTURE,
        why="A tool that says nothing of an empty submission looks as if it had passed.",
        fix="Add the results, or remove the folder.",
    ),
    Rule(
        id="GEN013",
        name="empty-folder",
        scope=Scope.PACKAGE,
        voids=False,
        check=empty_folders,
        policy=SR_STRUCTURE,
        why="git does not keep empty folders, so the published tree would differ; the official tool skips the submitter.",
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
        id="GEN015",
        name="system-without-results",
        scope=Scope.PACKAGE,
        voids=False,
        check=systems_without_results,
        policy=SR_STRUCTURE,
        why="A description without results is usually left over from a template or a renamed system.",
        fix="Remove the description, or add the results.",
    ),
    Rule(
        id="GEN016",
        name="measurements-without-results",
        scope=Scope.PACKAGE,
        voids=False,
        check=measurements_without_results,
        policy=SR_STRUCTURE,
        why="Measurements without results are usually left over from a renamed system.",
        fix="Remove them, or add the results.",
    ),
    Rule(
        id="GEN017",
        name="calibration-document-missing",
        scope=Scope.PACKAGE,
        voids=False,
        check=missing_calibration,
        official_check=missing_calibration_official,
        policy="inference_rules.adoc#weight-definition-and-quantization",
        why="Quantised weights are only comparable if everybody can see how they were calibrated.",
        fix="Add documentation/calibration.md; say so if nothing was calibrated.",
    ),
)
