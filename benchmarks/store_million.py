"""Measure questions to a store of a million results, synthesised from the rows of a real one.

    mlcheck ingest ROUND --store real
    python benchmarks/store_million.py real big [--results N] [--runs N]

Rows are copied with other submitters, spread over made-up rounds, and their values scattered. Each
question is a whole process, imports included; the median of the runs is shown.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa

from mlcheck.repository.layout import STORED
from mlcheck.repository.reader import CHILDREN, Reader, of_store
from mlcheck.repository.store import Store

ROUNDS = 40
QUESTIONS = {
    "leaderboard of one benchmark": [
        "results", "--suite", "inference", "--round", "v107.0", "--benchmark", "llama2-70b-99",
        "--scenario", "Offline",
    ],
    "the same in SQL": [
        "query",
        "SELECT submitter, system, value, unit FROM leaderboard WHERE round = 'v107.0' AND "
        "benchmark = 'llama2-70b-99' AND scenario = 'Offline' ORDER BY value DESC LIMIT 20",
    ],
    "an accelerator in all rounds, SQL": [
        "query",
        "SELECT round, max(value) FROM leaderboard WHERE list_contains(accelerators, "
        "'NVIDIA H200-SXM-141GB') AND benchmark = 'llama2-70b-99' AND scenario = 'Offline' "
        "GROUP BY round ORDER BY round",
    ],
    "history of a submitter": ["history", "NVIDIA-3", "--benchmark", "llama2-70b-99"],
}  # fmt: skip


def synthesise(real: Reader, big: Store, results: int) -> None:
    """Write copies of all rows of a store until there are so many results."""
    own = real.rows("SELECT count(*) AS n FROM results")[0]["n"]
    copies = -(-results // (own * ROUNDS))
    big.create()
    for number in range(ROUNDS):
        names = {"round": f"v{100 + number}.0", "ingest": f"ingest-{number:03}"}
        for name in (*CHILDREN, "submissions"):
            rows = _copies(real, name, copies, names)
            big.append(name, rows, {})


def _copies(real: Reader, name: str, copies: int, names: dict[str, str]) -> pa.Table:
    schema = STORED[name]
    changed = {
        "round": f"'{names['round']}'",
        "ingest": f"'{names['ingest']}'",
        "submitter": "submitter || '-' || k",
        "id": "id || '-' || k",
        "result_id": "result_id || '-' || k",
        "comparability_key": f"replace(comparability_key, round, '{names['round']}')",
        "value": "value * (0.5 + hash(value, k) % 1000 / 1000)",
    }
    columns = [f'{changed.get(f.name, chr(34) + f.name + chr(34))} AS "{f.name}"' for f in schema]
    statement = f"SELECT {', '.join(columns)} FROM {name}, range({copies}) AS copy(k)"
    _, rows = real.answer(statement)
    arrays = [
        pa.array(column, field.type)
        for column, field in zip(zip(*rows, strict=True), schema, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def seconds(words: list[str], runs: int) -> tuple[float, float]:
    """Return the median times of a command: by the clock, and of all processors together."""
    times, costs = [], []
    for _ in range(runs):
        start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "mlcheck", *words], check=True, stdout=subprocess.DEVNULL
        )
        times.append(time.perf_counter() - start)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        costs.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(times), statistics.median(costs)


def show(title: str, times: tuple[float, float]) -> None:
    """Print a line."""
    print(f"{title:<36}{times[0]:6.2f} s wall {times[1]:6.2f} s cpu", flush=True)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("real", help="store of real rounds")
    parser.add_argument("big", help="store to make; one that is there is measured as it is")
    parser.add_argument("--results", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    big = Store(options.big)
    if not big.exists():
        synthesise(of_store(Store(options.real)), big, options.results)
    count = of_store(big).rows("SELECT count(*) AS n FROM results")[0]["n"]
    print(f"{count:,} results in {options.big}, load {os.getloadavg()[0]:.1f}")
    for title, words in QUESTIONS.items():
        show(title, seconds([*words, "--store", options.big], options.runs))
    with tempfile.TemporaryDirectory() as folder:
        tables, site = Path(folder, "tables"), Path(folder, "site")
        words = ["--suite", "inference", "--round", "v5.1", "--store", options.real]
        export = ["export", "--format", "parquet", "-o", str(tables), *words]
        show("tables of inference v5.1", seconds(export, 1))
        show("pages of it", seconds(["report", str(tables), "-o", str(site)], 1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
