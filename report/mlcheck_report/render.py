"""Write the pages: one self-contained file per round, and a list of the rounds."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import re
from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from mlcheck_report import glossary, numbers
from mlcheck_report.devices import Devices, age, devices
from mlcheck_report.embed import script_data
from mlcheck_report.page import Page, build
from mlcheck_report.sources import sources
from mlcheck_report.tables import ReportError, Tables, read

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_MOST = 20  # results named beside a rule
_CLOSING = re.compile(r"</(script|style)|<!--", re.IGNORECASE)
_UNSAFE = {ord(character): f"\\u{ord(character):04x}" for character in "<>&'\u2028\u2029"}


def render(tables: Path, out: Path, *, generated: str | None = None) -> tuple[Path, ...]:
    """Write `index.html` and one page per round.

    Args:
        tables: folder with one Parquet file per table of the schema.
        out: folder for the pages; made if it is not there.
        generated: text about when or by what the pages were made; left out if None.

    Returns:
        The files written, `index.html` first. The same tables give the same bytes.

    Raises:
        ReportError: a table is missing, unreadable, empty, or of another schema version.
    """
    read_tables = read(tables)
    pages = {_file_name(suite, round_): (suite, round_) for suite, round_ in read_tables.rounds()}
    texts = render_texts(read_tables, pages, generated)
    out.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (out / name).write_bytes(text.encode("utf-8", "replace"))
    return tuple(out / name for name in texts)


def render_texts(
    tables: Tables, pages: dict[str, tuple[str, str]], generated: str | None
) -> dict[str, str]:
    """Return the text of each page by file name, the index first."""
    built = {
        name: build(tables.of(suite, round_), suite, round_, tables.metadata)
        for name, (suite, round_) in pages.items()
    }
    listed = [
        {"file": name, "suite": page.suite, "round": page.round, "counts": page.counts}
        for name, page in built.items()
    ]
    index = _environment().get_template("index.html").render(pages=listed, generated=generated)
    return {"index.html": index} | {
        name: _round_page(page, _devices(page, built.values()), generated)
        for name, page in built.items()
    }


def _devices(page: Page, pages: Iterable[Page]) -> Devices | None:
    """Arrange a round's devices, with the earlier rounds of its suite to compare with."""
    before = [p for p in pages if p.suite == page.suite and age(p.round) < age(page.round)]
    return devices(page.rows, [row for each in before for row in each.rows])


def _round_page(page: Page, shown: Devices | None, generated: str | None) -> str:
    template = _environment().get_template("leaderboard.html")
    return template.render(
        page=page,
        devices=shown,
        generated=generated,
        glossary=glossary.terms({name: list(found) for name, found in page.choices.items()}),
        data=json_for_html(script_data(page, sources(page.submissions))),
        most=_MOST,
    )


@functools.cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("mlcheck_report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "breakable": breakable,
        "exact": numbers.exact,
        "percent": numbers.percent,
        "significant": numbers.significant,
    }
    style, script = _static("style.css"), _static("page.js")
    environment.globals |= {
        "style": Markup(style),
        "script": Markup(script),
        "policy": content_policy(style, script),
    }
    return environment


def content_policy(style: str, script: str) -> str:
    """Return a Content-Security-Policy that allows this one style and this one script."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def breakable(text: str) -> Markup:
    """Escape a folder name and let lines break after its underscores."""
    return escape(text).replace("_", Markup("_<wbr>"))


def json_for_html(value: Any) -> Markup:
    """Write JSON that can stand inside a script element, whatever strings it holds."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(text.translate(_UNSAFE))


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _static(name: str) -> str:
    text = resources.files("mlcheck_report").joinpath("static", name).read_text(encoding="utf-8")
    if _CLOSING.search(text):
        raise ValueError(f"{name} would end its own element")
    return text


def _file_name(suite: str, round_: str) -> str:
    if not (_NAME.fullmatch(suite) and _NAME.fullmatch(round_)):
        raise ReportError(f"suite {suite!r} and round {round_!r} do not make a file name")
    return f"{suite}-{round_}.html"
