"""The suites there are, by name."""

from __future__ import annotations

from mlcheck.suites.base import Suite
from mlcheck.suites.inference.suite import InferenceSuite
from mlcheck.suites.training.suite import TrainingSuite

_ALL: tuple[Suite, ...] = (InferenceSuite(), TrainingSuite())
SUITES: dict[str, Suite] = {suite.name: suite for suite in _ALL}
