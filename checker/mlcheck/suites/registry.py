"""The suites there are, by name."""

from __future__ import annotations

from mlcheck.suites.base import Suite
from mlcheck.suites.inference.suite import InferenceSuite

SUITES: dict[str, Suite] = {suite.name: suite for suite in (InferenceSuite(),)}
