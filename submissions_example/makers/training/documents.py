"""The description of an invented machine, and the files of its code."""

from __future__ import annotations

import json

_EMPTY = (
    "accelerator_frequency", "accelerator_interconnect_topology", "accelerator_on-chip_memories",
    "host_processor_caches", "host_processor_frequency", "host_processor_interconnect",
    "host_networking_topology", "hw_notes", "sw_notes",
)  # fmt: skip


def description(*, submitter: str, division: str, name: str, nodes: int) -> str:
    """Return ``systems/NAME.json``."""
    fields = {
        "submitter": submitter,
        "division": division,
        "status": "Available on-premise",
        "system_name": name,
        "number_of_nodes": str(nodes),
        "host_processors_per_node": "2",
        "host_processor_model_name": "Invented CPU 64C",
        "host_processor_core_count": "64",
        "host_processor_vcpu_count": "128",
        "host_memory_capacity": "1024 GB",
        "host_memory_configuration": "16 x 64 GB",
        "host_storage_type": "NVMe SSD",
        "host_storage_capacity": "4 TB",
        "host_networking": "Ethernet",
        "accelerators_per_node": "8",
        "accelerator_model_name": "Invented Accelerator A1",
        "accelerator_host_interconnect": "PCIe Gen 5 x16",
        "accelerator_memory_capacity": "80 GB",
        "accelerator_memory_configuration": "HBM",
        "accelerator_interconnect": "InventedLink",
        "cooling": "air",
        "framework": "PyTorch 2.8",
        "other_software_stack": "InventedStack 1.0",
        "operating_system": "Debian 13",
        **dict.fromkeys(_EMPTY, ""),
    }
    return json.dumps(fields, indent=2, sort_keys=True) + "\n"


def readme(benchmark: str) -> str:
    """Return the README of an implementation."""
    return f"# {benchmark}\n\nNothing was run: this tree is an example of where things lie.\n"


RUN_AND_TIME = "#!/usr/bin/env bash\nset -euo pipefail\npython train.py\n"
