"""Rows as text for a terminal, as CSV and as JSON. Submitted text is made harmless."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from mlcheck.output.text import printable

WIDTH = 80
_LEAST = 6  # characters a column is cut down to
_GAP = "  "
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: which member of a row, what stands above it, and what may be cut.

    Numbers stand on the right; ``right`` is for numbers that are texts already.
    """

    key: str
    title: str
    whole: bool = False  # never cut, such as a number
    right: bool = False


def safe(text: Any) -> str:
    """Return a value as one line that a terminal shows and does not obey."""
    if text is None:
        return ""
    if isinstance(text, bool):
        return "yes" if text else "no"
    if isinstance(text, float):
        return number(text)
    if isinstance(text, list | tuple):
        return ", ".join(safe(part) for part in text)
    return printable(str(text))


def number(value: float) -> str:
    """Return a number with six significant digits, its thousands apart."""
    if not math.isfinite(value):
        return str(value)
    if value == 0 or 1e-3 <= abs(value) < 1e12:
        decimals = max(0, 5 - math.floor(math.log10(abs(value)))) if value else 0
        text = f"{value:,.{min(decimals, 8)}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return f"{value:.6g}"


def counted(count: int, noun: str) -> str:
    """Return ``1 result``, ``2,000 results``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def text_table(rows: Sequence[Row], columns: Sequence[Column], width: int = WIDTH) -> Iterator[str]:
    """Yield the lines of a table no wider than ``width``, if numbers and heads leave room."""
    cells = [[safe(row.get(column.key)) for column in columns] for row in rows]
    numeric = [column.right or _is_numeric(rows, column.key) for column in columns]
    widths = _widths(cells, columns, width)
    yield _line([column.title for column in columns], widths, numeric)
    yield _GAP.join("-" * width for width in widths)
    for line in cells:
        yield _line(line, widths, numeric)


def _is_numeric(rows: Sequence[Row], key: str) -> bool:
    values = [row.get(key) for row in rows if row.get(key) is not None]
    return bool(values) and all(
        isinstance(v, int | float) and not isinstance(v, bool) for v in values
    )


def _widths(cells: list[list[str]], columns: Sequence[Column], width: int) -> list[int]:
    widths = [
        max(len(column.title), *(len(line[i]) for line in cells), 1)
        for i, column in enumerate(columns)
    ]
    spare = width - len(_GAP) * (len(columns) - 1)
    while sum(widths) > spare:
        soft = [i for i, column in enumerate(columns) if not column.whole]
        soft = [i for i in soft if widths[i] > max(_LEAST, len(columns[i].title))]
        if not soft:
            break
        widest = max(soft, key=lambda i: widths[i])
        widths[widest] -= 1
    return widths


def _line(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    parts = []
    for cell, width, right in zip(cells, widths, numeric, strict=True):
        text = cell if len(cell) <= width else f"{cell[: width - 1]}…"
        parts.append(text.rjust(width) if right else text.ljust(width))
    return _GAP.join(parts).rstrip()


def csv_text(rows: Sequence[Row], names: Sequence[str]) -> str:
    """Return rows as CSV. Text that a spreadsheet would take for a formula gets an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        writer.writerow([_csv_cell(row.get(name)) for name in names])
    return out.getvalue()


def _csv_cell(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, list | tuple | dict):
        value = json.dumps(value)
    if isinstance(value, str) and len(value) > 1 and value[0] in "=+-@\t\r":
        return f"'{value}"
    return value


def json_text(document: Any) -> str:
    """Return plain values as indented JSON. What is no number in JSON is a text."""
    return json.dumps(_plain(document), indent=1, ensure_ascii=False) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value
