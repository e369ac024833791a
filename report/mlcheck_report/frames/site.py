"""What all frames take and give: the rounds of a site, and pages to be rendered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mlcheck_report.former import Former
from mlcheck_report.frames.rounds import build
from mlcheck_report.frames.shape import Round
from mlcheck_report.links import Sources, sources
from mlcheck_report.tables import ReportError, Tables


@dataclass(frozen=True, kw_only=True)
class Site:
    """All rounds, sorted by suite and age.

    Attributes:
        former: what an earlier build held, to be compared with; None: nothing is compared.
        day: of this build, YYYY-MM-DD; None: it is not to be told, and there are no feeds.
    """

    rounds: tuple[Round, ...]
    former: Former | None = None
    day: str | None = None

    @cached_property
    def sources(self) -> dict[str, Sources]:
        """By folder of a round, where its submitted files can be looked at."""
        return {round_.folder: sources(round_.submissions) for round_ in self.rounds}

    @property
    def has_power(self) -> bool:
        """Whether any result has a power measurement."""
        return any(section.power for round_ in self.rounds for section in round_.sections)

    def suites(self) -> dict[str, list[Round]]:
        """The rounds of each suite, oldest first."""
        found: dict[str, list[Round]] = {}
        for round_ in self.rounds:
            found.setdefault(round_.suite, []).append(round_)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One page to be rendered.

    Attributes:
        path: where it is, from the root of the site.
        view: what the template shows; its name there is `view`.
        round: the round it belongs to; None: a page of the whole site.
    """

    path: str
    title: str
    view: Any
    round: Round | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of page.

    Attributes:
        frame: what such pages show.
        template: how.
        scripts: of `assets`, beside the one that all pages have.
        data: whether the script needs the rows of the round.
    """

    template: str
    frame: Callable[[Site], Iterable[Shown]]
    scripts: tuple[str, ...] = ()
    data: bool = False


def site(tables: Tables, former: Former | None = None, day: str | None = None) -> Site:
    """Arrange the tables round by round.

    Raises:
        ReportError: the name of a round does not make the name of a folder.
    """
    return Site(rounds=tuple(_rounds(tables)), former=former, day=day)


def _rounds(tables: Tables) -> Iterator[Round]:
    for suite, round_ in tables.rounds():
        try:
            metadata = tables.metadata.get((suite, round_), {})
            yield build(tables.of(suite, round_), suite, round_, metadata)
        except ValueError as err:
            raise ReportError(str(err)) from err
