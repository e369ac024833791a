"""Made-up answers of the models: the entries of ``mlperf_log_accuracy.json``.

An answer follows from system, benchmark and sample, so that a compliance run repeats the accuracy
run. Language models answer a little differently in each scenario.
"""

from __future__ import annotations

import hashlib
import struct
from functools import cache

from makers.inference.plans import Plan
from makers.inference.round_facts import LLAMA2, RETINANET

MAX_NEW_TOKENS = 1024
_END_OF_SEQUENCE = bytes((2, 0, 0, 0))


def entry(plan: Plan, sequence: int, sample: int, *, short: bool = False) -> str:
    """Return one entry as LoadGen writes it.

    Args:
        plan: what ran.
        sequence: number of the issued sample.
        sample: its index in the data set.
        short: answer with a few tokens only.
    """
    start = f'{{ "seq_id" : {sequence}, "qsl_idx" : {sample}, "data" : "'
    if plan.benchmark is RETINANET:
        return f'{start}{_boxes(plan, sample)}" }}'
    if plan.benchmark is not LLAMA2:
        return f'{start}{_label(plan, sample)}" }}'
    tokens = _tokens(plan, sample, short=short)
    first = f', "token_data" : "{tokens[:8]}"' if plan.loadgen_scenario == "Server" else ""
    return f'{start}{tokens}"{first}, "token_count" : {len(tokens) // 8} }}'


@cache
def tokens_of_all_answers(plan: Plan) -> int:
    """Return the tokens of one answer to each sample of the data set."""
    return sum(_length(plan, sample) for sample in range(plan.benchmark.dataset_size))


def _digest(plan: Plan, sample: int, size: int) -> bytes:
    place = plan.place if plan.benchmark.counts_tokens else plan.place.rpartition("/")[0]
    return hashlib.shake_256(f"{place}/{sample}".encode()).digest(size)


def _label(plan: Plan, sample: int) -> str:
    """Return the class of an image."""
    number = int.from_bytes(_digest(plan, sample, 4), "big") % 1000
    return struct.pack("<i", number).hex().upper()


def _boxes(plan: Plan, sample: int) -> str:
    """Return one to four boxes: sample, corners, score, class; all of them floats."""
    raw = _digest(plan, sample, 25)
    boxes = b""
    for at in range(1, 2 + 6 * (raw[0] % 4), 6):
        top, left, height, width, score, label = raw[at : at + 6]
        corners = (top / 512, left / 512, (top + height) / 512, (left + width) / 512)
        boxes += struct.pack("<7f", sample, *corners, score / 256, label)
    return boxes.hex().upper()


def _length(plan: Plan, sample: int) -> int:
    """Return the tokens of an answer: 40 to 1024, skewed, about 294 on average."""
    first, second = _digest(plan, sample, 2)
    return min(MAX_NEW_TOKENS, 40 + first * second // 64)


def _tokens(plan: Plan, sample: int, *, short: bool) -> str:
    """Return an answer's tokens; only the last one ends the sequence."""
    raw = _digest(plan, sample, 2 * MAX_NEW_TOKENS)
    length = 3 + raw[0] % 9 if short else _length(plan, sample)
    data = bytearray(4 * length)
    data[0::4] = raw[:length]
    data[1::4] = bytes((byte & 0x3F) | 1 for byte in raw[length : 2 * length])  # 256 to 16383
    data[-4:] = _END_OF_SEQUENCE
    return data.hex().upper()
