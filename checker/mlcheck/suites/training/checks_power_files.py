"""Rules about the files of a power measurement: folders of runs, logs of nodes and of switches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mlcheck.rules import Flaw, Rule, Scope
from mlcheck.suites.training.entry import Entry
from mlcheck.suites.training.facts import Facts
from mlcheck.suites.training.power_facts import Meters
from mlcheck.suites.training.power_files import (
    RunPower,
    most_common,
    official_failures,
    official_index,
)
from mlcheck.suites.training.power_log import PowerLog

SR_LAYOUT = "submission_rules.adoc#training"
PM_NODES = "power_measurement.adoc#measure-all-nodes"
PM_RUNS = "power_measurement.adoc#measure-all-runs"
PM_SWITCHES = "power_measurement.adoc#measure-or-estimate-interconnects"


def run_not_measured(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """If power is measured, every run has a folder with the log of at least one node."""
    for run in _runs(entry):
        if not run.nodes:
            yield Flaw(
                path=run.path if run.there else run.log,
                message="run has no log of a node's power",
                expected=f"{run.path}/{_example(facts)}",
                actual=_listed(run.names) if run.there else "no such folder",
                hint="measure every run, or take the power of all runs away",
                official_excused=_excused(entry, facts),
            )


def odd_numbers(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """Logs of nodes and of switches are numbered from 0 in each run."""
    for run in _runs(entry):
        for meters, logs in _kinds(run, facts):
            numbers = sorted(-1 if log.index is None else log.index for log in logs)
            if numbers != list(range(len(numbers))):
                names = [log.path.rpartition("/")[2] for log in logs]
                yield _numbering(entry, facts, run, meters, names)


def odd_numbers_official(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The official check looks at all names that begin so, whatever their extension, and lets
    the same number pass twice.
    """
    for run in _runs(entry):
        for meters, _ in _kinds(run, facts):
            names = [name for name in run.names if name.startswith(meters.prefix)]
            indices = [official_index(name) for name in names]
            if any(index is None or not 0 <= index < len(names) for index in indices):
                yield _numbering(entry, facts, run, meters, names)


def _numbering(entry: Entry, facts: Facts, run: RunPower, meters: Meters, names: list[str]) -> Flaw:
    first, last = (meters.files.replace("*", str(at)) for at in (0, len(names) - 1))
    return Flaw(
        path=run.path,
        message=f"logs of {meters.what}s are not numbered from 0",
        expected=f"{first} to {last}",
        actual=_listed(tuple(names)),
        hint="rename them; the official check refuses the run",
        official_excused=_excused(entry, facts),
    )


def other_count(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """All runs of a result have as many logs of nodes, and of switches."""
    there = [run for run in _runs(entry) if run.there]
    for at in (0, 1):
        counts = [len(_kinds(run, facts)[at][1]) for run in there]
        usual = most_common(counts)
        for run, count in zip(there, counts, strict=True):
            what = _kinds(run, facts)[at][0].what
            if count != usual and (count or what != "node"):  # without any node: run_not_measured
                yield Flaw(
                    path=run.path,
                    message=f"run has another number of {what} logs than the other runs",
                    expected=f"{usual}",
                    actual=f"{count}",
                    hint=f"add the missing logs; every {what} is measured in every run",
                    official_excused=_excused(entry, facts),
                )


def nodes_missing(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """As many nodes are measured as the description of the system names."""
    wrong = [run for run in _runs(entry) if run.nodes and len(run.nodes) != entry.node_count]
    if entry.node_count is not None and wrong:
        counts = sorted({len(run.nodes) for run in wrong})
        more = f", in {len(wrong)} of {len(_runs(entry))} runs"
        yield Flaw(
            path=wrong[0].path,
            message="not as many nodes are measured as the system has",
            expected=f"number_of_nodes: {entry.node_count}",
            actual=f"{' or '.join(map(str, counts))} logs of nodes{more}",
            hint="measure every node that takes part, or mend the description",
        )


def foreign_files(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """Nothing but logs of nodes and switches lies in the folders of a power measurement."""
    if entry.power is None:
        return
    for path, names in [
        (entry.power.path, entry.power.others),
        *((run.path, run.others) for run in entry.power.runs),
    ]:
        if names:
            yield Flaw(
                path=path,
                message="other things lie beside the power logs",
                expected="folders of runs"
                if path == entry.power.path
                else f"{facts.power.nodes.files}, {facts.power.switches.files}"
                if facts.power
                else None,
                actual=_listed(names),
                hint="take them away, or rename them if they are logs of meters",
            )


def interconnect_missing(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """With more than one node, the power of the interconnect is measured or estimated."""
    without = [run for run in _runs(entry) if len(run.nodes) > 1 and not run.switches]
    if without and facts.power:
        yield Flaw(
            path=without[0].path,
            message="nothing is said of the power of the interconnect",
            expected=f"{facts.power.switches.files.replace('*', '0')} with its estimate",
            actual=f"{len(without[0].nodes)} nodes and no switch, in {len(without)} runs",
            hint="measure the switches, or log their highest specified power",
        )


def broken_log(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Every log of a meter can be read, and holds lines of its kind."""
    for log in _logs(entry):
        if log.unreadable is not None:
            yield _broken(log, 0, "log of a meter cannot be read", log.unreadable)
        elif not log.marked:
            yield _broken(log, 0, "log of a meter holds no line of the format", "0 lines")
        elif log.broken:
            first = log.problems[0]
            more = f", and {log.broken - 1} more such lines" if log.broken > 1 else ""
            yield _broken(
                log, first.line, "line of a meter's log cannot be read", first.message + more
            )


def _broken(log: PowerLog, line: int, message: str, actual: str) -> Flaw:
    return Flaw(
        path=log.path,
        line=line,
        message=message,
        expected=":::MLLOG and an object with key, value, time_ms, metadata",
        actual=actual,
        hint="copy the log anew; the official summary leaves such lines out",
    )


def _runs(entry: Entry) -> tuple[RunPower, ...]:
    return entry.power.runs if entry.power else ()


def _logs(entry: Entry) -> Iterator[PowerLog]:
    for run in _runs(entry):
        yield from run.nodes
        yield from run.switches


def _kinds(run: RunPower, facts: Facts) -> tuple[tuple[Meters, tuple[PowerLog, ...]], ...]:
    if facts.power is None:
        return ()
    return ((facts.power.nodes, run.nodes), (facts.power.switches, run.switches))


def _excused(entry: Entry, facts: Facts) -> bool:
    """Whether so few runs fail, by their logs or by their power, that they count as slowest."""
    if entry.power is None or facts.power is None or entry.rules is None:
        return False
    failed = official_failures(entry.power, facts.power)
    if failed is None:
        return False
    logs = {
        run.path.rpartition("/")[2].rpartition(".")[0] for run in entry.runs if not run.official
    }
    return len(failed | logs) <= entry.rules.dropped


def _example(facts: Facts) -> str:
    return facts.power.nodes.files.replace("*", "0") if facts.power else ""


def _listed(names: tuple[str, ...]) -> str:
    counts = Counter(names)
    shown = ", ".join(sorted(counts)[:3])
    return f"{shown} and {len(names) - 3} more" if len(names) > 3 else shown or "nothing"


RULES = (
    Rule(
        id="PWR801",
        name="power-run-missing",
        scope=Scope.RESULT,
        why="Power is measured in all runs, so that the same ones count as for the time to train.",
        fix="Measure every run, or take the power of all runs away.",
        policy=PM_RUNS,
        check=run_not_measured,
        voids=False,
    ),
    Rule(
        id="PWR802",
        name="power-logs-misnumbered",
        scope=Scope.RESULT,
        why="The official check refuses a run whose numbers do not go from 0 to one less than the "
        "number of logs; the policy says only how the files are named.",
        fix="Number the logs from 0.",
        policy=SR_LAYOUT,
        check=odd_numbers,
        official_check=odd_numbers_official,
        voids=False,
    ),
    Rule(
        id="PWR803",
        name="power-logs-differ-in-number",
        scope=Scope.RESULT,
        why="A node that is measured in some runs only makes their energies incomparable.",
        fix="Add the missing logs.",
        policy=PM_NODES,
        check=other_count,
        voids=False,
    ),
    Rule(
        id="PWR804",
        name="power-nodes-missing",
        scope=Scope.RESULT,
        why="All nodes that take part are measured.",
        fix="Measure every node, or mend number_of_nodes.",
        policy=PM_NODES,
        check=nodes_missing,
        voids=False,
    ),
    Rule(
        id="PWR805",
        name="power-files-foreign",
        scope=Scope.RESULT,
        why="A log under another name is not counted.",
        fix="Take other files away, or rename them.",
        policy=SR_LAYOUT,
        check=foreign_files,
        voids=False,
    ),
    Rule(
        id="PWR806",
        name="power-interconnect-missing",
        scope=Scope.RESULT,
        why="Switches that carry weights or activations are part of the system.",
        fix="Measure them, or log their highest specified power in sw_N.txt.",
        policy=PM_SWITCHES,
        check=interconnect_missing,
        voids=False,
    ),
    Rule(
        id="PWR807",
        name="power-log-broken",
        scope=Scope.RESULT,
        why="The official summary leaves lines out that it cannot read, and with them energy.",
        fix="Copy the log anew from the meter.",
        policy=PM_RUNS,
        check=broken_log,
        voids=False,
    ),
)
