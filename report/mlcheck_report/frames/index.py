"""The start page: the rounds, and how to read them."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck_report.frames.site import Shown, Site


def frame(site: Site) -> Iterator[Shown]:
    """Show the rounds of each suite, newest first."""
    suites = {suite: rounds[::-1] for suite, rounds in site.suites().items()}
    yield Shown(path="index.html", title="Benchmark rounds checked by mlcheck", view=suites)
