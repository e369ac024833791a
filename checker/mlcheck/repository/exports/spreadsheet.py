"""The publication spreadsheet: what the chairs publish, as XLSX. Submitted text is only text."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from mlcheck.repository.exports.facts import Published
from mlcheck.repository.exports.items import Item
from mlcheck.repository.exports.mobile_summary import summary
from mlcheck.repository.exports.summary_json import summary_documents
from mlcheck.repository.exports.training_summary import column_names, energy_names, with_energy
from mlcheck.repository.exports.training_summary import summary_rows as training_rows
from mlcheck.repository.extras import need

Row = dict[str, Any]
Key = tuple[str, str, str]  # model, scenario, unit
_INDEX = ("ID", "Unique ID (e.g. for Audit)", "ColorKey", "Submitter", "Availability", "System",
          "Nodes", "Processor", "p#", "Accelerator", "a#", "Software", "Notes")  # fmt: skip
_OPEN = ("UsedModel", "Accuracy")
_LINKS = ("Details", "Code")
_MADE = datetime(1980, 1, 1)  # so that the same results give the same bytes
_LONGEST = 32_767  # characters that a cell of a spreadsheet holds
NOTICE = (
    "Made by mlcheck, which is independent of MLCommons. MLPerf is a trademark of MLCommons. "
    "Not verified by MLCommons Association."
)


def workbook(fill: Callable[[Any], None]) -> bytes:
    """Return the bytes of a workbook that a function fills.

    Raises:
        MissingExtraError: XlsxWriter is not installed.
    """
    out = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False,
               "nan_inf_to_errors": True}  # fmt: skip
    book = need("xlsxwriter").Workbook(out, options)
    book.set_properties({"created": _MADE, "comments": NOTICE})
    fill(book)
    book.close()
    return out.getvalue()


def inference(facts: Published, items: Sequence[Item], repository: str | None) -> bytes:
    """Return the workbook of an inference round: a sheet per type of system and division."""
    documents = summary_documents(facts, items, repository)

    def fill(book: Any) -> None:
        for division in facts.divisions:
            for kind in facts.system_types:
                mine = [
                    row
                    for row in documents
                    if row["Category"] == division and kind in row["Suite"].split(",")
                ]
                name = f"{kind} - {division}"
                _sheet(book, name, facts, division, [_performance(row) for row in mine])
                power = [cell for row in mine if row["has_power"] for cell in _both(row)]
                _sheet(book, f"{name} - power", facts, division, power)
        if not book.worksheets():
            book.add_worksheet("no results")

    return workbook(fill)


def _performance(row: Row) -> tuple[Row, str, Any]:
    return row, row.get("Performance_Units", ""), row.get("Performance_Result")


def _both(row: Row) -> Iterable[tuple[Row, str, Any]]:
    if "Performance_Result" in row:
        yield _performance(row)
    yield row, row["Power_Units"], row["Power_Result"]


def _sheet(
    book: Any, name: str, facts: Published, division: str, cells: Sequence[tuple[Row, str, Any]]
) -> None:
    """Write a sheet: lines by what is published, columns by model, scenario and unit."""
    cells = [cell for cell in cells if cell[2] is not None]
    if not cells:
        return
    index = [*_INDEX, *(_OPEN if division == "open" else ()), *_LINKS]
    columns = sorted(
        {(row["Model"], row["Scenario"], unit) for row, unit, _ in cells},
        key=lambda key: _place(facts, key),
    )
    sheet = book.add_worksheet(name)
    bold, number = book.add_format({"bold": True}), book.add_format({"num_format": "#,##0.00"})
    for line, title in enumerate(("Model", "Scenario", "Units")):
        sheet.write_string(line, len(index) - 1, title, bold)
        for position, key in enumerate(columns):
            sheet.write_string(line, len(index) + position, key[line], bold)
    for position, title in enumerate(index):
        sheet.write_string(3, position, title, bold)
    lines: dict[tuple[str, ...], int] = {}
    for row, unit, value in cells:
        line = lines.setdefault(tuple(str(row[title]) for title in index), 4 + len(lines))
        for position, title in enumerate(index):
            _write(sheet, line, position, row[title], None)
        place = len(index) + columns.index((row["Model"], row["Scenario"], unit))
        _write(sheet, line, place, value, number)
    sheet.freeze_panes(4, 4)
    sheet.set_column(1, 2, None, None, {"hidden": True})
    sheet.autofilter(3, 0, 3 + len(lines), len(index) - 1)


def _place(facts: Published, key: Key) -> tuple[int, int, str]:
    model, scenario, unit = key
    models, scenarios = facts.benchmarks, facts.scenarios
    return (
        models.index(model) if model in models else len(models),
        scenarios.index(scenario) if scenario in scenarios else len(scenarios),
        unit,
    )


def training(facts: Published, items: Sequence[Item]) -> bytes:
    """Return the workbook of a training round: sheets per division of minutes and of energy."""
    names = column_names(facts)
    both = energy_names(facts, items)
    rows = training_rows(facts, items)
    measured = training_rows(facts, with_energy(items), both)

    def fill(book: Any) -> None:
        for division in facts.divisions:
            for name, table, columns in (
                (division, rows, names),
                (f"{division} - power", measured, both),
            ):
                titles = {n: f"{n} (minutes)" if n in facts.benchmarks else n for n in columns}
                mine = [row for row in table if row["division"] == division]
                _by_availability(book, name, titles, mine)

    return workbook(fill)


def mobile(facts: Published, items: Sequence[Item], repository: str | None) -> bytes:
    """Return the workbook of a mobile round: sheets per division of results and of accuracy."""
    table = summary(facts, items, repository)

    def fill(book: Any) -> None:
        for division in facts.divisions:
            mine = [row for row in table.rows if row["division"] == division]
            for name, tasks in (
                (division, table.results),
                (f"{division} - accuracy", table.accuracies),
            ):
                columns = (*table.before, *(task for task in tasks if task), *table.after)
                _by_availability(book, name, {column: column for column in columns}, mine)

    return workbook(fill)


def _by_availability(book: Any, name: str, titles: Mapping[str, str], rows: Sequence[Row]) -> None:
    """Write a sheet, availabilities one below the other; none where there are no rows.

    Args:
        book: to write to.
        name: of the sheet.
        titles: column -> what stands above it.
        rows: with an ``availability``.
    """
    if not rows:
        return
    bold, number = book.add_format({"bold": True}), book.add_format({"num_format": "#,##0.000"})
    grey = book.add_format({"bold": True, "bg_color": "#d0d0d0"})
    sheet = book.add_worksheet(name)
    for position, title in enumerate(titles.values()):
        sheet.write_string(0, position, title, bold)
    line = 1
    for availability in sorted({_availability(row) for row in rows}):
        sheet.write_string(line, 0, availability, grey)
        for row in (row for row in rows if _availability(row) == availability):
            line += 1
            for position, column in enumerate(titles):
                value = row.get(column)
                _write(sheet, line, position, value, number if isinstance(value, float) else None)
        line += 1
    sheet.freeze_panes(1, 4)


def _availability(row: Row) -> str:
    return str(row["availability"] or "availability is not stated")


def plain(rows: Sequence[Row], names: Sequence[str]) -> bytes:
    """Return rows as a workbook of one sheet."""

    def fill(book: Any) -> None:
        sheet = book.add_worksheet("results")
        bold = book.add_format({"bold": True})
        for position, name in enumerate(names):
            sheet.write_string(0, position, name, bold)
        for line, row in enumerate(rows, 1):
            for position, name in enumerate(names):
                _write(sheet, line, position, row.get(name), None)
        sheet.freeze_panes(1, 0)

    return workbook(fill)


def _write(sheet: Any, line: int, column: int, value: Any, shape: Any) -> None:
    if value is None or value == "":
        return
    if isinstance(value, bool):
        sheet.write_boolean(line, column, value, shape)
    elif isinstance(value, int | float):
        sheet.write_number(line, column, value, shape)
    else:
        text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        sheet.write_string(line, column, text[:_LONGEST], shape)
