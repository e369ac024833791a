"""Files for a new system: from another system of the submitter, or empty ones to fill in.

What a person has to say is left blank, and mlcheck verify says so until it is filled in.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mlcheck.documents import read_document
from mlcheck.suites.inference.facts import Facts
from mlcheck.tree import Tree, Unreadable, join

README = "# {title}\n\nSay here how this was made: software, commands, settings.\n"
USER_CONF = "# Settings of LoadGen that differ from mlperf.conf, such as\n# {benchmark}.{scenario}.target_qps = 1.0\n"  # noqa: E501


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSystem:
    """What is to be made.

    Attributes:
        home: ``DIVISION/SUBMITTER``.
        results: (benchmark, scenario) to make folders of measurements for.
    """

    division: str
    submitter: str
    name: str
    implementation: str
    results: tuple[tuple[str, str], ...] = ()

    @property
    def home(self) -> str:
        """The folder of the submitter."""
        return join(self.division, self.submitter)


def empty_files(new: NewSystem, rules: Facts) -> Mapping[str, bytes]:
    """Return the files of a system that nothing is known of."""
    files = {
        join(new.home, rules.layout["systems"], f"{new.name}.json"): _json(_blank(new, rules)),
        join(new.home, "README.md"): README.format(title=new.submitter).encode(),
        join(new.home, _calibration(rules)): README.format(title="Calibration").encode(),
    }
    for benchmark, scenario in new.results:
        at = _measurements(new.name, new.home, benchmark, scenario, rules)
        name = f"{new.name}_{new.implementation}_{scenario}.json"
        fields = dict.fromkeys(rules.implementation_fields, "")
        title = f"{benchmark}, {scenario}"
        conf = USER_CONF.format(benchmark=benchmark, scenario=scenario)
        files[join(at, name)] = _json(fields)
        files[join(at, "README.md")] = README.format(title=title).encode()
        files[join(at, "user.conf")] = conf.encode()
        code = join(new.home, rules.layout["code"], benchmark, new.implementation, "README.md")
        files[code] = README.format(title=f"Code of {benchmark}").encode()
    return files


def files_like(tree: Tree, other: str, new: NewSystem, rules: Facts) -> Mapping[str, bytes]:
    """Return the description and measurements of another system under the name of a new one.

    Raises:
        ValueError: the other system is not described, or its description cannot be read.
    """
    path = join(new.home, rules.layout["systems"], f"{other}.json")
    document = read_document(tree, path)
    if document.problem:
        raise ValueError(f"{path}: {document.problem}")
    fields = {**document.fields, "system_name": new.name}
    files = {join(new.home, rules.layout["systems"], f"{new.name}.json"): _json(fields)}
    above = join(new.home, rules.layout["measurements"].split("/{")[0])
    for folder in tree.walk(join(above, other)):
        for name in folder.files:
            raw = tree.read(join(folder.path, name))
            if isinstance(raw, Unreadable):
                raise ValueError(f"{join(folder.path, name)}: {raw.reason}")  # noqa: TRY004
            below = folder.path.removeprefix(join(above, other)).lstrip("/")
            renamed = new.name + name.removeprefix(other) if name.startswith(f"{other}_") else name
            files[join(above, new.name, below, renamed)] = raw
    return files


def write_new(files: Mapping[str, bytes], root: str) -> Iterator[str]:
    """Write files that are not there yet; yield their paths.

    Raises:
        OSError: one cannot be written.
    """
    for path, raw in files.items():
        target = os.path.join(root, path)
        if os.path.lexists(target):
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "xb") as handle:
            handle.write(raw)
        yield path


def _blank(new: NewSystem, rules: Facts) -> dict[str, Any]:
    known = {
        "division": new.division,
        "submitter": new.submitter,
        "system_name": new.name,
        "number_of_nodes": 1,
    }
    return {name: known.get(name, "") for name in sorted(rules.system["required"])}


def _measurements(system: str, home: str, benchmark: str, scenario: str, rules: Facts) -> str:
    names = {"system": system, "benchmark": benchmark, "scenario": scenario}
    return join(home, rules.layout["measurements"].format_map(names))


def _calibration(rules: Facts) -> str:
    where = rules.layout["calibration"]
    return join(where["folders"][-1], where["files"][0])


def _json(fields: Mapping[str, Any]) -> bytes:
    return (json.dumps(fields, indent=2, ensure_ascii=False) + "\n").encode()
