"""Steps for a tree of inference: names of scenarios, inferred results, truncated accuracy logs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from mlcheck.documents import read_text
from mlcheck.prepare.plan import Plan, Step, facts
from mlcheck.suites.inference import layout
from mlcheck.suites.inference.entry import Entry, SystemView
from mlcheck.suites.inference.facts import Benchmark, Facts, Needs
from mlcheck.suites.inference.parse import by_benchmark, read_system
from mlcheck.suites.inference.parse_logs import ACCURACY_JSON, ACCURACY_TEXT
from mlcheck.suites.inference.score import logged_scenario
from mlcheck.tree import Tree, join

HIGH, LOW = "-99.9", "-99"
CHUNK = 1 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Home:
    """Where the folders of a result lie, from the root on."""

    results: str
    measurements: str
    compliance: str


def prepared(tree: Tree, plan: Plan, rules: Facts, submitter: str | None, *, infer: bool) -> Plan:
    """Return a plan with everything done that needs nobody's judgement."""
    systems = [
        read_system(tree, place, rules) for place in layout.system_places(tree, rules, submitter)
    ]
    plan = truncated(tree, plan, rules)
    for system in systems:
        plan = with_names(plan, system, rules)
        if infer:
            plan = with_scenarios(plan, system, rules)
            plan = with_low_accuracy(plan, system, rules)
    return plan


def _home(system: SystemView, benchmark: str, scenario: str, rules: Facts) -> Home:
    above = join(system.division.name, system.submitter)
    names = {"system": system.name, "benchmark": benchmark, "scenario": scenario}
    return Home(
        results=join(system.path, benchmark, scenario),
        measurements=join(above, rules.layout["measurements"].format_map(names)),
        compliance=join(above, rules.layout["compliance"].format_map(names)),
    )


def _folders(home: Home) -> tuple[str, ...]:
    return tuple(dict.fromkeys((home.results, home.measurements, home.compliance)))


def with_names(plan: Plan, system: SystemView, rules: Facts) -> Plan:
    """Return a plan in which scenario folders are spelt as the rules do."""
    for entry in system.entries:
        if entry.scenario is None or entry.scenario_raw == entry.scenario.name:
            continue
        if entry.scenario_raw in rules.scenario_names:
            continue  # a spelling that the official tool takes
        before = _home(system, entry.benchmark_raw, entry.scenario_raw, rules)
        after = _home(system, entry.benchmark_raw, entry.scenario.name, rules)
        plan = _moved(plan, before, after, "the name of the scenario")
    return plan


def _moved(plan: Plan, before: Home, after: Home, why: str) -> Plan:
    for source, target in zip(_folders(before), _folders(after), strict=True):
        if not plan.holds(source):
            continue
        if plan.holds(target):
            return replace(plan, left=(*plan.left, f"{source}: {target} is there already"))
        moved = plan.copying(source, target)
        kept = {p: made for p, made in plan.files.items() if not p.startswith(f"{source}/")}
        step = Step(kind="rename", path=target, origin=source, why=why)
        plan = Plan({**kept, **moved}, (*plan.steps, step), plan.left)
    return plan


def with_scenarios(plan: Plan, system: SystemView, rules: Facts) -> Plan:
    """Return a plan in which scenarios that are missing are inferred where the round allows it.

    A result that was inferred itself is not a source; of several sources the one that the rule
    file names first is taken.
    """
    if system.system_type not in rules.inferred_system_types:
        return plan
    for view in by_benchmark(system):
        needs = _needs(view.benchmark, system.system_type)
        measured = {
            entry.scenario.name: entry
            for entry in view.entries
            if entry.scenario and _is_measured(entry, rules)
        }
        present = {e.scenario.name for e in view.entries if e.scenario}
        wanted = (needs.required | needs.optional) - present if needs else frozenset()
        for folder, logged in rules.inferred:
            if folder in wanted and logged in measured:
                source = measured[logged]
                plan = _copied(
                    plan,
                    _home(system, view.benchmark_raw, source.scenario_raw, rules),
                    _home(system, view.benchmark_raw, folder, rules),
                    f"{folder} may be inferred from {logged}",
                    (source.scenario_raw, folder),
                )
                wanted -= {folder}
    return plan


def _is_measured(entry: Entry, rules: Facts) -> bool:
    logged = logged_scenario(entry.log, rules) if entry.log else None
    return entry.scenario is not None and logged is not None and logged.name == entry.scenario.name


def _needs(benchmark: Benchmark | None, kind: str | None) -> Needs | None:
    if benchmark is None or kind is None:
        return None
    return benchmark.needs.get(kind) or benchmark.needs.get(",".join(reversed(kind.split(","))))


def with_low_accuracy(plan: Plan, system: SystemView, rules: Facts) -> Plan:
    """Return a plan in which a result of high accuracy stands for the lower one as well."""
    views = by_benchmark(system)
    present = {view.benchmark.name for view in views if view.benchmark}
    for view in views:
        name = view.benchmark.name if view.benchmark else ""
        low = name.removesuffix(HIGH) + LOW
        if not name.endswith(HIGH) or low not in rules.benchmarks or low in present:
            continue
        target = view.benchmark_raw.removesuffix(HIGH) + LOW
        if _needs(rules.benchmarks[low], system.system_type) is None:
            continue
        for entry in view.entries:
            plan = _copied(
                plan,
                _home(system, view.benchmark_raw, entry.scenario_raw, rules),
                _home(system, target, entry.scenario_raw, rules),
                f"{name} meets the target of {low}",
                None,
            )
        code = join(system.division.name, system.submitter, rules.layout["code"])
        if plan.holds(join(code, view.benchmark_raw)) and not plan.holds(join(code, target)):
            source, made = join(code, view.benchmark_raw), join(code, target)
            step = Step(kind="infer", path=made, origin=source, why=f"the code of {low}")
            plan = plan.having(plan.copying(source, made), [step])
    return plan


def _copied(
    plan: Plan, before: Home, after: Home, why: str, renamed: tuple[str, str] | None
) -> Plan:
    """Copy the folders of a result; names of files end with their scenario in some of them."""
    for source, target in zip(_folders(before), _folders(after), strict=True):
        if not plan.holds(source) or plan.holds(target):
            continue
        files = plan.copying(source, target)
        if renamed:
            files = {_renamed(path, *renamed): made for path, made in files.items()}
        step = Step(kind="infer", path=target, origin=source, why=why)
        plan = plan.having(files, [step])
    return plan


def _renamed(path: str, before: str, after: str) -> str:
    folder, _, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    if not stem.endswith(f"_{before}"):
        return path
    return join(folder, stem.removesuffix(before) + after + dot + ending)


def truncated(tree: Tree, plan: Plan, rules: Facts) -> Plan:
    """Return a plan in which accuracy logs are as short as the round asks for.

    The hash of the whole log goes into accuracy.txt beside it, where there is one.
    """
    for path in [path for path in plan.files if "/" in path and _is_accuracy_log(path)]:
        plan = _shortened(tree, plan, path, rules)
    return plan


def _is_accuracy_log(path: str) -> bool:
    """Tell whether a file is the accuracy log of a result, or of a test that is truncated too."""
    *above, folder, name = path.split("/")
    test = above[-1] if above else ""
    known = not test.startswith("TEST") or test in facts()["truncate"]["tests"]
    return folder == "accuracy" and name == ACCURACY_JSON and known


def _shortened(tree: Tree, plan: Plan, path: str, rules: Facts) -> Plan:
    content, keep = plan.files[path], int(facts()["truncate"]["keep_bytes"])
    folder, _, name = content.origin.rpartition("/")
    here = tree.folder(folder)
    size = here.files.get(name, 0) if here else 0
    if size > rules.limits["accuracy_json_bytes"] and content.link is None:
        step = Step(
            kind="truncate",
            path=path,
            why=f"{size:,} bytes, the round takes {rules.limits['accuracy_json_bytes']:,}",
        )
        plan = plan.having({path: replace(content, keep=keep)}, [step])
    return _hashed(tree, plan, path, rules)


def _hashed(tree: Tree, plan: Plan, path: str, rules: Facts) -> Plan:
    text_path = f"{path.rpartition('/')[0]}/{ACCURACY_TEXT}"
    text = plan.files.get(text_path)
    if text is None or text.link is not None:
        return plan
    pattern, log = rules.accuracy_hash, plan.files[path].origin
    said = _lines(tree, text.origin)
    known = next((hit[0] for line in said if (hit := pattern.search(line))), None)
    digest, marked = _digest(tree, log)
    if known and (digest is None or digest in known or plan.files[path].keep == 0):
        return plan
    if known:
        return replace(plan, left=(*plan.left, f"{text_path}: the hash there is of another log"))
    if marked or digest is None:
        return replace(
            plan, left=(*plan.left, f"{path}: was truncated before and its hash is not known")
        )
    step = Step(kind="hash", path=text_path, why="the hash of the whole log")
    added = f"\nhash={digest}\n".encode()
    return plan.having({text_path: replace(text, added=added)}, [step])


def _lines(tree: Tree, path: str) -> Iterable[str]:
    return read_text(tree, path).lines


def _digest(tree: Tree, path: str) -> tuple[str | None, bool]:
    """Return the SHA-256 of a file, and whether it holds the mark of a truncated one."""
    summary, mark = hashlib.sha256(), str(facts()["truncate"]["mark"]).encode()
    before, marked = b"", False
    try:
        with tree.opened(path) as handle:
            while chunk := handle.read(CHUNK):
                summary.update(chunk)
                marked = marked or mark in before + chunk
                before = chunk[-len(mark) :]
    except OSError:
        return None, False
    return summary.hexdigest(), marked
