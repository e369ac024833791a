"""The plain filters of the commands that ask a store."""

from __future__ import annotations

from typing import Annotated

import typer

from mlcheck.repository.choices import Accepted

Suite = Annotated[str | None, typer.Option(help="Only this suite.")]
Round = Annotated[str | None, typer.Option("--round", help="Only this round, such as v5.1.")]
Division = Annotated[str | None, typer.Option(help="closed, open or network.")]
Submitter = Annotated[str | None, typer.Option(help="Only this submitter.")]
System = Annotated[str | None, typer.Option(help="Part of the name of a system.")]
Benchmark = Annotated[str | None, typer.Option(help="Only this benchmark.")]
Scenario = Annotated[str | None, typer.Option(help="Only this scenario.")]
Accelerator = Annotated[
    str | None, typer.Option(help="Name or family, such as H100; or part of what was written.")
]
Availability = Annotated[str | None, typer.Option(help="available, preview, rdi.")]
AcceptedBy = Annotated[
    Accepted, typer.Option("--accepted-by", help="Whose verdict counts; any: also refused ones.")
]
