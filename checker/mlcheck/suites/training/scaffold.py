"""Files of a new system of training: its description, and places for code."""

from __future__ import annotations

from mlcheck.prepare.scaffold import Files, NewSystem, as_json, like, readme, require_known
from mlcheck.suites.training.facts import Facts
from mlcheck.tree import Tree, join

IMPLEMENTATIONS = "implementations"


def files_of(tree: Tree, new: NewSystem, rules: Facts, other: str | None) -> Files:
    """Return the files of a new system; results are given as BENCHMARK.

    Raises:
        ValueError: a name is not known, or the other system cannot be read.
    """
    require_known("division", new.division, rules.divisions)
    systems = join(new.submitter, rules.layout["systems"])
    known = {"division": new.division, "submitter": new.submitter, "system_name": new.name}
    if other:
        described = like(tree, join(systems, f"{other}.json"), **known)
    else:
        fields = sorted(rules.system["required"])
        described = as_json({name: known.get(name, "") for name in fields})
    files = {join(systems, f"{new.name}.json"): described}
    for benchmark in new.results:
        require_known("benchmark", benchmark, rules.benchmarks)
        code = join(new.submitter, rules.layout["code"], benchmark, IMPLEMENTATIONS)
        files[join(code, new.implementation, "README.md")] = readme(f"Code of {benchmark}")
    return files
