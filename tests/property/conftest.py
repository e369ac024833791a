"""Hypothesis tries the same few examples every time, or many with ``MLCHECK_EXPLORE=1``."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

SLOW = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]

settings.register_profile("same", max_examples=40, derandomize=True, database=None, deadline=None)
settings.register_profile(
    "explore", max_examples=2000, database=None, deadline=None, suppress_health_check=SLOW
)
settings.load_profile("explore" if os.environ.get("MLCHECK_EXPLORE") else "same")
