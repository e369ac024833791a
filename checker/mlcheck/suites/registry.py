"""The suites there are, by name."""

from __future__ import annotations

from mlcheck.suites.base import Suite
from mlcheck.suites.inference.suite import InferenceSuite
from mlcheck.suites.mobile.suite import MobileSuite
from mlcheck.suites.training.suite import TrainingSuite

_ALL: tuple[Suite, ...] = (InferenceSuite(), TrainingSuite(), MobileSuite())
SUITES: dict[str, Suite] = {suite.name: suite for suite in _ALL}

# The order in which trees are shown to them: inference takes whatever has divisions.
RECOGNISED_IN_ORDER = ("mobile", "inference", "training")
