"""Read the configuration of LoadGen: ``mlperf.conf`` and ``user.conf``."""

from __future__ import annotations

from mlcheck.documents import read_text
from mlcheck.suites.inference.entry import Setting
from mlcheck.tree import Tree


def read_settings(tree: Tree, path: str) -> tuple[Setting, ...]:
    """Return the settings of a configuration in order, passing over other lines. Never raises."""
    found: list[Setting] = []
    for line in read_text(tree, path).lines:
        name, equals, value = line.replace(" ", "").strip().partition("=")
        parts = name.split(".")
        if equals and len(parts) == 3 and not name.startswith("#"):
            benchmark, scenario, key = parts
            found.append(Setting(benchmark=benchmark, scenario=scenario, key=key, value=value))
    return tuple(found)
