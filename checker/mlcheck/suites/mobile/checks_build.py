"""Rules about the build of the app and its backends, as the result file states them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mlcheck.rules import Flaw, Judgement, Unjudged
from mlcheck.suites.mobile.checks_record import NO_RECORD, record_rule
from mlcheck.suites.mobile.entry import SystemView
from mlcheck.suites.mobile.facts import Facts, plain
from mlcheck.suites.mobile.record import ResultFile
from mlcheck.suites.mobile.values import flag, shown, text

MR_LOGGING = "mobile_inference_rules.adoc#logging-requirements"
MR_REPLICATION = "mobile_inference_rules.adoc#source-code-requirements-for-replication"
MR_CONSISTENT = "mobile_inference_rules.adoc#system-and-framework-must-be-consistent"
NO_BUILD = "the result file says nothing of the build of the app"


def _built(system: SystemView, name: str) -> Iterator[tuple[ResultFile, Any, Unjudged | None]]:
    record = system.record
    if record is None:
        yield ResultFile(path=system.path), None, Unjudged(NO_RECORD, skipped=True)
    elif record.build is None or name not in record.build:
        yield record, None, Unjudged(NO_BUILD)
    else:
        yield record, record.build[name], None


def unofficial_build(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The app is an official release, or reviewers have built it themselves."""
    name = "official_release_flag"
    for record, value, unjudged in _built(system, name):
        if unjudged:
            yield unjudged
        elif value is not True:
            yield Flaw(
                path=record.path,
                line=record.line_of(name),
                message="app is no official release",
                expected="true",
                actual=shown(value),
                hint="give reviewers the sources of the build, to repeat the result with",
            )


def dirty_build(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The app is built from its commit, without changes beside it."""
    name = "git_dirty_flag"
    for record, value, unjudged in _built(system, name):
        if unjudged:
            yield unjudged
        elif value is not False:
            yield Flaw(
                path=record.path,
                line=record.line_of(name),
                message="app is built from sources with uncommitted changes",
                expected="false",
                actual=shown(value),
                hint="commit the changes and build anew, or give them as a patch",
            )


def unknown_commit(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The result file names the commit that the app is built from."""
    name = "git_commit"
    for record, value, unjudged in _built(system, name):
        if unjudged:
            yield unjudged
        elif text(value) is None:
            yield Flaw(
                path=record.path,
                line=record.line_of(name),
                message="commit of the app is not recorded",
                expected="a commit",
                actual=shown(value) or "empty",
                hint="build from a git checkout, or name the commit in the code folder",
            )


def another_version(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """The app is that of the round."""
    name = "version"
    for record, value, unjudged in _built(system, name):
        if unjudged:
            yield unjudged
        elif not facts.is_app_of_round(text(value) or ""):
            yield Flaw(
                path=record.path,
                line=record.line_of(name),
                message="app is of another version than the round",
                expected=" or ".join(facts.app["versions"]),
                actual=shown(value),
                hint="build from the branch of the round, or show that nothing differs",
            )


def test_build(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """The app is not built for tests of itself."""
    record = system.record
    if record and record.build and flag(record.build.get("dev_test_flag")):
        yield Flaw(
            path=record.path,
            line=record.line_of("dev_test_flag"),
            message="app is built for tests of itself",
            expected="false",
            actual="true",
            hint="measure with a release build",
        )


def unknown_backend(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """The backend is one of the app's, and the delegate one of its choices."""
    known = facts.app["backends"]
    for entry in system.entries:
        backend = entry.recorded.backend if entry.recorded else None
        if backend is None or backend.library is None:
            continue  # MOB203, or a form of the file without backends
        choices = known.get(backend.library)
        odd = None
        if choices is None:
            odd = ("backend", backend.library, tuple(known))
        elif backend.delegate and backend.delegate not in choices["delegates"]:
            odd = ("delegate", backend.delegate, choices["delegates"])
        elif backend.vendor and plain(backend.vendor) not in map(plain, choices["vendors"]):
            odd = ("vendor", backend.vendor, choices["vendors"])
        if odd:
            yield Flaw(
                path=entry.record_path,
                line=entry.recorded.line if entry.recorded else 0,
                message=f"{odd[0]} is not known of the app of the round",
                expected=" or ".join(odd[2]),
                actual=shown(odd[1]),
                hint="name it in the code folder, with its sources",
                results=(entry.id,),
            )


def another_accelerator(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """A task ran on the accelerator that its settings ask for."""
    for entry in system.entries:
        backend = entry.recorded.backend if entry.recorded else None
        if backend and backend.asked and backend.used:
            asked, used = plain(backend.asked), plain(backend.used)
            if asked not in used and used not in asked:
                yield Flaw(
                    path=entry.record_path,
                    line=entry.recorded.line if entry.recorded else 0,
                    message="task ran on another accelerator than asked for",
                    expected=shown(backend.asked),
                    actual=shown(backend.used),
                    hint="say why: the backend may have fallen back to it",
                    results=(entry.id,),
                )


def foreign_backend(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """The backend of a task is one that the build contains."""
    record = system.record
    listed = record.build.get("backend_list") if record and record.build else None
    if record is None or not isinstance(listed, list):
        return  # MOB203
    names = {each.removesuffix(".so") for each in listed if isinstance(each, str)}
    for entry in system.entries:
        library = entry.recorded.backend.library if entry.recorded else None
        if library and library not in names:
            yield Flaw(
                path=record.path,
                line=entry.recorded.line if entry.recorded else 0,
                message="backend is not in the list of the build",
                expected=" or ".join(sorted(names)) or "a list of backends",
                actual=shown(library),
                hint="export the file from the build that ran",
                results=(entry.id,),
            )


RULES = (
    record_rule(
        "MOB207",
        "build-unofficial",
        unofficial_build,
        "What was changed in the app can be told from its sources alone.",
        "Give reviewers the sources of the build.",
        MR_REPLICATION,
    ),
    record_rule(
        "MOB208",
        "build-dirty",
        dirty_build,
        "The recorded commit is not what ran.",
        "Build from a commit, or give the changes as a patch.",
        MR_REPLICATION,
    ),
    record_rule(
        "MOB209",
        "build-commit-unknown",
        unknown_commit,
        "Sources are identified by their commit.",
        "Build from a git checkout.",
        MR_REPLICATION,
    ),
    record_rule(
        "MOB210",
        "app-version",
        another_version,
        "Another version may ask for other tasks, seeds or limits.",
        "Build from the branch of the round.",
        MR_LOGGING,
    ),
    record_rule(
        "MOB211",
        "build-for-tests",
        test_build,
        "Such a build skips what a measurement needs.",
        "Measure with a release build.",
        MR_LOGGING,
    ),
    record_rule(
        "MOB212",
        "backend-unknown",
        unknown_backend,
        "Backends and delegates are part of the app, and reviewed with it.",
        "Name it in the code folder, with its sources.",
        MR_CONSISTENT,
    ),
    record_rule(
        "MOB213",
        "another-accelerator",
        another_accelerator,
        "A task that fell back to another processor is not what was meant to be measured.",
        "Say why, or run again.",
        MR_CONSISTENT,
    ),
    record_rule(
        "MOB214",
        "backend-not-in-build",
        foreign_backend,
        "The record is of another build than it says.",
        "Export the file from the build that ran.",
        MR_LOGGING,
    ),
)
