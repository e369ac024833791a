"""The suites there are, by name. One is imported when it is asked for: most runs need no other."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping

from mlcheck.suites.base import Suite
from mlcheck.tree import Tree


def _inference() -> Suite:
    from mlcheck.suites.inference.suite import InferenceSuite

    return InferenceSuite()


def _training() -> Suite:
    from mlcheck.suites.training.suite import TrainingSuite

    return TrainingSuite()


def _mobile() -> Suite:
    from mlcheck.suites.mobile.suite import MobileSuite

    return MobileSuite()


_MAKERS: Mapping[str, Callable[[], Suite]] = {
    "inference": _inference,
    "training": _training,
    "mobile": _mobile,
}


class _Suites(Mapping[str, Suite]):
    def __getitem__(self, name: str) -> Suite:
        return _suite(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_MAKERS)

    def __len__(self) -> int:
        return len(_MAKERS)

    def __contains__(self, name: object) -> bool:
        return name in _MAKERS


@functools.cache
def _suite(name: str) -> Suite:
    return _MAKERS[name]()


SUITES: Mapping[str, Suite] = _Suites()


def suite_of(tree: Tree) -> str | None:
    """Return the suite that a tree has the shape of, by names of folders; None: of none."""
    from mlcheck.suites.mobile import recognise as mobile

    if mobile.holds_results(tree):
        return "mobile"
    from mlcheck.suites.inference import recognise as inference

    if inference.has_divisions(tree):  # whatever they hold: so it comes after mobile
        return "inference"
    from mlcheck.suites.training import recognise as training

    return "training" if training.holds_results(tree) else None
