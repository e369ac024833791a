"""The documents beside the logs: descriptions, measurements, the writeup, a screenshot."""

from __future__ import annotations

import json
import struct
import zlib

from makers.mobile.plans import Device, Task

README = """# Example submission, MLPerf Mobile v5.0

Written by `make_mobile.py`. **All numbers, devices, firms and software here are invented**; nothing
was measured. The form of each file is that of a real submission, with one liberty that keeps it
small: traces and logs of answers hold their first entries only.
"""
CALIBRATION = """# Quantisation

Nothing was quantised: this tree is an example of where things lie. A real writeup says how weights
and activations were mapped to fewer bits, and with which pictures of the calibration set.
"""
CODE = "# Code\n\nNothing was run: here lie sources and models, or it is said where they are.\n"


def description(device: Device) -> str:
    """Return ``systems/SYSTEM.json``."""
    fields = {
        "system": {
            "Processor Name": device.soc,
            "CPU_Type_1": "2x Invented Core Big: up to 3.0 GHz",
            "CPU_Type_2": "6x Invented Core Small: up to 2.0 GHz",
            "Graphics": "Invented GPU",
            "Accelerator type": "Invented NPU",
            "DRAM": "12 GB LPDDR5",
        },
        "notes": {
            "Phone summary": device.model,
            "Status": "available",
            "Room temperature": 23,
            "Break between tasks": 300,
            "Break between runs": 15,
        },
        "software": {
            "OS_version": "Android 15",
            "TFlite Version": "2.14.0",
            "TFLite delegate types": device.delegate,
            "Vendor SDK": "InventedSDK 1.0",
        },
    }
    return json.dumps(fields, indent=2) + "\n"


def measurement(task: Task) -> str:
    """Return the document of a result below ``measurements``."""
    fields = {
        "input_data_types": "UINT8",
        "retraining": "none",
        "starting_weights_filename": task.model,
        "weight_data_types": "int8",
        "weight_transformations": "none",
    }
    return json.dumps(fields, indent=2) + "\n"


def picture() -> bytes:
    """Return a PNG of one grey pixel, in place of a screenshot."""
    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(b"\x00\x80", 9)), (b"IEND", b""))
    body = b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + body
