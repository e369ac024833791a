"""Print lines: folded and with colour on a terminal, as they are elsewhere."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator
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
    if out.isatty():
        lines = folded(lines, shutil.get_terminal_size().columns)
    if out.isatty() and not os.environ.get("NO_COLOR"):
        from rich.console import Console  # 60 ms that only a terminal pays for
        from rich.text import Text

        console = Console(file=out, highlight=False, soft_wrap=True)
        for line in lines:
            console.print(Text(line.text, style=_STYLES.get(line.style, "")))
        return
    for line in lines:
        out.write(line.text + "\n")


def folded(lines: Iterable[Line], width: int) -> Iterator[Line]:
    """Yield lines that fit a terminal, what follows of one indented below it.

    Only blanks are places to fold at: a path stays whole, so that it can be copied.
    """
    for line in lines:
        if len(line.text) <= width:
            yield line
            continue
        words = line.text.lstrip(" ")
        indent = line.text[: len(line.text) - len(words)]
        parts = textwrap.wrap(
            words,
            width,
            initial_indent=indent,
            subsequent_indent=f"{indent}  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        yield from (Line(part, line.style) for part in parts)
