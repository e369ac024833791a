"""Results of an endpoint, made up and added to the clean example, which is moved to their round."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from mlcheck.engine import Job, verify
from mlcheck.model import Report, Result
from mlcheck.ruleset import load
from tests.rounds.moved import moved

ROUND = "v6.1"
SYSTEM = "closed/Acme/results/acme-dc-8x"
HOME = "closed/Acme"
SEEDS = load("inference", ROUND).document["seeds"]
CONFIG, RUN = "config.yaml", "performance/result_summary.json"
ACCURACY, AUDIT = "accuracy/accuracy_results.json", "audit/audit_output_caching_test.json"
LASTED_NS = 650_000_000_000


def round_tree(tree: Path) -> Path:
    """Turn a copy of the clean example into a submission of the round."""
    description = tree / HOME / "systems/acme-dc-8x.json"
    text = description.read_text()
    moved(tree, ROUND, "6.1.0")  # which drops a system whose benchmarks are all retired
    description.write_text(text)
    return tree


def add_result(tree: Path, benchmark: str, scenario: str, score: Any, **more: Any) -> Path:
    """Add a result without a flaw of its own; ``more`` are members of its summary."""
    folder = tree / SYSTEM / benchmark / scenario
    for name in ("performance", "accuracy"):
        (folder / name).mkdir(parents=True)
    samples = more.pop("dataset", 100)
    (folder / CONFIG).write_text(yaml.safe_dump(settings(scenario), sort_keys=False))
    write(folder / RUN, {**summary(), **more})
    entry = {"dataset_name": "all", "dataset_type": "accuracy", "score": score}
    write(folder / ACCURACY, {"accuracy_scores": [{**entry, "total_samples": samples}]})
    donor = next((tree / HOME / "results").rglob("measurements.json")).parent
    for name in ("measurements.json", "README.md"):
        shutil.copy(donor / name, folder / name)
    code = tree / HOME / "src" / benchmark
    code.mkdir(exist_ok=True)
    (code / "README.md").write_text("Made up.\n")
    return folder


def settings(scenario: str) -> dict[str, Any]:
    """Return what stands in config.yaml."""
    runtime = {
        "min_duration_ms": 600000,
        "dataloader_random_seed": SEEDS["sample_index_rng_seed"],
        "scheduler_random_seed": SEEDS["schedule_rng_seed"],
    }
    return {
        "name": "made-up",
        "version": "1.0",
        "type": "offline" if scenario == "Offline" else "online",
        "settings": {"runtime": runtime, "load_pattern": {"type": "poisson", "target_qps": 20}},
    }


def summary() -> dict[str, Any]:
    """Return what stands in result_summary.json."""

    def series(worst: int) -> dict[str, Any]:
        return {"avg": worst / 2, "early_stopping_percentiles": {"90": worst - 1, "99": worst}}

    return {
        "version": "0.1",
        "n_samples_issued": 13000,
        "n_samples_completed": 13000,
        "n_samples_failed": 0,
        "duration_ns": LASTED_NS,
        "qps": 20.5,
        "tps": 26000.5,
        "output_sequence_lengths": {"min": 1, "max": 9000, "avg": 1280.5},
        "ttft": series(900_000_000),
        "tpot": series(10_000_000),
        "latency": series(1_200_000_000),
    }


def write(path: Path, document: Any) -> None:
    """Write a JSON document."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(document, indent=2))


def edit(path: Path, change: Callable[[Any], None]) -> None:
    """Change a JSON or YAML document."""
    is_yaml = path.suffix == ".yaml"
    document = yaml.safe_load(path.read_text()) if is_yaml else json.loads(path.read_text())
    change(document)
    path.write_text(yaml.safe_dump(document, sort_keys=False) if is_yaml else json.dumps(document))


def judged(tree: Path) -> Report:
    """Return the report of a tree, made in this process."""
    return verify(Job(root=str(tree), suite="inference", round=ROUND), jobs=1)


def result(report: Report, folder: Path) -> Result:
    """Return the result of a scenario folder."""
    end = "/".join(folder.parts[-3:])
    return next(found for found in report.results if found.path.endswith(end))


def whole_tree(tree: Path) -> dict[str, Path]:
    """Add one clean result of each kind: folders by a short name."""
    round_tree(tree)
    return {
        "gpt offline": add_result(tree, "gpt-oss-120b", "Offline", 0.835, dataset=4395),
        "gpt interactive": add_result(tree, "gpt-oss-120b", "Interactive", 0.835, dataset=4395),
        "qwen offline": add_result(tree, "qwen3-vl-235b-a22b", "Offline", 0.79, dataset=48289),
        "qwen interactive": add_result(
            tree, "qwen3-vl-235b-a22b", "Interactive", 0.785, dataset=8000
        ),
        "llama offline": add_result(tree, "llama3.1-8b", "Offline", rouge(38.9), dataset=13368),
        "llama server": add_result(tree, "llama3.1-8b", "online", rouge(38.9), dataset=13368),
        "wan offline": wan(tree, "Offline"),
        "wan stream": wan(tree, "SingleStream"),
    }


def rouge(first: float) -> dict[str, str]:
    """Return scores as the scorer of summaries writes them."""
    more = {"rouge2": "16.0", "rougeL": "24.5", "rougeLsum": "35.8", "gen_len": "8167644"}
    return {"rouge1": str(first), **more}


def wan(tree: Path, scenario: str) -> Path:
    """Add a result in videos, which needs an audit and samples."""
    folder = add_result(tree, "wan-2.2-t2v-a14b", scenario, 0.705, dataset=248)
    write(folder / AUDIT, {"test": "output_caching_test", "passed": True})
    round_ = load("inference", ROUND).document["benchmarks"]["wan-2.2-t2v-a14b"]
    for kind, names in round_["accuracy_samples"].items():
        (folder / "accuracy" / kind).mkdir()
        for name in names:
            (folder / "accuracy" / kind / f"{name}.mp4").write_text("made up")
    return folder
