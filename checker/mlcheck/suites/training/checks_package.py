"""Rules about the tree as a whole: files, code, copies between results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from mlcheck.rules import Flaw, Rule, Scope
from mlcheck.suites import tree_flaws
from mlcheck.suites.training.facts import Facts
from mlcheck.suites.training.package import Package
from mlcheck.tree import join

SR_LAYOUT = "submission_rules.adoc#training"
SR_CODE = "submission_rules.adoc#source-code"
SR_FILES = "submission_rules.adoc#directory-structure"
TR_SCORING = "training_rules.adoc#scoring"


def code_missing(package: Package, facts: Facts) -> Iterator[Flaw]:
    """The code of every benchmark with results lies in its folder of ``benchmarks``."""
    code = facts.layout["code"]
    for submitter in package.submitters:
        for benchmark, results in submitter.benchmarks.items():
            if benchmark not in submitter.code:
                yield Flaw(
                    path=submitter.name,
                    message=f"no code is given for {benchmark}",
                    expected=join(submitter.name, code, benchmark, "implementations"),
                    actual="no such folder with files",
                    hint="add the implementation with its README and run_and_time.sh",
                    results=results,
                )


def description_without_results(package: Package, facts: Facts) -> Iterator[Flaw]:
    """Every described system has results."""
    for submitter in package.submitters:
        for name in sorted(set(submitter.described) - set(submitter.systems)):
            yield Flaw(
                path=join(submitter.name, facts.layout["systems"], f"{name}.json"),
                message=f"{name} is described but has no results",
                expected=join(submitter.name, facts.layout["results"], name),
                hint="give the results, or take the description away",
                results=(),
            )


def foreign_folder(package: Package, facts: Facts) -> Iterator[Flaw]:
    """Folders of the root are submitters with results and systems."""
    for name in package.others:
        yield Flaw(
            path=name,
            message="folder of the root is no submitter",
            expected=f"{name}/{facts.layout['results']} and {name}/{facts.layout['systems']}",
            hint="take it away, or put the results where they belong",
            results=(),
        )


def odd_names(package: Package, facts: Facts) -> Iterator[Flaw]:
    """No name begins with a dot or holds a blank."""
    characters = facts.files["forbidden_characters"]
    for folder in package.folders:
        if not folder.path:
            continue  # the root holds the files of the repository
        for name in sorted({*folder.files, *folder.folders, *folder.links}):
            if name.startswith(".") or any(character in name for character in characters):
                path = join(folder.path, name)
                yield Flaw(
                    path=path,
                    message="name begins with a dot or holds a blank",
                    actual=name[:60],
                    hint="rename it, or take it away",
                    results=package.below(path),
                )


def large_files(package: Package, facts: Facts) -> Iterator[Flaw]:
    """No file is larger than the repository takes."""
    for folder in package.folders:
        for name, size in folder.files.items():
            if size > facts.file_bytes:
                path = join(folder.path, name)
                yield Flaw(
                    path=path,
                    message="file is too large for the repository",
                    expected=f"<= {facts.file_bytes} bytes",
                    actual=f"{size} bytes",
                    hint="take it away, or log less",
                    results=package.below(path),
                )


def lost_links(package: Package, _: Facts) -> Iterator[Flaw]:
    """Links lead to something inside the tree."""
    for folder in package.folders:
        yield from tree_flaws.stray_links(folder, package.below)


def odd_files(package: Package, _: Facts) -> Iterator[Flaw]:
    """The tree holds files and folders that can be read, and nothing else."""
    for folder in package.folders:
        yield from tree_flaws.unreadable_places(folder, package.below)


def shared_runs(package: Package, _: Facts) -> Iterator[Flaw]:
    """No two results share runs."""
    pairs: dict[tuple[str, str], list[str]] = defaultdict(list)
    for copy, first in package.copies:
        pairs[copy.rpartition("/")[0], first.rpartition("/")[0]].append(copy)
    for (here, there), logs in pairs.items():
        yield Flaw(
            path=logs[0],
            message="result shares runs with another one",
            expected="runs of its own",
            actual=f"{len(logs)} of {there}",
            hint="tell the review why, such as a measurement of power",
            results=package.below(here),
        )


RULES = (
    Rule(
        id="TRN001",
        name="training-code-missing",
        scope=Scope.PACKAGE,
        why="Results are accepted with the code that made them.",
        fix="Add the implementation.",
        policy=SR_CODE,
        check=code_missing,
        voids=False,
    ),
    Rule(
        id="TRN002",
        name="training-description-without-results",
        scope=Scope.PACKAGE,
        why="Results were left out, or a name is misspelt.",
        fix="Give the results, or take the description away.",
        policy=SR_LAYOUT,
        check=description_without_results,
        voids=False,
    ),
    Rule(
        id="TRN003",
        name="training-foreign-folder",
        scope=Scope.PACKAGE,
        why="Results in it are not looked at.",
        fix="Take it away.",
        policy=SR_LAYOUT,
        check=foreign_folder,
        voids=False,
    ),
    Rule(
        id="TRN004",
        name="training-odd-name",
        scope=Scope.PACKAGE,
        why="The repository of results refuses such names.",
        fix="Rename it.",
        policy=SR_FILES,
        check=odd_names,
        voids=False,
    ),
    Rule(
        id="TRN005",
        name="training-file-too-large",
        scope=Scope.PACKAGE,
        why="The repository of results refuses such files.",
        fix="Take it away, or log less.",
        policy=SR_FILES,
        check=large_files,
        voids=False,
    ),
    Rule(
        id="TRN006",
        name="training-link-lost",
        scope=Scope.PACKAGE,
        why="On another machine the file is not there.",
        fix="Give the file itself.",
        policy=SR_FILES,
        check=lost_links,
        voids=False,
    ),
    Rule(
        id="TRN007",
        name="training-odd-file",
        scope=Scope.PACKAGE,
        why="What cannot be read cannot be reviewed.",
        fix="Take it away, or make it readable.",
        policy=SR_FILES,
        check=odd_files,
        voids=False,
    ),
    Rule(
        id="TRN008",
        name="training-shared-runs",
        scope=Scope.PACKAGE,
        why="A result of other runs says nothing about this system.",
        fix="Give runs of this system.",
        policy=TR_SCORING,
        check=shared_runs,
        voids=False,
    ),
)
