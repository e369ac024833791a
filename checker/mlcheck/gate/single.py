"""Judge a single log, run folder or scenario folder: the smallest submission is made around it.

It is made of copies in a folder that is gone afterwards. Only rules that need no more than a run
are run (``run`` in ``rules/SUITE/gate.yaml``), and findings get the paths that the user knows.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from mlcheck.gate.facts import gate_facts, matching
from mlcheck.model import Finding, Outcome, Report, Result, Severity
from mlcheck.ruleset import load
from mlcheck.suites.inference import single as inference
from mlcheck.suites.mobile import single as mobile
from mlcheck.suites.training import single as training
from mlcheck.tree import Tree, Unreadable, join
from mlcheck.verdicts import decided

DETAIL = "mlperf_log_detail.txt"
ACCURACY = "accuracy"  # ends the name of a folder with an accuracy run, in any suite
MOST_FILES = 200  # of a run folder; one of a submission has a dozen
_Home = Callable[[Tree, PurePosixPath, str | None], str | None]
# In this order: inference takes whatever log of LoadGen there is.
_HOMES: dict[str, _Home] = {
    "mobile": mobile.single_home,
    "inference": inference.single_home,
    "training": training.single_home,
}


class NoRunError(Exception):
    """It is no run; the message says why."""


@dataclass(frozen=True, slots=True)
class Single:
    """A submission made around a run.

    Attributes:
        home: where the files lie in it.
        shown: what the user calls that place; empty: standard input.
        name: the name of the one file, if it is one, in ``home``.
    """

    root: str
    suite: str
    home: str
    shown: str
    name: str | None = None

    @property
    def able(self) -> frozenset[str]:
        """Ids of the rules that need no more than it."""
        facts = gate_facts(self.suite)
        able = frozenset(matching(facts.run, self.suite))
        if PurePosixPath(self.home).name.endswith(ACCURACY):
            return able.difference(matching(facts.performance, self.suite))
        return able


@contextmanager
def around(
    path: str, raw: bytes | None, benchmark: str | None, suite: str | None = None
) -> Iterator[Single]:
    """Yield a submission that holds a run.

    Args:
        path: a log, a run folder or a scenario folder; ``-`` for ``raw``.
        raw: bytes of a log.
        benchmark: its name, if the user says it.
        suite: likewise; one that there is.

    Raises:
        NoRunError: it is none.
    """
    with tempfile.TemporaryDirectory(prefix="mlcheck-") as scratch:
        run = os.path.join(scratch, "run")
        os.mkdir(run)
        name = _gather(path, raw, run)
        real = PurePosixPath(Path(path).resolve()) if raw is None else PurePosixPath()
        found, home = _home(Tree(run), real, benchmark, suite)
        if home is None:
            raise NoRunError(f"{path} holds no run of {suite or 'any suite'}")
        root = os.path.join(scratch, "submission")
        os.makedirs(os.path.dirname(os.path.join(root, home)))
        os.rename(run, os.path.join(root, home))
        yield Single(root, found, home, "" if raw is not None else path.rstrip("/"), name)


def _home(
    run: Tree, real: PurePosixPath, benchmark: str | None, suite: str | None
) -> tuple[str, str | None]:
    """Return the suite of a run, and the folder of a submission in which it belongs, if any."""
    for name in _HOMES if suite is None else [suite]:
        try:
            home = _HOMES[name](run, real, benchmark)
        except ValueError as err:
            raise NoRunError(str(err)) from err
        if home is not None:
            return name, home
    return suite or "", None


def _gather(path: str, raw: bytes | None, target: str) -> str | None:
    """Copy a run into a folder; return the name of the file if it is a single one."""
    if raw is not None:
        return _put(raw, target)
    if os.path.isdir(path):
        _copy(Tree(path), target)
        return None
    folder, name = os.path.split(os.path.abspath(path))
    read = Tree(folder).read(name)
    if isinstance(read, Unreadable):
        raise NoRunError(f"cannot read {path}: {read.reason}")
    return _put(read, target)


def _put(raw: bytes, target: str) -> str:
    name = training.name_of(raw) or mobile.name_of(raw) or DETAIL
    Path(target, name).write_bytes(raw)
    return name


def _copy(tree: Tree, target: str) -> None:
    copied = 0
    for folder in tree.walk():
        os.makedirs(os.path.join(target, folder.path), exist_ok=True)
        for name in folder.files:
            copied += 1
            if copied > MOST_FILES:
                raise NoRunError(f"{tree.root} holds more than {MOST_FILES} files: it is no run")
            raw = tree.read(join(folder.path, name))
            if not isinstance(raw, Unreadable):
                Path(target, folder.path, name).write_bytes(raw)


def as_user_knows_it(report: Report, single: Single, root: str) -> Report:
    """Return a report with the paths of the run in place of those that were made up."""
    report = unexcused(report)
    return replace(
        report,
        root=root,
        systems=(),
        results=tuple(_result(result, single) for result in report.results),
        findings=tuple(_finding(finding, single) for finding in report.findings),
        outcomes=tuple(_outcome(outcome, single) for outcome in report.outcomes),
    )


def unexcused(report: Report) -> Report:
    """Return a report in which no run is let pass because others of its result are in order."""
    (ref,) = report.rulesets
    weights = load(ref.suite, ref.round).weights
    alone = {r.id for r in report.results if any(run.alone for run in r.runs_detail)}
    findings = tuple(
        replace(finding, severity=weights[finding.rule].severity)
        if finding.severity is Severity.WARNING and alone.intersection(finding.results)
        else finding
        for finding in report.findings
    )
    return replace(report, findings=findings, results=decided(report.results, findings))


def _known(path: str, single: Single) -> str:
    shown = single.shown or "(standard input)"
    if path == single.home or single.home.startswith(f"{path}/"):
        return shown
    if not path.startswith(f"{single.home}/"):
        return path
    rest = path.removeprefix(f"{single.home}/")
    return shown if rest == single.name else f"{shown}/{rest}" if single.name is None else rest


def _finding(finding: Finding, single: Single) -> Finding:
    return replace(finding, path=_known(finding.path, single))


def _result(result: Result, single: Single) -> Result:
    runs = tuple(replace(run, path=_known(run.path, single)) for run in result.runs_detail)
    return replace(result, path=_known(result.path, single), runs_detail=runs)


def _outcome(outcome: Outcome, single: Single) -> Outcome:
    return replace(outcome, result=_known(outcome.result, single))
