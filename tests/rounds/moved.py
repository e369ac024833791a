"""The clean example as a submission of another round: other places, seeds and LoadGen."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from mlcheck.ruleset import load

RETIRED = ("retinanet", "llama2-70b-99")  # of the example's datacenter benchmarks, by v6.1


def moved(tree: Path, round_: str, loadgen: str) -> None:
    """Turn a copy of the v5.1 example into one of a round that keeps all in the scenario folder."""
    old, new = load("inference", "v5.1").document, load("inference", round_).document
    benchmarks = new["benchmarks"]
    for home in sorted(tree.glob("*/*")):
        (home / "code").rename(home / "src")
        for results in sorted((home / "results").glob("*/*/*")):
            place = results.relative_to(home / "results")
            for kind in ("measurements", "compliance"):
                _merge(home / kind / place, results)
            description = next(results.glob(f"{place.parts[0]}*.json"))
            description.rename(results / "measurements.json")
        for kind in ("measurements", "compliance"):
            shutil.rmtree(home / kind, ignore_errors=True)
        for benchmark in sorted((home / "results").glob("*/*")):
            needs = benchmarks.get(benchmark.name, {}).get("scenarios", {})
            if benchmark.name in RETIRED and "datacenter" not in needs:
                shutil.rmtree(benchmark)
        for system in sorted((home / "results").iterdir()):
            if not any(system.iterdir()):
                system.rmdir()
                (home / "systems" / f"{system.name}.json").unlink()
    words = {str(old["seeds"][name]): str(seed) for name, seed in new["seeds"].items()}
    for log in [*tree.rglob("mlperf_log_detail.txt"), *tree.rglob("mlperf_log_summary.txt")]:
        text = log.read_text()
        for before, after in words.items():
            text = text.replace(before, after)
        log.write_text(re.sub(r'"5\.1\.0 @ ', f'"{loadgen} @ ', text))


def _merge(source: Path, to: Path) -> None:
    for item in sorted(source.iterdir()) if source.is_dir() else ():
        item.rename(to / item.name)
