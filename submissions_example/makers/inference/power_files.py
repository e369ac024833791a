"""The power measurement of a plan: a system that idles, warms up, and works."""

from __future__ import annotations

import random

from makers.inference.loadgen_tests import Logs
from makers.inference.plans import Plan
from makers.power.session import Load, session_files

IDLE = 0.55  # of the power under load
RISE_S = 3.0  # until caches and clocks are where they stay
RIPPLE = 0.01

ANALYZER_TABLE = """\
# Power analyzer

| Vendor | Model | Firmware | Interface | Wiring | Channels | Connected to |
|---|---|---|---|---|---|---|
| Yokogawa | WT310E | F1.04 | USB | 1P2W | 1 | the only power supply of the system |
"""


def session(plan: Plan, logs: Logs) -> dict[str, str]:
    """Return the files below ``performance/`` that a power session adds."""
    texts = {"mlperf_log_detail.txt": logs.detail, "mlperf_log_summary.txt": logs.summary}
    return session_files(texts, _load(plan), plan.place)


def measurement(plan: Plan) -> dict[str, str]:
    """Return the two documents beside the measurements."""
    settings = (
        f"# Power settings of {plan.system.name}\n\n"
        "Firmware and operating system as delivered: governor `schedutil`, no power cap, fans by\n"
        "temperature. Nothing was changed between the runs.\n"
    )
    return {"analyzer_table.md": ANALYZER_TABLE, "power_settings.md": settings}


def _load(plan: Plan) -> Load:
    """Return watts by the second of a run; the same second of both runs takes the same."""

    def watts(second: float) -> float:
        noise = random.Random(f"{plan.place} {second:.0f}").uniform(1 - RIPPLE, 1 + RIPPLE)
        share = min(max(second / RISE_S, 0.0), 1.0)
        return round(plan.watts * noise * (IDLE + (1 - IDLE) * share), 6)

    return watts
