"""Rules about the device that was measured, and the conditions of the run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.mobile.checks_description import MR_AVAILABLE, MR_SYSTEM, SP_CONDITIONS
from mlcheck.suites.mobile.description import members
from mlcheck.suites.mobile.entry import SystemView
from mlcheck.suites.mobile.facts import Facts, plain
from mlcheck.suites.mobile.values import number, shown


def engineering_build(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """A device of the category Available runs software that is sold; one of R&D says so in its
    name.
    """
    record = system.record
    if record is None:
        return  # MOB201, MOB202
    said = [system.name, *(system.description.stated.values() if system.description else ())]
    if any(_admits(text, word) for text in said for word in facts.engineering["names"]):
        return
    for name in ("os_version", "model_name", "model_code", "model"):
        value = record.environment.get(name, "")
        sign = next((word for word in facts.engineering["builds"] if word in value), None)
        if sign:
            yield Flaw(
                path=record.path,
                line=record.line_of(name),
                message="device is an engineering one, and its name does not say so",
                expected="a device that is sold, or R&D in the name of the system",
                actual=shown(value),
                hint="submit it as R&D SoC, and name it so",
            )
            return


def _admits(text: str, word: str) -> bool:
    """Tell whether a text holds a word, between signs or at its ends."""
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", text.casefold()) is not None


def another_os_build(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """The operating system described is the one that the app saw."""
    record, described = system.record, system.description
    if record is None or described is None:
        return
    saw = record.environment.get("os_version", "").split()
    says = described.stated.get("operating_system", "").split()
    for word in says:
        alike = int(facts.tolerances["shared_characters"])
        near = any(each[:alike] == word[:alike] for each in saw if len(word) > alike)
        if near and word not in saw:
            yield Flaw(
                path=described.document.path,
                message="description is of another build of the operating system",
                expected=shown(" ".join(saw)),
                actual=shown(word),
                hint="describe the build that was measured; the app recorded it",
            )
            return


def another_device(system: SystemView, facts: Facts) -> Iterator[Flaw]:
    """The device described bears a name by which the app saw it: of its maker, model or code."""
    record, described = system.record, system.description
    if record is None or described is None or "device" not in described.stated:
        return
    names = ("manufacturer", "model_name", "model_code", "model")
    saw = [record.environment[name] for name in names if name in record.environment]
    says = described.stated["device"]
    least = int(facts.tolerances["word_characters"])
    words = {plain(word) for name in saw for word in name.split()}
    if saw and not any(len(word) >= least and word in plain(says) for word in words):
        yield Flaw(
            path=described.document.path,
            message="description names the device in no word that the app saw",
            expected=shown(", ".join(dict.fromkeys(saw))),
            actual=shown(says),
            hint="describe the device that was measured, with its model code",
        )


def run_conditions(system: SystemView, facts: Facts) -> Iterator[Judgement]:
    """Room temperature and pauses are recorded, and within what the procedure asks for."""
    given = {}
    if system.description:
        given = {plain(str(name)): (name, v) for name, v in members(system.description.fields)}
    for name, limits in facts.conditions.items():
        stated, value = given.get(plain(name), (name, None))
        measured = number(value)
        if measured is None:
            yield Unjudged(f"{name} is recorded in no file")
        elif system.description and not _within(measured, limits["at_least"], limits["at_most"]):
            most = "" if limits["at_most"] is None else f" to {limits['at_most']}"
            yield Flaw(
                path=system.description.document.path,
                line=system.description.document.line_of(str(stated)),
                message=f"{name} is out of range",
                expected=f"{limits['at_least']}{most} {limits['unit']}",
                actual=f"{shown(value)} ({stated})",
                hint="run again under the conditions of the procedure",
            )


def _within(value: float, least: float | None, most: float | None) -> bool:
    return (least is None or value >= least) and (most is None or value <= most)


RULES = (
    Rule(
        id="MOB108",
        name="mobile-engineering-device",
        scope=Scope.SYSTEM,
        why="Reference designs and rooted devices are R&D, and their names say so.",
        fix="Choose the category R&D SoC, and name the device accordingly.",
        policy=MR_AVAILABLE,
        check=engineering_build,
        voids=False,
    ),
    Rule(
        id="MOB109",
        name="mobile-run-conditions",
        scope=Scope.SYSTEM,
        why="A device that is cold or rested runs faster than one in use.",
        fix="Record the conditions in the description.",
        policy=SP_CONDITIONS,
        check=run_conditions,
        voids=False,
    ),
    Rule(
        id="MOB116",
        name="mobile-another-os-build",
        scope=Scope.SYSTEM,
        why="Auditors repeat the result on the build that is described.",
        fix="Describe the build that was measured.",
        policy=MR_SYSTEM,
        check=another_os_build,
        voids=False,
    ),
    Rule(
        id="MOB117",
        name="mobile-another-device",
        scope=Scope.SYSTEM,
        why="A description that was copied may be of another device.",
        fix="Add maker and model code of the device to its description.",
        policy=MR_SYSTEM,
        check=another_device,
        voids=False,
    ),
)
