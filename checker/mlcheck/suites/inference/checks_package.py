"""Rules about the tree as a whole: what lies where, under which names, and what is missing."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Flaw, Judgement, Rule, Scope
from mlcheck.suites.inference import layout
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.package import Package
from mlcheck.tree import Tree, join

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


def submitters_without_results_official(package: Package, facts: Facts) -> Iterator[Flaw]:
    """The official tool passes them over, unless there is a folder of results and one is empty."""
    for flaw in submitters_without_results(package, facts):
        started = package.tree.folder(join(flaw.path, facts.layout["results"])) is not None
        if started and any(folder.empty for folder in package.tree.walk(flaw.path)):
            yield flaw


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


def systems_measured_without_results(package: Package, facts: Facts) -> Iterator[Flaw]:
    """Every folder of measurements belongs to a system with results."""
    for path, results in _beside_results(package, facts, "measurements"):
        yield from _left(package.tree, path, results, "measurements", range(1, 2))


def leftovers(package: Package, facts: Facts) -> Iterator[Flaw]:
    """Measurements of a benchmark or scenario, and compliance tests, belong to results."""
    for path, results in _beside_results(package, facts, "measurements"):
        yield from _left(package.tree, path, results, "measurements", range(2, 4))
    for path, results in _beside_results(package, facts, "compliance"):
        yield from _left(package.tree, path, results, "compliance tests", range(1, 4))


def _beside_results(package: Package, facts: Facts, kind: str) -> Iterator[tuple[str, str]]:
    """Yield a folder of each submitter and the one of the results, if they are not the same."""
    top, results = facts.layout[kind].partition("/")[0], facts.layout["results"]
    for _, _, home in package.homes():
        if package.below(home) and top != results:
            yield join(home, top), join(home, results)


def _left(
    tree: Tree, path: str, results: str, what: str, levels: range, level: int = 1
) -> Iterator[Flaw]:
    """Yield the highest folders below ``path`` that ``results`` lacks; letters may be capital.

    Level 1 is that of systems, 2 of benchmarks, 3 of scenarios; those in ``levels`` are reported.
    """
    here, there = tree.folder(path), tree.folder(results)
    names = {name.lower(): name for name in there.folders} if there else {}
    for name in sorted(here.folders) if here else ():
        own, counterpart = join(path, name), join(results, names.get(name.lower(), name))
        if name.lower() not in names and level in levels:
            yield Flaw(
                path=own,
                message=f"{name} has {what} but no results",
                expected=counterpart,
                hint=f"remove the {what}, or add the results",
                results=(),
            )
        elif name.lower() in names and level + 1 < levels.stop:
            yield from _left(tree, own, counterpart, what, levels, level + 1)


def _calibration(package: Package, facts: Facts, names: list[str], least: int) -> Iterator[Flaw]:
    where = facts.layout["calibration"]
    for division, submitter, home in package.homes():
        if not facts.divisions[division].closed_rules or not package.below(home):
            continue
        folders = [package.tree.folder(join(home, place)) for place in where["folders"]]
        sizes = [folder.files.get(name, -1) for folder in folders if folder for name in names]
        if max(sizes, default=-1) >= least:
            continue
        yield Flaw(
            path=home,
            message=f"{submitter} has no calibration document",
            expected=" or ".join(join(place, n) for place in where["folders"] for n in names[:1]),
            actual="an empty file" if max(sizes, default=-1) == 0 else None,
            hint="describe how weights were calibrated, or that they were not",
            results=package.below(home),
        )


def missing_calibration(package: Package, facts: Facts) -> Iterator[Flaw]:
    """A closed or network submitter has a calibration document, .md or .adoc, in its folder or in
    documentation/, and it is not empty.
    """
    yield from _calibration(package, facts, facts.layout["calibration"]["files"], 1)


def missing_calibration_official(package: Package, facts: Facts) -> Iterator[Judgement]:
    """The official tool knows the document by one name only, and takes an empty one."""
    yield from _calibration(package, facts, facts.layout["calibration"]["official_files"], 0)


RULES = (
    Rule(
        id="GEN001",
        name="stray-root-file",
        scope=Scope.PACKAGE,
        voids=False,
        check=stray_root_files,
        policy=SR_STRUCTURE,
        why="The root is shared by all submitters of a round; the official tool judges nothing "
        "while other files lie there.",
        fix="Move the file into the folder of the submitter, or remove it.",
    ),
    Rule(
        id="GEN002",
        name="unknown-division",
        scope=Scope.PACKAGE,
        voids=False,
        check=unknown_divisions,
        policy=SR_STRUCTURE,
        why="What lies in a folder of another name is judged by nobody, and a misspelt division "
        "would pass in silence.",
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
        id="GEN012",
        name="submitter-without-results",
        scope=Scope.PACKAGE,
        voids=False,
        check=submitters_without_results,
        official_check=submitters_without_results_official,
        policy=SR_STRUCTURE,
        why="A tool that says nothing of an empty submission looks as if it had passed.",
        fix="Add the results, or remove the folder.",
    ),
    Rule(
        id="GEN015",
        name="system-without-results",
        scope=Scope.PACKAGE,
        voids=False,
        check=systems_without_results,
        policy=SR_STRUCTURE,
        why="A description without results is usually left over from a template or a renamed "
        "system.",
        fix="Remove the description, or add the results.",
    ),
    Rule(
        id="GEN016",
        name="measurements-without-results",
        scope=Scope.PACKAGE,
        voids=False,
        check=systems_measured_without_results,
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
    Rule(
        id="GEN018",
        name="leftover-without-results",
        scope=Scope.PACKAGE,
        voids=False,
        check=leftovers,
        policy=SR_STRUCTURE,
        why="Reviewers look for a result that is not there, or the result got lost.",
        fix="Remove what is left over, or add the results.",
    ),
)
