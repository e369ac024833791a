"""Render normalised tables as a static leaderboard that needs neither server nor network."""

from mlcheck_report.build import render
from mlcheck_report.tables import ReportError

__all__ = ["ReportError", "render"]
