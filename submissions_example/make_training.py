"""Writes an example submission of MLPerf Training v5.1: clean, small, and all invented.

Nothing was measured and nobody is described. The numbers come from a random generator seeded with
their place in the tree, never from the clock: the script writes the same bytes every time.

    python submissions_example/make_training.py [--out DIR]
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from makers.training import documents, power
from makers.training.logs import Task, log_of

ROUND = "training-v5.1"

LORA = Task(
    name="llama2_70b_lora",
    division="closed",
    unit="samples_count",
    step=384,
    first=1536,
    converges_at=(3456, 3072, 3456, 3840),
    ms_per_step=70_000,
    begin=1.4,
    goal=0.92,
    settings={
        "global_batch_size": 8,
        "train_samples": 3901,
        "eval_samples": 173,
        "opt_base_learning_rate": 0.0004,
        "opt_learning_rate_training_steps": 1024,
        "opt_gradient_clip_norm": 0.3,
        "opt_adamw_weight_decay": 0.0001,
        "gradient_accumulation_steps": 1,
        "lora_alpha": 32,
        "lora_rank": 16,
    },
)
RETINANET_SETTINGS = {
    "global_batch_size": 256,
    "train_samples": 1_170_301,
    "eval_samples": 24_781,
    "opt_name": "adam",
    "opt_base_learning_rate": 0.0001,
    "opt_weight_decay": 0,
    "opt_learning_rate_warmup_epochs": 1,
    "opt_learning_rate_warmup_factor": 0.001,
    "gradient_accumulation_steps": 1,
}
RETINANET = Task(
    name="retinanet",
    division="closed",
    unit="epoch_num",
    step=1,
    first=1,
    converges_at=(5, 5, 6),
    ms_per_step=400_000,
    begin=0.1,
    goal=0.345,
    settings=RETINANET_SETTINGS,
)
FREE = Task(
    name="retinanet",
    division="open",
    unit="epoch_num",
    step=1,
    first=1,
    converges_at=(3, 4),
    ms_per_step=300_000,
    begin=0.15,
    goal=0.35,
    settings=RETINANET_SETTINGS,
)
SHORT = replace(RETINANET, ms_per_step=14_000)  # a meter writes a line every second


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """A machine and what it trains. ``switches`` None: its power is not measured."""

    submitter: str
    name: str
    division: str
    tasks: tuple[tuple[Task, int], ...]
    nodes: int = 1
    switches: int | None = None


SYSTEMS = (
    System(
        submitter="Acme",
        name="acme-a1x8",
        division="closed",
        tasks=((LORA, 10), (RETINANET, 5)),
    ),
    System(submitter="Bolt", name="bolt-a1x8", division="open", tasks=((FREE, 5),)),
    System(
        submitter="Volt",
        name="volt-a2x8",
        division="closed",
        tasks=((SHORT, 5),),
        nodes=2,
        switches=1,
    ),
)


def files() -> Iterator[tuple[str, str]]:
    """Yield path and text of every file."""
    number = 0
    for system in SYSTEMS:
        yield (
            f"{system.submitter}/systems/{system.name}.json",
            documents.description(
                submitter=system.submitter,
                division=system.division,
                name=system.name,
                nodes=system.nodes,
            ),
        )
        for task, runs in system.tasks:
            code = f"{system.submitter}/benchmarks/{task.name}/implementations/{system.name}"
            yield f"{code}/README.md", documents.readme(task.name)
            yield f"{code}/run_and_time.sh", documents.RUN_AND_TIME
            for run in range(runs):
                yield from _run(system, task, run, number)
            number += 1


def _run(system: System, task: Task, run: int, number: int) -> Iterator[tuple[str, str]]:
    home = f"{system.submitter}/results/{system.name}/{task.name}"
    text = log_of(
        task,
        run,
        submitter=system.submitter,
        platform=system.name,
        nodes=system.nodes,
        number=number,
    )
    yield f"{home}/result_{run}.txt", text
    if system.switches is not None:
        for name, meter in power.logs_of(
            text, nodes=system.nodes, switches=system.switches, place=f"{home}/{run}"
        ):
            yield f"{home}/power/result_{run}/{name}", meter


def main() -> None:
    """Write the tree anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    root = parser.parse_args().out / ROUND
    shutil.rmtree(root, ignore_errors=True)
    for path, text in files():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
