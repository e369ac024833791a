"""Rules about the tree as a whole: what lies where, what is missing, what was copied."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.copies import LogTrace
from mlcheck.rules import Flaw, Rule, Scope
from mlcheck.suites import tree_flaws
from mlcheck.suites.mobile.facts import Facts
from mlcheck.suites.mobile.layout import ACCURACY, PERFORMANCE
from mlcheck.suites.mobile.package import Package
from mlcheck.tree import join

MR_STRUCTURE = "mobile_inference_rules.adoc#directory-structure"
MR_LOADGEN = "mobile_inference_rules.adoc#loadgen-operation"
MR_SHARED = "mobile_inference_rules.adoc#benchmark-implementations-must-be-shared"
MR_CONSISTENT = "mobile_inference_rules.adoc#system-and-framework-must-be-consistent"


def nothing_submitted(package: Package, facts: Facts) -> Iterator[Flaw]:
    """A submitter has results."""
    for view in package.submitters:
        if not view.systems:
            yield Flaw(
                path=view.path,
                message=f"{view.name} has no results in the {view.division} division",
                expected=f"{facts.layout['results']}/SYSTEM/TASK/SCENARIO",
                hint="take the folder away, or give the results",
                results=(),
            )


def strays(package: Package, facts: Facts) -> Iterator[Flaw]:
    """The root holds divisions and documents, a division holds submitters."""
    passed, endings = set(facts.files["root_ignored"]), tuple(facts.files["root_documents"])
    for name in sorted(set(package.root.folders) - passed - set(facts.divisions)):
        yield Flaw(
            path=name,
            message=f"{name} is no division, and nothing in it was judged",
            expected=" or ".join(facts.divisions),
            hint="rename it to a division, or move it out of the submission",
            results=(),
        )
    for folder in (package.root, *package.divisions):
        for name in sorted(folder.files):
            document = name.endswith(endings) if not folder.path else name.startswith(".")
            beside = "submitters" if folder.path else "divisions"
            if not document:
                yield Flaw(
                    path=join(folder.path, name),
                    message=f"{name} lies beside the folders of {beside}",
                    expected="folders alone",
                    hint="move it into the folder of a submitter",
                    results=(),
                )


def links_not_followed(package: Package, _: Facts) -> Iterator[Flaw]:
    """Links lead to something inside the submission."""
    for folder in package.folders:
        yield from tree_flaws.stray_links(folder, package.below)


def not_a_file(package: Package, _: Facts) -> Iterator[Flaw]:
    """A submission holds files and folders that can be read, and nothing else."""
    for folder in package.folders:
        yield from tree_flaws.unreadable_places(folder, package.below)


def described_without_results(package: Package, facts: Facts) -> Iterator[Flaw]:
    """Every description is of a system with results."""
    for view in package.submitters:
        known = {name.casefold() for name in view.systems}
        for name in sorted(n for n in view.described if n.casefold() not in known):
            path = join(view.path, facts.layout["systems"], f"{name}.json")
            if view.systems:  # otherwise MOB001
                yield Flaw(
                    path=path,
                    message="description is of no system with results",
                    expected=", ".join(view.systems),
                    actual=name,
                    hint="name it like the folder of the results, or take it away",
                    results=(),
                )


def measured_without_results(package: Package, facts: Facts) -> Iterator[Flaw]:
    """Every folder of measurements is of a system with results."""
    for view in package.submitters:
        for name in sorted(set(view.measured) - set(view.systems)):
            if view.systems:
                yield Flaw(
                    path=join(view.path, facts.layout["measurements"], name),
                    message="measurements are of no system with results",
                    expected=", ".join(view.systems),
                    actual=name,
                    hint="name the folder like that of the results, or take it away",
                    results=(),
                )


def missing_calibration(package: Package, facts: Facts) -> Iterator[Flaw]:
    """Each submitter explains how models were quantised, in Calibration.md."""
    for view in package.submitters:
        if view.systems and (view.calibration is None or view.calibration[1] == 0):
            there = view.calibration
            yield Flaw(
                path=there[0] if there else view.path,
                message="writeup on quantisation is empty"
                if there
                else "Calibration.md is missing",
                expected="how weights and activations were quantised",
                hint="describe it, and with which calibration data",
                results=view.results,
            )


def missing_code(package: Package, facts: Facts) -> Iterator[Flaw]:
    """Each submitter gives its glue code, pre- and post-processing, and models or their hashes."""
    for view in package.submitters:
        if view.systems and not view.code:
            yield Flaw(
                path=view.path,
                message=f"folder {facts.layout['code']} is missing or empty",
                expected=f"{facts.layout['code']}/BENCHMARK and {facts.layout['code']}/RUNTIME",
                hint="add the sources, or say by commit where they are",
                results=view.results,
            )


def _copied(package: Package, kind: str) -> Iterator[Flaw]:
    for found, group in package.copies:
        if found != kind:
            continue
        first, *others = group
        for log in others:
            yield Flaw(
                path=log.path,
                message=f"{kind} log is that of another system",
                expected="a run on this system",
                actual=f"the bytes of {first.path}",
                hint="give the log of this system",
                results=_concerned(group),
            )


def _concerned(group: tuple[LogTrace, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(log.result for log in group))


def copied_performance(package: Package, _: Facts) -> Iterator[Flaw]:
    """No two systems share the log of a performance run."""
    yield from _copied(package, PERFORMANCE)


def copied_accuracy(package: Package, _: Facts) -> Iterator[Flaw]:
    """No two systems share the log of an accuracy run."""
    yield from _copied(package, ACCURACY)


def shared_session(package: Package, _: Facts) -> Iterator[Flaw]:
    """No two systems share a result file or its session."""
    for group in package.sessions:
        first, *others = group
        for each in others:
            yield Flaw(
                path=each.record[0],
                line=each.record[1],
                message="result file is of the session of another system",
                expected="a session of its own",
                actual=f"the session of {first.record[0]}",
                hint="give the result file of this system",
                results=(*first.results, *each.results),
            )


RULES = (
    Rule(
        id="MOB001",
        name="mobile-nothing-submitted",
        scope=Scope.PACKAGE,
        why="A folder without results is a leftover, or something was left out.",
        fix="Take the folder away, or give the results.",
        policy=MR_STRUCTURE,
        check=nothing_submitted,
        voids=False,
    ),
    Rule(
        id="MOB002",
        name="mobile-stray",
        scope=Scope.PACKAGE,
        why="What lies outside the folders of submitters is judged by nobody.",
        fix="Move it to where it belongs.",
        policy=MR_STRUCTURE,
        check=strays,
        voids=False,
    ),
    Rule(
        id="MOB003",
        name="mobile-link",
        scope=Scope.PACKAGE,
        why="A file that is not in the submission cannot be reviewed.",
        fix="Put a copy of the file in place of the link.",
        policy=MR_STRUCTURE,
        check=links_not_followed,
        voids=False,
    ),
    Rule(
        id="MOB004",
        name="mobile-not-a-file",
        scope=Scope.PACKAGE,
        why="Pipes, sockets and devices hold no evidence.",
        fix="Take them away.",
        policy=MR_STRUCTURE,
        check=not_a_file,
        voids=False,
    ),
    Rule(
        id="MOB005",
        name="mobile-description-without-results",
        scope=Scope.PACKAGE,
        why="Results may have been left out, or lie under another name.",
        fix="Name the description like the folder of the results.",
        policy=MR_STRUCTURE,
        check=described_without_results,
        voids=False,
    ),
    Rule(
        id="MOB006",
        name="mobile-measurements-without-results",
        scope=Scope.PACKAGE,
        why="Results may have been left out, or lie under another name.",
        fix="Name the folder like that of the results.",
        policy=MR_STRUCTURE,
        check=measured_without_results,
        voids=False,
    ),
    Rule(
        id="MOB007",
        name="mobile-calibration-missing",
        scope=Scope.PACKAGE,
        why="Reviewers judge from it whether models are equivalent to the reference.",
        fix="Write Calibration.md.",
        policy=MR_STRUCTURE,
        check=missing_calibration,
        voids=False,
    ),
    Rule(
        id="MOB008",
        name="mobile-code-missing",
        scope=Scope.PACKAGE,
        why="Other submitters review the code, and look for what detects the benchmark.",
        fix="Add the code, or say by commit where it is.",
        policy=MR_SHARED,
        check=missing_code,
        voids=False,
    ),
    Rule(
        id="MOB601",
        name="mobile-performance-log-copied",
        scope=Scope.PACKAGE,
        why="A run on one device says nothing of another.",
        fix="Give the log of a run on each device.",
        policy=MR_CONSISTENT,
        check=copied_performance,
    ),
    Rule(
        id="MOB602",
        name="mobile-accuracy-log-copied",
        scope=Scope.PACKAGE,
        why="Every performance result needs an accuracy run of its own, even with the same code.",
        fix="Give the log of an accuracy run on each device.",
        policy=MR_LOADGEN,
        check=copied_accuracy,
    ),
    Rule(
        id="MOB603",
        name="mobile-session-shared",
        scope=Scope.PACKAGE,
        why="The app gives every session an identity of its own.",
        fix="Give each system its own result file.",
        policy=MR_CONSISTENT,
        check=shared_session,
    ),
)
