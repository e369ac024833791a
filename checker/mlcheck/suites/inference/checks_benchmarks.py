"""Rules about which benchmarks are there, and for which category of systems."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.entry import BenchmarkView, Entry
from mlcheck.suites.inference.facts import Facts, Needs

IR_SCENARIOS = "inference_rules.adoc#constraints-for-the-closed-division"
NO_TYPE = "the system type is missing or unknown (SYS004, SYS008)"
NO_BENCHMARK = "the benchmark is unknown (INF201)"


def needs_of(view: BenchmarkView | Entry) -> Needs | None:
    """Return what a benchmark asks of a category of systems; None: it is not made for them."""
    if view.benchmark is None or view.system_type is None:
        return None
    kind = view.system_type
    turned = ",".join(reversed(kind.split(",")))
    return view.benchmark.needs.get(kind) or view.benchmark.needs.get(turned)


def unknown_benchmarks(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """A benchmark folder has a name of the round; in open, model_mapping.json may map others."""
    guessed = entry.benchmark_by == "guess" and entry.division.closed_rules
    if entry.benchmark is None or guessed:
        yield _unknown(entry, facts)


def unknown_benchmarks_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool also guesses from parts of a name, such as mobilenet; it minds capital
    letters and may lack a benchmark of the round.
    """
    known = entry.benchmark is not None and entry.benchmark.official
    if not known or entry.benchmark_by == "case":
        yield _unknown(entry, facts)


def _unknown(entry: Entry, facts: Facts) -> Flaw:
    closed = entry.division.closed_rules
    mapping = "" if closed else f", or an entry in {facts.layout['model_mapping']['file']}"
    return Flaw(
        path=entry.path.rpartition("/")[0],
        message=f"{entry.benchmark_raw} is no benchmark of the round",
        expected=f"one of {', '.join(facts.benchmarks)}{mapping}",
        actual=entry.benchmark_raw,
        hint="rename the folder in results, measurements, compliance and code"
        if closed
        else "map the model to the benchmark it stands for",
    )


def benchmark_outside_category(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """In closed and network a benchmark is run on a category of systems that it is made for."""
    if entry.benchmark is None:
        yield Unjudged(NO_BENCHMARK, skipped=True)
    elif entry.system_type not in facts.system["types"]:
        yield Unjudged(NO_TYPE, skipped=True)
    elif entry.division.closed_rules:
        yield from _outside(entry)


def benchmark_outside_category_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool of some rounds holds open to it too."""
    concerned = entry.division.closed_rules or facts.official["category_in_open"]
    if concerned and entry.benchmark and entry.system_type in facts.system["types"]:
        yield from _outside(entry)


def _outside(entry: Entry) -> Iterator[Flaw]:
    if needs_of(entry) is None and entry.benchmark:
        yield Flaw(
            path=entry.path.rpartition("/")[0],
            message=f"{entry.benchmark.name} is no benchmark for {entry.system_type} systems",
            expected=" or ".join(entry.benchmark.needs),
            actual=entry.system_type,
            hint="move it to the open division, or correct the system type",
        )


RULES = (
    Rule(
        id="INF201",
        name="benchmark-unknown",
        scope=Scope.RESULT,
        check=unknown_benchmarks,
        official_check=unknown_benchmarks_official,
        policy=IR_SCENARIOS,
        why="A result is only comparable with results of the same benchmark.",
        fix="Use a name of the round, or in open a model_mapping.json.",
    ),
    Rule(
        id="INF202",
        name="benchmark-outside-category",
        scope=Scope.RESULT,
        check=benchmark_outside_category,
        official_check=benchmark_outside_category_official,
        policy=IR_SCENARIOS,
        why="Datacenter and edge are ranked apart, with benchmarks of their own.",
        fix="Correct the system type, or move the result to open.",
    ),
)
