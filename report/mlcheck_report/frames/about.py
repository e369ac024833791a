"""About the site: what the words mean, how figures are derived, how results are cited."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck_report import glossary
from mlcheck_report.cite import NOTICE, UNVERIFIED
from mlcheck_report.frames.site import Shown, Site


def frame(site: Site) -> Iterator[Shown]:
    """Explain the terms that occur in any of the rounds."""
    occurring: dict[str, set[str]] = {"suite": {round_.suite for round_ in site.rounds}}
    for round_ in site.rounds:
        for name, counts in round_.choices.items():
            occurring.setdefault(name, set()).update(counts)
    view = {
        "terms": glossary.terms(occurring),
        "notice": NOTICE,
        "unverified": UNVERIFIED,
        "rounds": site.rounds,
    }
    yield Shown(path="about.html", title="About and glossary", view=view)
