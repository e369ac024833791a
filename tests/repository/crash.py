"""Ingests in processes of their own, to be killed."""

from __future__ import annotations

import math
import multiprocessing
import os
import time
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Barrier

from mlcheck.fingerprint import Fingerprint
from mlcheck.model import Report
from mlcheck.repository.ingest import ingest
from mlcheck.repository.source import Source
from mlcheck.repository.store import Store


def context() -> ForkServerContext:
    """Return where processes come from: a server that has imported all and opened nothing."""
    made = multiprocessing.get_context("forkserver")
    made.set_forkserver_preload(["tests.repository.crash", "deltalake", "pyarrow.dataset"])
    return made


def _run(uri: str, report: Report, tree: Fingerprint, start: Barrier | None) -> None:
    if start is not None:
        start.wait()
    ingest(Store(uri), report, tree, Source(None, None))
    os._exit(0)  # nothing to tidy up


def work_of(process: BaseProcess) -> float:
    """Return the seconds of processor time that a process has taken; inf: it has ended.

    Unlike time on the wall, they say how far it has come whatever else the machine does.
    """
    assert process.pid
    try:
        return time.clock_gettime(~process.pid << 3 | 2)  # see clock_getcpuclockid(3)
    except OSError:
        return math.inf


def started(
    server: ForkServerContext,
    uri: str,
    report: Report,
    tree: Fingerprint,
    start: Barrier | None = None,
) -> BaseProcess:
    """Start an ingest."""
    process = server.Process(target=_run, args=(uri, report, tree, start))
    process.start()
    return process
