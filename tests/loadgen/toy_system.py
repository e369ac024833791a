"""Drive a toy system with the real LoadGen: ``python toy_system.py SETTINGS_JSON OUT``.

A process of its own per run: LoadGen keeps global state, and prints.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import mlperf_loadgen as lg

SAMPLES = 64


def main(settings: dict[str, Any], out: str) -> None:
    """Run one test and leave LoadGen's logs in ``out``."""
    test = lg.TestSettings()
    test.scenario = getattr(lg.TestScenario, settings.pop("scenario"))
    test.mode = getattr(lg.TestMode, settings.pop("mode"))
    for name, value in settings.items():
        setattr(test, name, value)
    where = lg.LogOutputSettings()
    where.outdir = out
    where.copy_summary_to_stdout = False
    logs = lg.LogSettings()
    logs.log_output = where
    sut = lg.ConstructSUT(lambda queries: answer(queries, test.use_token_latencies), lambda: None)
    library = lg.ConstructQSL(SAMPLES, SAMPLES, lambda _: None, lambda _: None)
    lg.StartTestWithLogSettings(sut, library, test, logs, "no-audit.config")
    lg.DestroyQSL(library)
    lg.DestroySUT(sut)


def answer(queries: list[Any], tokens: bool) -> None:
    """Answer every query at once, with one token if tokens are asked for."""
    if tokens:
        lg.FirstTokenComplete([lg.QuerySampleResponse(query.id, 0, 0, 1) for query in queries])
        lg.QuerySamplesComplete([lg.QuerySampleResponse(query.id, 0, 0, 8) for query in queries])
    else:
        lg.QuerySamplesComplete([lg.QuerySampleResponse(query.id, 0, 0) for query in queries])


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), sys.argv[2])
