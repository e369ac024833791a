"""The pages of a site: each kind is one frame function and one template (docs/pages.md)."""

from __future__ import annotations

from mlcheck_report.frames import (
    about,
    changes,
    compare,
    devices,
    feed,
    history,
    index,
    leaderboards,
    overview,
    power,
    results,
    reviews,
    search,
    systems,
)
from mlcheck_report.frames.site import Kind

PAGES: tuple[Kind, ...] = (
    Kind(template="index.html", frame=index.frame),
    Kind(template="overview.html", frame=overview.frame),
    Kind(template="board.html", frame=leaderboards.boards, scripts=("board.js",), data=True),
    Kind(template="all.html", frame=leaderboards.whole_rounds, scripts=("board.js",), data=True),
    Kind(template="result.html", frame=results.frame),
    Kind(template="system.html", frame=systems.frame),
    Kind(template="submitter.html", frame=reviews.submitters),
    Kind(template="compare.html", frame=compare.frame, scripts=("compare.js",), data=True),
    Kind(template="devices.html", frame=devices.frame),
    Kind(template="findings.html", frame=reviews.frame),
    Kind(template="rule.html", frame=reviews.rules),
    Kind(template="history.html", frame=history.frame),
    Kind(template="subject.html", frame=history.subjects),
    Kind(template="power.html", frame=power.frame),
    Kind(template="search.html", frame=search.frame, scripts=("search.js",)),
    Kind(template="about.html", frame=about.frame),
    Kind(template="changes.html", frame=changes.frame),
    Kind(template="gone.html", frame=changes.gone),
    Kind(template="feed.xml", frame=feed.frame),
)
