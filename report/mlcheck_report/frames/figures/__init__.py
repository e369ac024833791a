"""Which charts a section has. Each function returns None where there is too little to see."""

from __future__ import annotations

from collections.abc import Callable

from mlcheck_report.charts.drawing import Chart
from mlcheck_report.frames.figures.accuracy import accuracy_chart
from mlcheck_report.frames.figures.energy import energy_chart
from mlcheck_report.frames.figures.latency import latency_chart
from mlcheck_report.frames.figures.power import efficiency_chart, power_chart
from mlcheck_report.frames.figures.ranking import ranking_chart
from mlcheck_report.frames.figures.scaling import scaling_chart
from mlcheck_report.frames.shape import Round, Section

OF_SECTION: tuple[Callable[[Round, Section], Chart | None], ...] = (
    ranking_chart,
    scaling_chart,
    power_chart,
    energy_chart,
    efficiency_chart,
    accuracy_chart,
    latency_chart,
)
