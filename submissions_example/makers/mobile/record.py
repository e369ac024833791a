"""The result file of the app, ``result.json``."""

from __future__ import annotations

import json
import uuid
from datetime import timedelta
from typing import Any

from makers.mobile.logs import OFFLINE_SAMPLES, Measured
from makers.mobile.plans import TASKS, Device, Score, Task

_COMMIT = "d3d667f1a6d2f760c937ca57b935326e96edc0e8"  # of the app, tag v5.0


def result_file(device: Device) -> str:
    """Return the record of the session of a device."""
    made = [
        _task(device, place, task, device.scores[task.id])
        for place, task in enumerate(TASKS)
        if task.id in device.scores
    ]
    document = {
        "meta": {
            "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, device.system)),
            "creation_date": (device.begin + timedelta(hours=3)).isoformat(),
            "upload_date": None,
        },
        "results": made,
        "environment_info": _environment(device),
        "build_info": {
            "version": "5.0.0",
            "build_number": "1",
            "build_date": "2025-01-10T08:00:00.000000",
            "official_release_flag": True,
            "dev_test_flag": False,
            "backend_list": ["libtflitebackend"],
            "git_branch": "submission-v5.0",
            "git_commit": _COMMIT,
            "git_dirty_flag": False,
        },
    }
    return json.dumps(document, indent=2) + "\n"


def _environment(device: Device) -> dict[str, Any]:
    return {
        "platform": "android",
        "value": {
            "android": {
                "os_version": f"INV1.250101.001.{device.soc_id} release-keys",
                "manufacturer": device.submitter,
                "model_code": device.system.upper(),
                "model_name": device.model,
                "board_code": device.soc_id.lower(),
                "proc_cpuinfo_soc_name": device.soc,
                "props": [{"type": "socName", "name": "ro.soc.model", "value": device.soc_id}],
            },
            "ios": None,
            "windows": None,
        },
    }


def _task(device: Device, place: int, task: Task, score: Score) -> dict[str, Any]:
    return {
        "benchmark_id": task.id,
        "benchmark_name": task.name,
        "loadgen_scenario": task.scenario,
        "backend_settings": {
            "accelerator_code": device.runs_on.lower(),
            "accelerator_desc": device.runs_on,
            "framework": "TFLite",
            "delegate": device.delegate,
            "model_path": f"[local:///mlperf_models/{task.model}]",
            "batch_size": 2048 if task.offline else 1,
            "extra_settings": [],
        },
        "backend_info": {
            "filename": "libtflitebackend",
            "vendor_name": "Google",
            "backend_name": "TFLite",
            "accelerator_name": device.runs_on,
        },
        "performance_run": _performance(device, place, task, score),
        "accuracy_run": _accuracy(device, place, task, score),
        "min_duration": 0.0 if task.offline else 60.0,
        "min_samples": OFFLINE_SAMPLES if task.offline else 1024,
    }


def _performance(device: Device, place: int, task: Task, score: Score) -> dict[str, Any]:
    run = Measured.of(task, score)
    rate = OFFLINE_SAMPLES * 1e9 / score.p90_ns if task.offline else 1e9 / score.p90_ns
    return {
        "throughput": {"value": rate},
        "accuracy": None,
        "accuracy2": None,
        "dataset": _dataset(task, task.lite),
        "measured_duration": round(run.duration_ms / 1000, 6),
        "measured_samples": OFFLINE_SAMPLES if task.offline else run.queries,
        "start_datetime": f"{device.start(place, 'performance').isoformat()}.250000",
        "loadgen": {
            "query_count": run.queries,
            "latency_mean": run.mean_ns / 1e9,
            "latency90": score.p90_ns / 1e9,
            "is_min_duration_met": True,
            "is_min_query_met": True,
            "is_early_stopping_met": True,
            "is_result_valid": True,
        },
    }


def _accuracy(device: Device, place: int, task: Task, score: Score) -> dict[str, Any]:
    return {
        "throughput": None,
        "accuracy": {"normalized": score.fraction, "formatted": score.printed},
        "accuracy2": None,
        "dataset": _dataset(task, task.full),
        "measured_duration": task.samples * 0.0015,
        "measured_samples": task.samples,
        "start_datetime": f"{device.start(place, 'accuracy').isoformat()}.250000",
        "loadgen": None,
    }


def _dataset(task: Task, name: str) -> dict[str, str]:
    return {
        "name": name,
        "type": task.kind,
        "data_path": f"local:///mlperf_datasets/{task.kind.lower()}",
        "groundtruth_path": "",
    }
