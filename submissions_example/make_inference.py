"""Writes example submissions of MLPerf Inference v5.1: clean, broken, and with power.

Nothing was measured and nobody is described: machines, firms and numbers are made up. The numbers
of a run come from a random generator seeded with its place in the tree, never from the clock: the
script writes the same bytes every time.

    python submissions_example/make_inference.py [--out DIR]
"""

from __future__ import annotations

import argparse
import dataclasses
import shutil
from dataclasses import dataclass
from pathlib import Path

from makers.inference import documents
from makers.inference.accuracy_files import accuracy_run_files
from makers.inference.edits import (
    Edit,
    copied_json,
    delete,
    error_event,
    log_value,
    replace,
    write,
)
from makers.inference.loadgen_tests import run_test
from makers.inference.plans import DATACENTER, EDGE, plan_of
from makers.inference.round_facts import RESNET50, RETINANET, SAMPLE_SEED
from makers.inference.tree import Tree, clean_tree, compliance, power_tree


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong in the broken submission."""

    what: str
    where: str
    edits: tuple[Edit, ...]


_ACME = EDGE.home
_RESNET50 = f"{_ACME}/results/{EDGE.name}/resnet50"
_LLAMA2 = f"{_ACME}/results/{DATACENTER.name}/llama2-70b-99"
_RETINANET = f"{_ACME}/results/{DATACENTER.name}/retinanet"
_SYSTEM = f"{_ACME}/systems/{DATACENTER.name}.json"
_RUN = "performance/run_1"
_DETAIL = "mlperf_log_detail.txt"
_SUMMARY = "mlperf_log_summary.txt"

_SINGLE = f"{_RESNET50}/SingleStream/{_RUN}"
_OFFLINE = f"{_RESNET50}/Offline/{_RUN}"
_WRONG_SEED = str(SAMPLE_SEED + 1)  # equal to the right one for a reader that makes it a float
_CACHED = f"{_ACME}/compliance/{EDGE.name}/resnet50/MultiStream/TEST04"
_ERRONEOUS = f"{_RETINANET}/Offline/{_RUN}"
_TWO_CONFIGURATIONS = "Multiple conf files are used. This is not valid for official submission."
_NO_SERVER = tuple(
    f"{_ACME}/{kind}/{DATACENTER.name}/retinanet/Server"
    for kind in ("results", "measurements", "compliance")
)


def _cached_answers() -> Tree:
    """Return a TEST04 in which the repeated sample is answered in three quarters of the time."""
    plan = plan_of(RESNET50, "MultiStream")
    faster = dataclasses.replace(plan, reached=0.75 * plan.reached)
    return compliance(faster, "TEST04", run_test(plan, "performance"))


def _long_accuracy_log() -> Tree:
    """Return an accuracy log of which more was kept than the 10 KiB allowed."""
    files = accuracy_run_files(run_test(plan_of(RETINANET, "Offline"), "accuracy"), kept=6144)
    return {"mlperf_log_accuracy.json": files["mlperf_log_accuracy.json"]}


FAULTS = (
    Fault(
        "accuracy below the target of 75.695 %",
        f"{_RESNET50}/MultiStream/accuracy/accuracy.txt",
        (
            replace(
                f"{_RESNET50}/MultiStream/accuracy/accuracy.txt",
                r"^accuracy=76.122%, good=38061",
                "accuracy=74.966%, good=37483",
            ),
        ),
    ),
    Fault(
        "accuracy log of a performance run: effective_test_mode",
        f"{_LLAMA2}/Server/accuracy/{_DETAIL}",
        (
            log_value(
                f"{_LLAMA2}/Server/accuracy/{_DETAIL}", "requested_test_mode", '"PerformanceOnly"'
            ),
            log_value(
                f"{_LLAMA2}/Server/accuracy/{_DETAIL}", "effective_test_mode", '"PerformanceOnly"'
            ),
        ),
    ),
    Fault(
        "sample_index_rng_seed not that of the round, by one",
        f"{_OFFLINE}/{_DETAIL}",
        (
            log_value(f"{_OFFLINE}/{_DETAIL}", "requested_sample_index_rng_seed", _WRONG_SEED),
            log_value(f"{_OFFLINE}/{_DETAIL}", "effective_sample_index_rng_seed", _WRONG_SEED),
            replace(f"{_OFFLINE}/{_SUMMARY}", f": {SAMPLE_SEED}$", f": {_WRONG_SEED}"),
        ),
    ),
    Fault(
        "minimum duration set to one minute instead of ten",
        f"{_SINGLE}/{_DETAIL}",
        (
            log_value(f"{_SINGLE}/{_DETAIL}", "requested_min_duration_ms", "60000"),
            log_value(f"{_SINGLE}/{_DETAIL}", "effective_target_duration_ms", "60000"),
            log_value(f"{_SINGLE}/{_DETAIL}", "effective_min_duration_ms", "60000"),
            replace(
                f"{_SINGLE}/{_SUMMARY}", r"^min_duration \(ms\): 600000", "min_duration (ms): 60000"
            ),
        ),
    ),
    Fault(
        "LoadGen reports an error",
        f"{_ERRONEOUS}/{_DETAIL}",
        (
            error_event(
                f"{_ERRONEOUS}/{_DETAIL}",
                "error_invalid_config",
                _TWO_CONFIGURATIONS,
                ("test_settings_internal.cc", 548),
            ),
            replace(
                f"{_ERRONEOUS}/{_SUMMARY}",
                "^No errors encountered during test.",
                "1 ERROR encountered. See detailed log.",
            ),
        ),
    ),
    Fault(
        "user.conf is missing",
        f"{_LLAMA2}/Offline/user.conf".replace("results", "measurements"),
        (delete(f"{_LLAMA2}/Offline/user.conf".replace("results", "measurements")),),
    ),
    Fault(
        "summary shows another result than the detail log",
        f"{_LLAMA2}/Server/{_RUN}/{_SUMMARY}",
        (
            replace(
                f"{_LLAMA2}/Server/{_RUN}/{_SUMMARY}",
                r"^Completed tokens per second: [\d.]+",
                "Completed tokens per second: 24407.71",
            ),
        ),
    ),
    Fault(
        "TEST04 failed: the repeated sample is answered from a cache",
        f"{_CACHED}/verify_performance.txt",
        (write(_CACHED, _cached_answers),),
    ),
    Fault(
        "number_of_nodes in words",
        _SYSTEM,
        (copied_json(_SYSTEM, _SYSTEM, number_of_nodes="one"),),
    ),
    Fault(
        "the required scenario Server is missing",
        _RETINANET,
        (delete(*_NO_SERVER),),
    ),
    Fault(
        "accuracy log larger than 10 KiB",
        f"{_RETINANET}/Offline/accuracy/mlperf_log_accuracy.json",
        (write(f"{_RETINANET}/Offline/accuracy", _long_accuracy_log),),
    ),
    Fault(
        "system described but without results",
        f"{_ACME}/systems/acme-lab-2x.json",
        (
            copied_json(
                _SYSTEM,
                f"{_ACME}/systems/acme-lab-2x.json",
                system_name="Acme Lab L2 (2x Boulder B96, AcmeRT)",
                number_of_nodes=1,
                accelerators_per_node=2,
            ),
        ),
    ),
    Fault(
        "space in a file name",
        f"{_ACME}/code/resnet50/acmert/build notes.md",
        (
            write(
                f"{_ACME}/code/resnet50/acmert", lambda: {"build notes.md": "# Build\n\nNothing.\n"}
            ),
        ),
    ),
)


def broken_tree(clean: Tree) -> Tree:
    """Return Acme's part of the clean submission, without Interactive, with all faults."""
    tree = {
        path: text
        for path, text in clean.items()
        if path.startswith(f"{_ACME}/") and "/Interactive/" not in path
    }
    for fault in FAULTS:
        for edit in fault.edits:
            edit(tree)
    tree["README.md"] = documents.broken_readme([(fault.what, fault.where) for fault in FAULTS])
    return tree


def write_tree(root: Path, tree: Tree) -> None:
    """Write a tree to disk in place of what is there."""
    if root.exists():
        shutil.rmtree(root)
    for path, text in sorted(tree.items()):
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())  # not as text: the same line ends everywhere


def main() -> None:
    """Write the trees and say what was written."""
    parser = argparse.ArgumentParser(
        description="Write the example submissions of MLPerf Inference."
    )
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="parent folder")
    out: Path = parser.parse_args().out
    clean = clean_tree()
    trees = {
        "inference-v5.1": clean,
        "inference-v5.1-broken": broken_tree(clean),
        "inference-v5.1-power": power_tree(),
    }
    for name, tree in trees.items():
        write_tree(out / name, tree)
        print(f"{out / name}: {len(tree)} files")


if __name__ == "__main__":
    main()
