"""Measure ``mlcheck verify`` on a tree as a whole process, and the official checker beside it.

    python benchmarks/verify_round.py TREE [--official SUBMISSION_CHECKER.py] [--runs N]

Cold: the first run after the tree's pages were dropped from the cache, where the machine allows it.
Warm: the median of the runs after it. The ratio is taken between runs that alternate, so that it
holds on a machine whose speed drifts.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cost:
    """What one process took. Memory is that of its largest process."""

    wall_s: float
    cpu_s: float
    peak_mib: float


def run(command: Sequence[str], cwd: Path | None = None) -> Cost:
    """Run a command to its end, whatever its exit code."""
    with tempfile.TemporaryFile() as sink:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=sink, stderr=sink, cwd=cwd)
        _, _, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    process.returncode = 0  # it was waited for
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def forget(tree: Path) -> bool:
    """Drop the files of a tree from the page cache; False: this system cannot."""
    if not hasattr(os, "posix_fadvise"):
        return False
    for top, _, files in os.walk(tree):
        for name in files:
            try:
                with open(os.path.join(top, name), "rb") as handle:
                    os.posix_fadvise(handle.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            except OSError:
                continue
    return True


def median(costs: Sequence[Cost]) -> Cost:
    """Return the median of each figure."""
    return Cost(
        statistics.median(cost.wall_s for cost in costs),
        statistics.median(cost.cpu_s for cost in costs),
        max(cost.peak_mib for cost in costs),
    )


def show(name: str, cost: Cost) -> None:
    """Print a line of figures."""
    print(f"{name:<16} {cost.wall_s:7.2f} s wall {cost.cpu_s:7.2f} s cpu {cost.peak_mib:6.0f} MiB")


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("--official", type=Path, help="submission_checker.py of the round")
    parser.add_argument("--round", default="v5.1")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    ours = [
        sys.executable,
        "-m",
        "mlcheck",
        "verify",
        str(options.tree),
        "--format",
        "json",
        "--no-cache",
    ]
    if forget(options.tree):
        show("mlcheck, cold", run(ours))
    mine, theirs = [], []
    for _ in range(options.runs):
        mine.append(run(ours))
        if options.official:
            theirs.append(run(_official(options), cwd=options.official.resolve().parent))
    show("mlcheck, warm", median(mine))
    if theirs:
        show("official, warm", median(theirs))
        ratios = [b.wall_s / a.wall_s for a, b in zip(mine, theirs, strict=True)]
        print(f"official / mlcheck: {statistics.median(ratios):.1f} (wall, median of pairs)")
    return 0


def _official(options: argparse.Namespace) -> list[str]:
    return [
        sys.executable,
        options.official.name,
        *("--input", str(options.tree.resolve())),
        *("--version", options.round),
        *("--csv", os.devnull),
        "--skip-extra-files-in-root-check",
    ]


if __name__ == "__main__":
    sys.exit(main())
