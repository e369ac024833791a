"""What is new, as feeds: one entry per round, one per build that changed results.

Pages know no clock, so there are feeds only where the day of the build is given. Entries keep their
day from build to build; those of former builds are read from the JSON Feed that stood there.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping

from mlcheck_report.former import Entry
from mlcheck_report.frames.changes import PAGE as CHANGES
from mlcheck_report.frames.changes import Changes, changes
from mlcheck_report.frames.shape import Round
from mlcheck_report.frames.site import Shown, Site

ATOM = "feed.xml"


def frame(site: Site) -> Iterator[Shown]:
    """Show the entries as an Atom feed, if the day is known."""
    found = entries(site)
    if found:
        view = {"id": urn("feed"), "updated": found[0].day, "entries": found}
        yield Shown(path=ATOM, title="Benchmark results checked by mlcheck", view=view)


def entries(site: Site) -> list[Entry]:
    """Return the entries, the newest first."""
    if site.day is None:
        return []
    known = {entry.id: entry for entry in (site.former.feed if site.former else ())}
    for entry in _made(site, site.day):
        known.setdefault(entry.id, entry)
    pages = {f"{round_.folder}/index.html" for round_ in site.rounds} | {CHANGES}
    kept = [entry for entry in known.values() if entry.page in pages]
    return sorted(kept, key=lambda entry: (entry.day, entry.id), reverse=True)


def json_feed(site: Site) -> Mapping[str, object] | None:
    """Return the entries as a JSON Feed (jsonfeed.org, 1.1)."""
    found = entries(site)
    if not found:
        return None
    return {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Benchmark results checked by mlcheck",
        "items": [
            {
                "id": entry.id,
                "url": entry.page,
                "title": entry.title,
                "content_text": entry.text,
                "date_published": f"{entry.day}T00:00:00Z",
            }
            for entry in found
        ],
    }


def urn(name: str) -> str:
    """Return an id that the same name always has."""
    return uuid.uuid5(uuid.NAMESPACE_URL, f"mlcheck/{name}").urn


def _made(site: Site, day: str) -> Iterator[Entry]:
    for round_ in site.rounds:
        yield _of_round(round_, day)
    found = changes(site)
    if found and (found.came or found.went or found.results):
        yield _of_changes(found, day)


def _of_round(round_: Round, day: str) -> Entry:
    counts = round_.counts
    return Entry(
        id=urn(round_.folder),
        day=day,
        title=f"MLPerf {round_.suite.capitalize()} {round_.round}",
        text=f"{counts['results']:,} results of {counts['submitters']} submitters on "
        f"{counts['systems']} systems, {counts['valid']:,} valid by policy.",
        page=f"{round_.folder}/index.html",
    )


def _of_changes(found: Changes, day: str) -> Entry:
    counts = (len(found.came), len(found.went), found.results)
    return Entry(
        id=urn(f"changes {day} {counts}"),
        day=day,
        title="Changed results",
        text=f"{counts[0]:,} came, {counts[1]:,} went, {counts[2]:,} differ in a cell.",
        page=CHANGES,
    )
