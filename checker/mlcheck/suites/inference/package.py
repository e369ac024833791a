"""The tree as a whole, as the rules about the package see it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mlcheck.suites.inference.copies import LogTrace
from mlcheck.tree import Tree, join


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """The tree under judgement and the results found in it.

    Attributes:
        submitters: (division, submitter) of every submitter judged.
        results: (path, id) of every result, in order of path.
        copies: groups of byte-identical logs that lie under more than one system.
    """

    tree: Tree
    submitters: tuple[tuple[str, str], ...]
    results: tuple[tuple[str, str], ...]
    copies: tuple[tuple[LogTrace, ...], ...] = ()

    def below(self, path: str) -> tuple[str, ...]:
        """Return the ids of the results below a folder."""
        prefix = f"{path}/" if path else ""
        return tuple(id_ for place, id_ in self.results if place.startswith(prefix))

    def homes(self) -> Iterator[tuple[str, str, str]]:
        """Yield (division, submitter, path) of every submitter with a folder of results."""
        for division, submitter in self.submitters:
            yield division, submitter, join(division, submitter)
