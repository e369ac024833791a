"""mlcheck as a process of its own, with limits, and what it took."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

CAPBSET_DROP = 24  # of prctl
OVERRIDE, SEARCH = 1, 2  # capabilities by which an administrator reads everything


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended. Memory is that of the largest of it and its children, in MiB."""

    code: int
    out: str
    err: str
    seconds: float
    peak_mib: float


def run(
    *words: str | Path,
    before: Callable[[], object] | None = None,
    interrupt_after: float | None = None,
    out: Path | None = None,
) -> Ended:
    """Run mlcheck to its end.

    Args:
        words: its arguments.
        before: called in the new process before it starts.
        interrupt_after: seconds after its imports until the process and its children get SIGINT.
        out: standard output is written to this file.
    """
    # What getrusage says of the process itself began before its exec: with this process's size.
    measure = (
        "import re, resource, sys\n"
        "from mlcheck.cli import run\n"
        "print('READY', file=sys.stderr, flush=True)\n"
        "try:\n"
        "    run()\n"
        "finally:\n"
        "    status = open('/proc/self/status').read()\n"
        "    own = int(re.search(r'VmHWM:\\s*(\\d+) kB', status)[1])\n"
        "    peak = max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
        "    print(f'PEAK {peak}', file=sys.__stderr__)\n"
    )
    start = time.perf_counter()
    sink = out.open("wb") if out else None
    process = subprocess.Popen(
        [sys.executable, "-c", measure, *map(str, words)],
        stdout=sink or subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
        preexec_fn=before,
        cwd="/",
        # a limit of file sizes would tear what Python keeps beside the sources of all tests
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
    )
    if sink:
        sink.close()
    assert process.stderr
    early = process.stderr.readline()
    if interrupt_after is not None:
        time.sleep(interrupt_after)
        os.killpg(process.pid, signal.SIGINT)
    made, err = process.communicate(timeout=600)
    seconds = time.perf_counter() - start
    err, _, peak = (early + err).removeprefix("READY\n").rpartition("PEAK ")
    return Ended(process.returncode, made or "", err, seconds, float(peak or 0) / 1024)


def like_anybody() -> None:
    """Give up the rights by which an administrator may read everything."""
    if os.getuid() == 0:
        kernel = ctypes.CDLL(None)
        for capability in (OVERRIDE, SEARCH):
            kernel.prctl(CAPBSET_DROP, capability, 0, 0, 0)


def files_up_to(size: int) -> Callable[[], None]:
    """Return a function that lets a process write no file longer than so many bytes."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # then writing fails as on a full disk
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit
