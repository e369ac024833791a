"""Print lines: with colour on a terminal, plain elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TextIO

from mlcheck.output.text import Line

_STYLES = {
    "error": "bold red",
    "warning": "bold yellow",
    "note": "cyan",
    "pass": "bold green",
    "fail": "bold red",
    "dim": "dim",
    "head": "bold",
}


def print_lines(lines: Iterable[Line], stream: TextIO | None = None) -> None:
    """Print lines to a stream, standard output if none is given."""
    out = stream or sys.stdout
    if out.isatty() and not os.environ.get("NO_COLOR"):
        from rich.console import Console  # 60 ms that only a terminal pays for
        from rich.text import Text

        console = Console(file=out, highlight=False, soft_wrap=True)
        for line in lines:
            console.print(Text(line.text, style=_STYLES.get(line.style, "")))
        return
    for line in lines:
        out.write(line.text + "\n")
