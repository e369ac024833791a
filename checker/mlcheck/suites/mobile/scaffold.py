"""Files of a new system of mobile: description, documents, measurements, a place for code."""

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
from mlcheck.suites.mobile.facts import Facts
from mlcheck.tree import Tree, join

CALIBRATION = "Calibration.md"


def files_of(tree: Tree, new: NewSystem, rules: Facts, other: str | None) -> Files:
    """Return the files of a new system; results are given as TASK.

    Raises:
        ValueError: a name is not known, or the other system cannot be read.
    """
    require_known("division", new.division, rules.divisions)
    home = join(new.division, new.submitter)
    systems, above = (join(home, rules.layout[name]) for name in ("systems", "measurements"))
    if other:
        described = like(tree, join(systems, f"{other}.json"))
        return {
            join(systems, f"{new.name}.json"): described,
            **copied(tree, above, other, new.name),
        }
    names = rules.description["names"]
    files = {
        join(systems, f"{new.name}.json"): as_json({given[0]: "" for given in names.values()}),
        join(home, CALIBRATION): readme("Calibration"),
        join(home, rules.layout["code"], "README.md"): readme("Code"),
    }
    for task in new.results:
        require_known("task", task, rules.benchmarks)
        scenario = rules.benchmarks[task].scenario
        file = f"{new.name}_{new.implementation}_{scenario}.json"
        fields = dict.fromkeys(rules.measurement["fields"], "")
        files[join(above, new.name, task, scenario, file)] = as_json(fields)
    return files
