"""Coverage-guided fuzzing of the readers, with atheris; not part of the tests, it runs for hours.

    pip install atheris
    python tests/fuzz/fuzz_readers.py READER [CORPUS_FOLDER] [-max_total_time=600]

READER is one of those below. A crash is an exception that leaves a reader: none may.
docs/hostile.md says how long each was run.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["mlcheck"]):
    from mlcheck.documents import read_document, read_text
    from mlcheck.gate.baseline import read_baseline
    from mlcheck.gate.waivers import read_waivers
    from mlcheck.loadgen import read_detail, read_summary
    from mlcheck.output.printable import printable
    from mlcheck.power.meter_log import meter_log
    from mlcheck.power.samples import sample_log
    from mlcheck.power.session import read_session
    from mlcheck.ruleset import load
    from mlcheck.settings.files import read_file
    from mlcheck.settings.keys import SettingsError
    from mlcheck.suites.inference.accuracy import read_accuracy
    from mlcheck.suites.inference.build_facts import facts_of
    from mlcheck.suites.inference.settings import read_settings
    from mlcheck.suites.mobile.accuracy_text import read_of_all, read_of_run
    from mlcheck.suites.mobile.bare_paths import mend_paths
    from mlcheck.suites.mobile.description import read_description
    from mlcheck.suites.mobile.facts import facts_of as mobile_facts_of
    from mlcheck.suites.mobile.result_file import read_result_file
    from mlcheck.suites.training.mllog import read_log
    from mlcheck.suites.training.recognise import forms
    from mlcheck.tree import Tree
    from mlcheck.yaml_documents import read_yaml_document

FACTS = facts_of(load("inference", "v5.1"))
BENCHMARKS = list(FACTS.benchmarks.values())
MOBILE = mobile_facts_of(load("mobile", "v5.0"))
FOLDER = tempfile.mkdtemp(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
NAME = "file.json"
LOGGED = frozenset(("run_start", "run_stop", "seed"))


def _detail(tree: Tree) -> None:
    log = read_detail(tree, NAME)
    for key in log.values:
        log.text(key), log.number(key), log.raw(key), log.line(key)


def _accuracy(tree: Tree) -> None:
    for benchmark in BENCHMARKS[:6]:
        read_accuracy(tree, NAME, benchmark, FACTS)


def _mobile(tree: Tree) -> None:
    file = read_result_file(tree, NAME)
    file.identities, file.line_of("results")
    read_detail(tree, NAME, mend_paths)
    read_description(tree, NAME, MOBILE)


def _printed(tree: Tree) -> None:
    read_of_all(tree, NAME, MOBILE)
    for benchmark in MOBILE.benchmarks.values():
        read_of_run(tree, NAME, benchmark)


def _user(reader: Callable[[str], object]) -> Callable[[Tree], None]:
    def read(tree: Tree) -> None:
        try:
            reader(os.path.join(tree.root, NAME))
        except SettingsError:
            return

    return read


READERS: dict[str, Callable[[Tree], object]] = {
    "document": lambda tree: read_document(tree, NAME).line_of("a"),
    "yaml": lambda tree: read_yaml_document(tree, NAME),
    "text": lambda tree: [printable(line) for line in read_text(tree, NAME).lines],
    "detail": _detail,
    "summary": lambda tree: read_summary(tree, NAME),
    "accuracy": _accuracy,
    "power": lambda tree: sample_log(NAME, tree.read(NAME)),
    "meter": lambda tree: meter_log(NAME, tree.read(NAME)),
    "session": lambda tree: read_session(read_document(tree, NAME), server=True),
    "conf": lambda tree: read_settings(tree, NAME),
    "training": lambda tree: [read_log(tree, NAME, LOGGED, form) for form in forms()],
    "mobile": _mobile,
    "printed": _printed,
    "waivers": _user(read_waivers),
    "baseline": _user(read_baseline),
    "settings": _user(read_file),
}


def main() -> None:
    """Command line."""
    reader = READERS[sys.argv.pop(1)]
    file = Path(FOLDER, NAME)

    def once(raw: bytes) -> None:
        file.write_bytes(raw)
        reader(Tree(FOLDER))

    atheris.Setup(sys.argv, once)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
