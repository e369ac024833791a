"""Write a site: pages, the files beside them, and the assets that they share."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from datetime import date
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from mlcheck_report import manifest, numbers
from mlcheck_report.charts.drawing import SHAPES
from mlcheck_report.check import dead_links
from mlcheck_report.former import read_site
from mlcheck_report.frames import exports
from mlcheck_report.frames.site import Kind, Shown, Site, site
from mlcheck_report.links import address
from mlcheck_report.pages import PAGES
from mlcheck_report.tables import ReportError, read

ASSETS = ("style.css", "site.js", "board.js", "compare.js", "search.js")
# Scripts and styles come from the folder of the site alone; nothing inline, nothing from elsewhere.
# Measured: Chromium 156 and Firefox 153 take 'self' for files of the same folder tree on disk.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)


def render(
    *tables: Path,
    out: Path,
    generated: str | None = None,
    former: Path | None = None,
    day: date | None = None,
) -> tuple[Path, ...]:
    """Write the site of all rounds in the tables.

    Args:
        tables: folders with one Parquet file per table of the schema, or with such folders inside.
        out: folder for the pages; made if it is not there. Of what a former build wrote there, what
            this one does not write is removed.
        former: site of an earlier build to be compared with; may be `out` itself.
        day: of the build, for the feeds; None: there are none.
        generated: text about when or by what the pages were made; left out if None.

    Returns:
        The files written, `index.html` first. The same tables give the same bytes.

    Raises:
        ReportError: a table is missing, unreadable, empty, or of another schema version; or a page
            would link to one that is not there.
    """
    before = read_site(former) if former else None
    shown = site(read(*tables), before, day.isoformat() if day else None)
    files = dict(texts(shown, generated))
    dead = dead_links(files)
    if dead:
        raise ReportError(f"{dead[0][0]} links to {dead[0][1]}, which no page is")
    manifest.write(out, files)
    return tuple(out / name for name in files)


def texts(site: Site, generated: str | None) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of every file of a site, the start page first."""
    for kind in PAGES:
        yield from _pages(kind, site, generated)
    yield from exports.frame(site)
    for name in ASSETS:
        yield f"assets/{name}", _asset(name)


def _pages(kind: Kind, site: Site, generated: str | None) -> Iterator[tuple[str, bytes]]:
    template = _environment().get_template(kind.template)
    shared = {"site": site, "generated": generated, "kind": kind}
    for shown in kind.frame(site):
        yield shown.path, _page(template, shown, shared).encode("utf-8", "replace")


def _page(template: jinja2.Template, shown: Shown, shared: Mapping[str, Any]) -> str:
    return template.render(
        **shared,
        page=shown,
        view=shown.view,
        round=shown.round,
        root="../" * shown.path.count("/"),
    )


class _Environment(jinja2.Environment):
    """Looks into mappings before it looks for attributes: rows of tables are mappings."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


@functools.cache
def _environment() -> jinja2.Environment:
    environment = _Environment(
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
    environment.globals |= {"policy": POLICY, "shapes": SHAPES, "address": address}
    return environment


def breakable(text: str) -> Markup:
    """Escape a name or a path and let lines break after its underscores and slashes."""
    return Markup(str(escape(text)).replace("/", "/<wbr>").replace("_", "_<wbr>"))


def _asset(name: str) -> bytes:
    return resources.files("mlcheck_report").joinpath("assets", name).read_bytes()
