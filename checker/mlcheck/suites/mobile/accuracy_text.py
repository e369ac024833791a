"""Accuracies in texts: what a script printed into ``accuracy.txt``, or a tool into one for all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from mlcheck.documents import Text, read_text
from mlcheck.suites.mobile.facts import Benchmark, Facts
from mlcheck.suites.mobile.result_file import fraction_of
from mlcheck.tree import Tree

_HEAD = re.compile(r"#+\s*([\w.-]+?)\s*#+\s*")
_LINE = re.compile(r"\bAccuracy:\s*(.+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedAccuracy:
    """An accuracy and where it is printed."""

    path: str
    line: int
    fraction: float
    printed: str


def read_of_run(tree: Tree, path: str, benchmark: Benchmark | None) -> PrintedAccuracy | None:
    """Return what a script printed of one run, in percent; None: nothing that is understood."""
    source = read_text(tree, path)
    for pattern in benchmark.accuracy.text if benchmark else ():
        for line, words in source.numbered():
            found = pattern.search(words)
            value = _percent(found[1]) if found else None
            if found and value is not None:
                return PrintedAccuracy(path=path, line=line, fraction=value, printed=found[0][:60])
    return None


def _percent(digits: str) -> float | None:
    try:
        return float(digits) / 100
    except ValueError:  # such as 1.2.3
        return None


def read_of_all(tree: Tree, path: str, facts: Facts) -> Mapping[str, PrintedAccuracy]:
    """Return by name of the task what a text says of all tasks, each below its heading."""
    found: dict[str, PrintedAccuracy] = {}
    task = ""
    source: Text = read_text(tree, path)
    for line, words in source.numbered():
        head = _HEAD.fullmatch(words.strip())
        if head:
            known = facts.benchmark_of(head[1], None)
            task = known.name if known else ""
        printed = _LINE.search(words)
        fraction = fraction_of(printed[1].strip()) if printed else None
        if task and printed and fraction is not None and task not in found:
            found[task] = PrintedAccuracy(
                path=path, line=line, fraction=fraction, printed=printed[1].strip()[:60]
            )
    return found
