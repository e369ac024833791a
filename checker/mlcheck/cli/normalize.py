"""``mlcheck normalize``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mlcheck.cli import judging


def normalize(
    path: judging.Root,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the tables.")],
    suite: judging.Suite = None,
    round_: judging.Round = None,
    submitter: judging.Submitter = None,
    jobs: judging.Jobs = None,
    executor: judging.Cluster = None,
) -> None:
    """Verify a submission and write its results as Parquet tables.

    Every result is written, valid or not, with its verdicts. Exit code: 0 written, 2 usage,
    3 a bug in mlcheck, 4 nothing to write.
    """
    from mlcheck.normalize.write import write_tables

    judging.keep_out(path, out)
    report = judging.judged(path, suite, round_, submitter, jobs, executor=executor)
    if not report.results:
        judging.leave("nothing to write: no results were found", judging.NOTHING)
    try:
        for file, rows in write_tables(report, out):
            typer.echo(f"{file}: {rows} rows")
    except OSError as err:
        judging.leave(f"cannot write {out}: {err.strerror}", judging.USAGE)
