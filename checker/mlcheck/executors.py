"""Where places are read and judged: processes of this machine, or workers of a Dask cluster.

The engine asks for an executor and maps over it; an existing engine does the rest. Workers of a
cluster need the same mlcheck and see the tree under the same path, on storage that they share.
"""

from __future__ import annotations

import importlib
import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

DASK = "dask://"
_CONNECT_S = 20
Problem = Callable[[], str | None]


class ExecutorError(Exception):
    """An executor cannot be used; the text says which and why."""


@contextmanager
def processes(
    count: int, start: Callable[..., None], arguments: tuple[Any, ...]
) -> Iterator[Executor]:
    """Yield processes of this machine, each prepared by ``start(*arguments)``.

    If what they are used for ends with an exception, what has not begun is not done.
    """
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if "fork" in methods else None)
    with ProcessPoolExecutor(count, context, initializer=start, initargs=arguments) as pool:
        try:
            yield pool
        except BaseException:  # an interruption by the user as well
            pool.shutdown(wait=False, cancel_futures=True)
            raise


@contextmanager
def cluster(uri: str, problem: Problem) -> Iterator[Executor]:
    """Yield the workers of a cluster.

    Args:
        uri: ``dask://HOST:PORT`` of the scheduler.
        problem: called on every worker; says why it cannot be used, or None.

    Raises:
        ExecutorError: the cluster cannot be reached, has no workers, loses them, or one cannot be
            used.
    """
    client = _client(uri)
    try:
        problems = client.run(problem)
        if not problems:
            raise ExecutorError(f"{uri} has no workers")
        for worker, text in sorted(problems.items()):
            if text:
                raise ExecutorError(f"worker {worker}: {text}")
        yield client.get_executor(pure=False)  # the same place may hold something else by now
    except Exception as err:
        if type(err).__module__.partition(".")[0] != "distributed":
            raise
        raise ExecutorError(f"{uri} gave up: {str(err).splitlines()[0]}") from err
    finally:
        client.close()


def _client(uri: str) -> Any:
    address = uri.removeprefix(DASK)
    if not uri.startswith(DASK) or ":" not in address:
        raise ExecutorError(f"--executor {uri}: give {DASK}HOST:PORT")
    try:
        distributed: Any = importlib.import_module("distributed")
    except ModuleNotFoundError as err:
        raise ExecutorError(
            "--executor needs distributed: pip install 'mlcheck-toolkit[cluster]'"
        ) from err
    try:
        return distributed.Client(f"tcp://{address}", timeout=_CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as err:
        raise ExecutorError(f"cannot reach {uri}: {str(err).splitlines()[0]}") from err
