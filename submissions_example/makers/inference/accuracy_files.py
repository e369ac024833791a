"""``accuracy.txt`` and ``mlperf_log_accuracy.json`` as the truncating tool leaves them."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable

from makers.inference.answers import entry, tokens_of_all_answers
from makers.inference.loadgen_tests import Logs
from makers.inference.plans import Plan
from makers.inference.samples import audited, issued_once

KEPT = 4096  # bytes the truncating tool keeps of either end
_TEST06_ANSWERS = 100  # audit.config: that many queries, all of them kept
_CHARACTERS_PER_TOKEN = 4.0027


def accuracy_run_files(logs: Logs, kept: int = KEPT) -> dict[str, str]:
    """Return the two files of an accuracy run by name; ``kept``: bytes of either end."""
    plan = logs.settings.plan
    entries = enumerate(issued_once(logs.settings))
    whole = _json(entry(plan, number, sample) for number, sample in entries)
    text, digest = truncated(whole, kept)
    return {"accuracy.txt": f"{_score(plan)}\n\nhash={digest}\n", "mlperf_log_accuracy.json": text}


def test01_files(logs: Logs) -> tuple[dict[str, str], int]:
    """Return the files of TEST01's accuracy folder by name and the number of answers kept."""
    plan = logs.settings.plan
    rng = random.Random(f"{plan.place}/TEST01/answers")
    kept = audited(logs.settings, rng, logs.run.samples if logs.run else 0)
    text, digest = truncated(_json(entry(plan, number, sample) for number, sample in kept))
    # The tool appends the hash to an empty file: the answers are compared, not scored.
    return {"accuracy.txt": f"\nhash={digest}\n", "mlperf_log_accuracy.json": text}, len(kept)


def test06_json(plan: Plan) -> str:
    """Return the answers of TEST06, which is never truncated; they are short to keep it small."""
    rng = random.Random(f"{plan.place}/TEST06/answers")
    size = plan.benchmark.dataset_size
    samples = [int(rng.random() * size) for _ in range(_TEST06_ANSWERS)]
    return _json(entry(plan, number, sample, short=True) for number, sample in enumerate(samples))


def truncated(text: str, kept: int = KEPT) -> tuple[str, str]:
    """Return both ends of a log and the hash of the whole."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    if len(text) < kept:
        return text, digest
    return f"{text[:kept]}\n\n...\n\n{text[-kept:]}", digest


def _json(entries: Iterable[str]) -> str:
    return "[\n" + ",\n".join(entries) + "\n]\n"


def _score(plan: Plan) -> str:
    """Return what the benchmark's accuracy script prints."""
    if not plan.benchmark.counts_tokens:
        return plan.accuracy
    answers = plan.benchmark.dataset_size
    tokens = tokens_of_all_answers(plan)
    return (
        f"\nResults\n\n{{{plan.accuracy}, 'gen_len': {round(tokens * _CHARACTERS_PER_TOKEN)}, "
        f"'gen_num': {answers}, 'gen_tok_len': {tokens}, "
        f"'tokens_per_sample': {round(tokens / answers, 1)}}}"
    )
