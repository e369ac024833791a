"""Measure how fast a change is judged: a warm cache, and ``--watch`` from edit to verdict.

    python benchmarks/watch.py TREE FILE [--runs N]

TREE is copied, as FILE (relative to it) is edited: each time a line is added and taken away again.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO


def process(tree: Path, *options: str, cache: Path) -> float:
    """Return the seconds that a whole process takes."""
    command = [sys.executable, "-m", "mlcheck", "verify", str(tree), "--format", "json", *options]
    environment = {**os.environ, "MLCHECK_CACHE_DIR": str(cache)}
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, env=environment, check=False)
    return time.perf_counter() - start


def from_edit_to_verdict(tree: Path, file: Path, runs: int) -> list[float]:
    """Return the seconds from the end of an edit to the line with the verdict."""
    command = [sys.executable, "-u", "-m", "mlcheck", "verify", str(tree), "--watch"]
    watched = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert watched.stdout
    _until_verdict(watched.stdout)
    original, taken = file.read_bytes(), []
    try:
        for number in range(runs):
            time.sleep(1)
            file.write_bytes(original if number % 2 else original + b"accuracy=0.1%\n")
            start = time.perf_counter()
            _until_verdict(watched.stdout)
            taken.append(time.perf_counter() - start)
    finally:
        watched.terminate()
        watched.wait()
    return taken


def _until_verdict(lines: IO[str]) -> None:
    for line in lines:
        if line.startswith(("PASS", "FAIL")):
            return
    raise RuntimeError("it ended")


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("file", help="a text whose end decides something, such as accuracy.txt")
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        tree, cache = Path(scratch, "tree"), Path(scratch, "cache")
        shutil.copytree(options.tree, tree, symlinks=True)
        time.sleep(2.5)  # files have to be at rest before anything is kept
        cold = process(tree, cache=cache)
        without = [process(tree, "--no-cache", cache=cache) for _ in range(options.runs)]
        warm = [process(tree, cache=cache) for _ in range(options.runs)]
        watched = from_edit_to_verdict(tree, tree / options.file, options.runs)
    print(f"without cache    {statistics.median(without):6.2f} s")
    print(f"filling it       {cold:6.2f} s")
    print(f"warm cache       {statistics.median(warm):6.2f} s")
    print(f"edit to verdict  {statistics.median(watched):6.2f} s (largest {max(watched):.2f})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
