"""A heat map: rows by columns, each tile shaded by how near its value comes to the best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mlcheck_report.charts.drawing import Chart, Texts, Tile, Word, shortened

LEFT, BOTTOM = 230, 34
WIDTH, HEIGHT = 88, 40  # of a tile
_LINE = 14
_NAME, _HEAD = 28, 13  # characters of the name of a row, of a line of a heading
_LINES = 4


@dataclass(frozen=True, slots=True)
class Value:
    """What stands in a tile. ``step``: its shade, 1 to 5; ``more``: its second line."""

    step: int
    text: str
    more: str
    label: str
    href: str


def heat(
    names: Sequence[tuple[str, str]],
    heads: Sequence[str],
    rows: Sequence[Sequence[Value | None]],
    x_title: str,
    texts: Texts,
) -> Chart:
    """Draw one row per name, which has two lines, and one column per head; None: an empty place."""
    lines = [_broken(head) for head in heads]
    top = _LINE * max(map(len, lines), default=1) + 8
    right, bottom = LEFT + WIDTH * len(heads), top + HEIGHT * len(names)
    return Chart(
        texts=texts,
        rows=(),
        width=right + 8,
        height=bottom + BOTTOM,
        box=(LEFT, top, right, bottom),
        x_title=x_title,
        y_title="",
        x_ticks=(),
        y_ticks=(),
        tiles=tuple(
            Tile(
                x=LEFT + WIDTH * column,
                y=top + HEIGHT * row,
                step=value.step,
                text=value.text,
                more=value.more,
                label=value.label,
                href=value.href,
            )
            for row, values in enumerate(rows)
            for column, value in enumerate(values)
            if value
        ),
        words=(*_names(names, top), *_heads(lines, top)),
        kind="heat",
    )


def _names(names: Sequence[tuple[str, str]], top: float) -> Iterator[Word]:
    for row, lines in enumerate(names):
        for place, text in enumerate(lines):
            y = top + HEIGHT * row + HEIGHT / 2 - 4 + _LINE * place
            yield Word(LEFT - 8, y, shortened(text, _NAME), "end")


def _heads(lines: Sequence[Sequence[str]], top: float) -> Iterator[Word]:
    for column, parts in enumerate(lines):
        for place, part in enumerate(parts):
            y = top - 8 - _LINE * (len(parts) - 1 - place)
            yield Word(LEFT + WIDTH * (column + 0.5), y, part)


def _broken(head: str) -> list[str]:
    """Break a heading after underscores and blanks into lines that fit above a tile."""
    lines = [""]
    for word in head.replace("_", "_ ").split():
        glue = "" if lines[-1].endswith("_") or not lines[-1] else " "
        if len(lines[-1] + glue + word) > _HEAD and lines[-1]:
            lines.append(word)
        else:
            lines[-1] += glue + word
    return [shortened(line, _HEAD + 2) for line in lines[:_LINES]]
