"""Files of a new system of inference: description, documents, measurements, a place for code."""

from __future__ import annotations

from mlcheck.prepare.scaffold import (
    Files,
    NewSystem,
    as_json,
    copied,
    like,
    readme,
    require_known,
)
from mlcheck.suites.inference.facts import Facts
from mlcheck.tree import Tree, join

USER_CONF = (
    "# Settings of LoadGen that differ from mlperf.conf, such as\n"
    "# {benchmark}.{scenario}.target_qps = 1.0\n"
)


def files_of(tree: Tree, new: NewSystem, rules: Facts, other: str | None) -> Files:
    """Return the files of a new system.

    Raises:
        ValueError: a name is not known, or the other system cannot be read.
    """
    require_known("division", new.division, tuple(rules.divisions))
    home = join(new.division, new.submitter)
    results = [_result(text, rules) for text in new.results]
    systems = join(home, rules.layout["systems"])
    if other:
        above = join(home, rules.layout["measurements"].split("/{")[0])
        described = like(tree, join(systems, f"{other}.json"), system_name=new.name)
        return {
            join(systems, f"{new.name}.json"): described,
            **copied(tree, above, other, new.name),
        }
    calibration = rules.layout["calibration"]
    files = {
        join(systems, f"{new.name}.json"): as_json(_blank(new, rules)),
        join(home, "README.md"): readme(new.submitter),
        join(home, calibration["folders"][-1], calibration["files"][0]): readme("Calibration"),
    }
    for benchmark, scenario in results:
        files |= _measurements(new, home, benchmark, scenario, rules)
        code = join(home, rules.layout["code"], benchmark, new.implementation, "README.md")
        files[code] = readme(f"Code of {benchmark}")
    return files


def _result(text: str, rules: Facts) -> tuple[str, str]:
    benchmark, slash, scenario = text.partition("/")
    if not slash or not benchmark:
        raise ValueError(f"{text}: give BENCHMARK/SCENARIO")
    require_known("scenario", scenario, tuple(rules.scenarios))
    return benchmark, scenario


def _blank(new: NewSystem, rules: Facts) -> dict[str, object]:
    known: dict[str, object] = {
        "division": new.division,
        "submitter": new.submitter,
        "system_name": new.name,
        "number_of_nodes": 1,
    }
    return {name: known.get(name, "") for name in sorted(rules.system["required"])}


def _measurements(
    new: NewSystem, home: str, benchmark: str, scenario: str, rules: Facts
) -> dict[str, bytes]:
    names = {"system": new.name, "benchmark": benchmark, "scenario": scenario}
    at = join(home, rules.layout["measurements"].format_map(names))
    fields = dict.fromkeys(rules.implementation_fields, "")
    return {
        join(at, f"{new.name}_{new.implementation}_{scenario}.json"): as_json(fields),
        join(at, "README.md"): readme(f"{benchmark}, {scenario}"),
        join(at, "user.conf"): USER_CONF.format_map(names).encode(),
    }
