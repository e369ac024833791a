"""The files people write: configuration, descriptions of models, READMEs."""

from __future__ import annotations

import json
from collections.abc import Sequence

from makers.inference.answers import MAX_NEW_TOKENS
from makers.inference.plans import Plan, System
from makers.inference.round_facts import LLAMA2, RESNET50, RETINANET, TINYNET

ROOT_README = """\
# Example submission, MLPerf Inference v5.1

Written by `make_inference.py`. **All numbers, machines, firms and software here are invented**;
nothing was measured. The form of each file is that of a real submission, with two liberties that
keep it small: `loaded_qsl_set` lists the first 64 samples of a set only, and the answers of TEST06
are short.
"""

POWER_README = """\
# Example submission with power, MLPerf Inference v5.1

Written by `make_inference.py`. **All numbers, machines, firms and software here are invented**;
nothing was measured. Acme's benchmarks of the example beside it, with a power measurement of one
result of each system: energy per query of an edge device, average power of a server.
"""

_MODELS: dict[str, dict[str, str]] = {
    RESNET50.folder: {
        "starting_weights_filename": "resnet50_v1.onnx",
        "retraining": "No",
        "input_data_types": "int8",
        "weight_data_types": "int8",
        "weight_transformations": "quantization, folding of batch normalisation",
    },
    RETINANET.folder: {
        "starting_weights_filename": "resnext50_32x4d_fpn.onnx",
        "retraining": "No",
        "input_data_types": "int8",
        "weight_data_types": "int8",
        "weight_transformations": "quantization, folding of batch normalisation",
    },
    LLAMA2.folder: {
        "starting_weights_filename": "Llama-2-70b-chat-hf",
        "retraining": "No",
        "input_data_types": "int32",
        "weight_data_types": "fp8",
        "weight_transformations": "quantization",
    },
    TINYNET.folder: {
        "starting_weights_filename": "tinynet-v1.bin",
        "retraining": "Yes, trained from scratch: code/tinynet-v1/tinyrun/README.md",
        "input_data_types": "int8",
        "weight_data_types": "int8",
        "weight_transformations": "quantization",
    },
}

CALIBRATION = """\
# Calibration

Post-training quantization with the calibration sets of the round, nothing else.

* resnet50, retinanet: int8 weights (one scale per output channel) and activations (one scale per
  tensor). Scale: the largest absolute value seen over the calibration set, divided by 127.
* llama2-70b: fp8 (e4m3) weights and activations of the linear layers, one scale per tensor;
  attention and the head stay in fp16.
"""

BANDWIDTH = """\
# Bandwidth of acme-dc-8x

Network: four 400 GbE cards, two at each socket, 50 GB/s each, 200 GB/s together, in either
direction. Path: card, PCIe Gen5 x16 (63 GB/s), host memory of the same socket, where LoadGen's
samples lie, PCIe Gen5 x16, accelerator. Copies between card and host memory reach 47 GB/s per card.

| benchmark | in: samples/s x bytes | out: samples/s x bytes |
|---|---|---|
| retinanet | 7100 x 1920000 = 13.6 GB/s | negligible |
| llama2-70b | 90 x 1024 x 4 = 0.4 MB/s | 90 x 1024 x 4 = 0.4 MB/s |
"""


def broken_readme(faults: Sequence[tuple[str, str]]) -> str:
    """Return the README of the broken submission: what is wrong and where."""
    rows = "".join(f"| {what} | `{where}` |\n" for what, where in faults)
    return (
        "# Broken example submission, MLPerf Inference v5.1\n\n"
        "A part of `inference-v5.1`, all of it invented, with these faults planted by"
        f" `make_inference.py`:\n\n| what | where |\n|---|---|\n{rows}"
    )


def submitter_readme(system: System) -> str:
    """Return the submitter's README."""
    return (
        f"# {system.submitter}\n\nA made-up submitter. How to run a benchmark is in the README of"
        " its folder below `measurements/`, what the code does in that below `code/`.\n"
    )


def user_conf(plan: Plan) -> str:
    """Return what was set for LoadGen; the rest is in its own ``mlperf.conf``."""
    model = plan.benchmark.conf_name
    if plan.scenario == "Interactive":
        model += "-interactive"
    stream = plan.scenario in ("SingleStream", "MultiStream")
    key = f"{model}.{plan.loadgen_scenario}"
    lines = [f"{key}.{'target_latency' if stream else 'target_qps'} = {plan.target:g}"]
    if not plan.benchmark.counts_tokens:  # there mlperf.conf loads the whole set already
        lines.append(f"{key}.performance_sample_count_override = {plan.benchmark.loaded}")
    return "\n".join(lines) + "\n"


def measurement_json(plan: Plan) -> str:
    """Return the description of the model as it ran."""
    return json.dumps(_MODELS[plan.benchmark.folder], indent=2) + "\n"


def measurement_readme(plan: Plan, scenario: str) -> str:
    """Return how to repeat a measurement."""
    run = f"{plan.system.implementation} {plan.benchmark.folder} --scenario {plan.scenario}"
    text = (
        f"# {plan.benchmark.folder}, {scenario}, {plan.system.name}\n\n"
        f"    {run} --mode performance\n    {run} --mode accuracy\n"
    )
    if scenario != plan.scenario:
        text += f"\nInferred from {plan.scenario}: its logs are copied.\n"
    elif plan.benchmark.tests:
        text += (
            f"\nCompliance tests: the same with `--audit` and {', '.join(plan.benchmark.tests)}.\n"
        )
    if plan.benchmark.counts_tokens:
        text += f"\nGreedy decoding, max_new_tokens = {MAX_NEW_TOKENS}.\n"
    return text


def code_readme(plan: Plan) -> str:
    """Return what the benchmark's code does."""
    text = (
        f"# {plan.benchmark.folder} on {plan.system.implementation}\n\n"
        "There is no code: nothing was measured. A real submission has its sources here, enough to"
        " build and run what was submitted.\n\n"
        "Structure it would have: a sample library that holds the preprocessed samples in host"
        " memory, a queue that forms batches, one worker for each accelerator.\n"
    )
    if plan.benchmark is TINYNET:
        text += (
            "\ntinynet-v1 is a small made-up network for the task of resnet50, trained from scratch"
            " on the same classes for 120 epochs.\n"
        )
    return text


def model_mapping() -> str:
    """Return which benchmark a model of the open division stands for."""
    return json.dumps({TINYNET.folder: "resnet"}, indent=2) + "\n"
