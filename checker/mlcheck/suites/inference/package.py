"""The tree as a whole, as the rules about the package see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mlcheck.copies import LogTrace
from mlcheck.suites.inference.power_sessions import SessionTrace
from mlcheck.tree import Folder, Tree, join


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """The tree under judgement and the results found in it.

    Attributes:
        submitters: (division, submitter) of every submitter judged.
        folders: (home, folder) for every folder of every submitter that has results.
        results: ids of the results below the root, a division or a submitter.
        copies: groups of byte-identical logs that lie under more than one system.
        sessions: groups of results under more than one system with one power session.
    """

    tree: Tree
    submitters: tuple[tuple[str, str], ...]
    folders: tuple[tuple[str, Folder], ...]
    results: Mapping[str, tuple[str, ...]]
    copies: tuple[tuple[LogTrace, ...], ...] = ()
    sessions: tuple[tuple[SessionTrace, ...], ...] = ()

    def below(self, path: str) -> tuple[str, ...]:
        """Return the ids of the results below the root, a division or a submitter."""
        return self.results.get(path, ())

    def homes(self) -> Iterator[tuple[str, str, str]]:
        """Yield (division, submitter, path) of every submitter."""
        for division, submitter in self.submitters:
            yield division, submitter, join(division, submitter)


def package_of(
    tree: Tree,
    submitters: Iterable[tuple[str, str]],
    results: Iterable[tuple[str, str]],
    copies: tuple[tuple[LogTrace, ...], ...],
    sessions: tuple[tuple[SessionTrace, ...], ...],
) -> Package:
    """Return the package; ``results`` are (path, id) pairs. Every folder is listed once."""
    below: dict[str, list[str]] = {}
    for path, id_ in results:
        division, submitter = path.split("/", 2)[:2]
        for place in ("", division, join(division, submitter)):
            below.setdefault(place, []).append(id_)
    named = tuple(submitters)
    homes = [home for home in (join(*pair) for pair in named) if home in below]
    return Package(
        tree=tree,
        submitters=named,
        folders=tuple((home, folder) for home in homes for folder in tree.walk(home)),
        results={place: tuple(ids) for place, ids in below.items()},
        copies=copies,
        sessions=sessions,
    )
