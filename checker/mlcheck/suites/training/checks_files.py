"""Rules about the folder of a result: its name, its logs, what lies beside them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from mlcheck.rules import Flaw, Rule, Scope
from mlcheck.suites.training.entry import Entry
from mlcheck.suites.training.facts import Facts
from mlcheck.suites.training.predicate import number
from mlcheck.suites.training.rcp import Verdict
from mlcheck.suites.training.waivers import is_reason, waivers

TR_RESULTS = "training_rules.adoc#benchmark-results"
TR_SCALING = "training_rules.adoc#score-scaling"
TR_RCP_GUIDE = "training_rules.adoc#rcp-rules-and-guidelines"
SR_LAYOUT = "submission_rules.adoc#training"


def unknown_benchmark(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """The folder of a result has the name of a benchmark of the round."""
    if entry.benchmark is None:
        near = f"; the logs say {entry.logged.name}" if entry.logged else ""
        yield Flaw(
            path=entry.path,
            message=f"{entry.benchmark_raw} is no benchmark of {facts.round}",
            expected=", ".join(sorted(facts.benchmarks)),
            actual=entry.benchmark_raw + near,
            hint="rename the folder; the official checker skips it, and its result is lost",
        )


def wrong_number_of_logs(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """A result has exactly as many logs as its benchmark asks for."""
    if entry.benchmark and len(entry.runs) != entry.benchmark.runs:
        yield Flaw(
            path=entry.path,
            message=f"{entry.benchmark_raw} has {len(entry.runs)} logs",
            expected=f"{entry.benchmark.runs}",
            actual=f"{len(entry.runs)}",
            hint="give the logs of as many consecutive runs, named result_0.txt and so on",
        )


def oddly_named_logs(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """Logs are numbered from 0 without a gap."""
    numbers = []
    for run in entry.runs:
        found = facts.log_name.match(run.path.rpartition("/")[2])
        numbers.append(int(found[1][:18]) if found else -1)
    if entry.runs and sorted(numbers) != list(range(len(numbers))):
        names = sorted(run.path.rpartition("/")[2] for run in entry.runs)
        yield Flaw(
            path=entry.path,
            message="logs are not numbered from 0",
            expected=f"{facts.layout['log_example']} to result_{len(numbers) - 1}.txt",
            actual=", ".join(names[:3]),
            hint="number them in the order in which the runs started",
        )


def stray_files(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """Nothing but logs lies in the folder of a result."""
    if entry.others:
        more = "" if len(entry.others) <= 3 else f" and {len(entry.others) - 3} more"
        yield Flaw(
            path=entry.path,
            message="other things lie beside the logs",
            expected="result_*.txt",
            actual=", ".join(entry.others[:3]) + more,
            hint="take them away, or rename them if they are logs",
        )


def stale_scaling(entry: Entry, _: Facts) -> Iterator[Flaw]:
    """A file with a scaling factor agrees with what the logs give."""
    document = entry.scaling
    if document is None:
        return
    outcome = entry.converged.official
    if outcome is None:
        return  # TRN703 says why there is no factor
    right = outcome.norm_factor if outcome.verdict is Verdict.SCALED else 1.0
    stated = number(document.fields.get("scaling_factor"))
    if stated is None or not math.isclose(stated, right, rel_tol=1e-9):
        yield Flaw(
            path=document.path,
            line=document.line or 1,
            message="scaling factor is not what the logs give",
            expected=f"{right:.10g}",
            actual=document.problem or f"{document.fields.get('scaling_factor')!r}"[:40],
            hint="delete the file: the factor is computed from the logs, and never read from it",
        )


def bypass_asked_for(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """A check that is bypassed has to be approved by the review."""
    for waiver in waivers(entry.parameters, facts):
        why = f"because {waiver.reason}" if waiver.reason else "without a reason"
        heeded = "" if waiver.heeded else "; the official checker does not heed it"
        yield Flaw(
            path=waiver.path,
            line=waiver.line,
            message=f"{waiver.word} asks to leave out a check",
            expected="an approval of the review committee, and the reason",
            actual=f"{why}{heeded}",
            hint="state the reason for the review in a line that begins with #, before this one",
        )


def unknown_parameter(entry: Entry, facts: Facts) -> Iterator[Flaw]:
    """A file of checker parameters holds parameters that the official checker knows."""
    for text in entry.parameters:
        if text.problem:
            yield Flaw(path=text.path, message="parameters cannot be read", actual=text.problem)
        for line, words in text.numbered():
            word = words.strip()
            if word and word not in facts.parameters and not is_reason(word):
                yield Flaw(
                    path=text.path,
                    line=line,
                    message="parameter is not known",
                    expected=", ".join(sorted(facts.parameters)),
                    actual=word[:60],
                    hint="take it away, or mend its spelling",
                )


RULES = (
    Rule(
        id="TRN201",
        name="benchmark-unknown",
        scope=Scope.RESULT,
        why="The official checker passes over the folder with a warning, and the result is lost.",
        fix="Name the folder after the benchmark.",
        policy=SR_LAYOUT,
        check=unknown_benchmark,
    ),
    Rule(
        id="TRN202",
        name="log-count",
        scope=Scope.RESULT,
        why="With more runs to choose from a better mean could be had.",
        fix="Give the logs of exactly as many consecutive runs.",
        policy=TR_RESULTS,
        check=wrong_number_of_logs,
    ),
    Rule(
        id="TRN203",
        name="log-names",
        scope=Scope.RESULT,
        why="Numbers show which runs followed each other.",
        fix="Name the logs result_0.txt, result_1.txt and so on.",
        policy=SR_LAYOUT,
        check=oddly_named_logs,
        voids=False,
    ),
    Rule(
        id="TRN204",
        name="stray-files",
        scope=Scope.RESULT,
        why="A log with another name is not counted.",
        fix="Take away what is no log.",
        policy=SR_LAYOUT,
        check=stray_files,
        voids=False,
    ),
    Rule(
        id="TRN205",
        name="scaling-stale",
        scope=Scope.RESULT,
        why="Official tools multiply the score with the factor they find, however old it is.",
        fix="Delete the file.",
        policy=TR_SCALING,
        check=stale_scaling,
        voids=False,
    ),
    Rule(
        id="TRN206",
        name="check-bypassed",
        scope=Scope.RESULT,
        why="A bypass lets the upload pass; it approves nothing.",
        fix="Prepare for the audit that the policy describes.",
        policy=TR_RCP_GUIDE,
        check=bypass_asked_for,
        voids=False,
    ),
    Rule(
        id="TRN207",
        name="parameter-unknown",
        scope=Scope.RESULT,
        why="A parameter that is misspelt has no effect.",
        fix="Mend its spelling.",
        policy=TR_RCP_GUIDE,
        check=unknown_parameter,
        voids=False,
    ),
)
