"""Over the rounds: the best results of the whole suite, an accelerator, a submitter, a system.

Rounds are put beside each other by the name of the benchmark. Whether two versions of a benchmark
are compatible is for MLCommons to say; every page here says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mlcheck_report.frames.over_rounds import History, history
from mlcheck_report.frames.ranked import Record
from mlcheck_report.frames.shape import Round
from mlcheck_report.frames.site import Shown, Site
from mlcheck_report.names import slug


@dataclass(frozen=True, slots=True)
class Subject:
    """What a history is of: its kind, its name, its page and how many results there are."""

    kind: str
    name: str
    page: str
    rows: tuple[Record, ...]
    rounds: tuple[Round, ...]


def accelerator_page(name: str) -> str:
    """Return the page of an accelerator; spellings that differ in case share it."""
    return f"accelerators/{slug(name.casefold())}.html"


def frame(site: Site) -> Iterator[Shown]:
    """Show the suites over their rounds, and what else has a history."""
    histories = [
        history(suite, rounds, [row for round_ in rounds for row in round_.rows])
        for suite, rounds in site.suites().items()
    ]
    subjects = [*_accelerators(site), *_owners(site)]
    groups: defaultdict[str, list[Subject]] = defaultdict(list)
    for subject in subjects:
        groups[subject.kind].append(subject)
    view = {"histories": histories, "groups": dict(groups)}
    yield Shown(path="history/index.html", title="History over rounds", view=view)


def subjects(site: Site) -> Iterator[Shown]:
    """Show every accelerator, and submitters and systems that are in several rounds."""
    for subject in (*_accelerators(site), *_owners(site)):
        view = {"subject": subject, "histories": _histories(subject)}
        yield Shown(path=subject.page, title=f"{subject.name}: {subject.kind}", view=view)


def accelerators(site: Site) -> dict[str, list[Record]]:
    """Return the results by kind of accelerator; those of a mixed system stand under each."""
    found: dict[str, list[Record]] = {}
    names: dict[str, str] = {}
    for round_ in site.rounds:
        for row in round_.rows:
            for name in row["kinds"] or ():
                found.setdefault(names.setdefault(name.casefold(), name), []).append(row)
    return dict(sorted(found.items(), key=lambda item: (item[0].casefold(), item[0])))


def _accelerators(site: Site) -> Iterator[Subject]:
    for name, rows in accelerators(site).items():
        yield _subject("accelerator", name, accelerator_page(name), rows, site)


def _owners(site: Site) -> Iterator[Subject]:
    """Yield submitters, and systems by submitter and name, that are in more than one round."""
    of_submitter: defaultdict[str, list[Record]] = defaultdict(list)
    of_system: defaultdict[tuple[str, str], list[Record]] = defaultdict(list)
    for round_ in site.rounds:
        for row in round_.rows:
            of_submitter[row["submitter"]].append(row)
            of_system[row["submitter"], row["name"]].append(row)
    for name, rows in sorted(of_submitter.items()):
        if _several(rows):
            yield _subject("submitter", name, f"history/{slug('submitter', name)}.html", rows, site)
    for (submitter, name), rows in sorted(of_system.items()):
        if _several(rows):
            page = f"history/{slug('system', submitter, name)}.html"
            yield _subject("system", f"{submitter}: {name}", page, rows, site)


def _several(rows: Sequence[Record]) -> bool:
    return len({(row["suite"], row["round"]) for row in rows}) > 1


def _subject(kind: str, name: str, page: str, rows: Sequence[Record], site: Site) -> Subject:
    of = {(row["suite"], row["round"]) for row in rows}
    rounds = tuple(one for one in site.rounds if (one.suite, one.round) in of)
    return Subject(kind, name, page, tuple(rows), rounds)


def histories(site: Site) -> dict[tuple[str, str], str]:
    """Return the pages of submitters and systems that have a history, by kind and name."""
    return {(subject.kind, subject.name): subject.page for subject in _owners(site)}


def _histories(subject: Subject) -> list[History]:
    found = []
    for suite in dict.fromkeys(round_.suite for round_ in subject.rounds):
        rounds = [round_ for round_ in subject.rounds if round_.suite == suite]
        rows = [row for row in subject.rows if row["suite"] == suite]
        found.append(history(suite, rounds, rows, alone=subject.kind == "accelerator"))
    return found
