"""Flaws of LoadGen's logs as files, in whatever suite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mlcheck.loadgen import DetailLog
from mlcheck.rules import Flaw


def torn(logs: Iterable[DetailLog], source: str) -> Iterator[Flaw]:
    """Yield a flaw per log of which not every event is whole.

    Args:
        logs: the detail logs that are there.
        source: where a submitter finds the log as it was written.
    """
    hint = f"copy the log anew from the {source}"
    for log in logs:
        if log.problem:
            yield Flaw(path=log.path, message="log cannot be read", actual=log.problem, hint=hint)
        elif not log.values and not log.broken:
            yield Flaw(
                path=log.path,
                message="log holds no events" if log.size else "log is empty",
                expected="lines with :::MLLOG" if log.size else None,
                hint=hint,
            )
        elif log.stray or log.broken:
            first = log.broken[0] if log.broken else None
            yield Flaw(
                path=log.path,
                line=first.line if first else log.stray,
                message="log is torn or was edited",
                expected="a JSON object after :::MLLOG",
                actual=first.message if first else "bytes that are not UTF-8",
                hint=hint,
            )
