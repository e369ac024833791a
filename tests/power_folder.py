"""A made-up power measurement for a scenario folder of an example: a meter that reads steps.

Once a second, from a minute before the run to a minute after it, it shows ``IDLE_W``; inside the
window that the log states it shows ``LOAD_W`` in turn, whose mean is ``MEAN_W`` exactly.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from datetime import datetime, timedelta
from pathlib import Path

TIME_FORMAT = "%m-%d-%Y %H:%M:%S.%f"
IDLE_W = 90.0
LOAD_W = (300.0, 500.0)
MEAN_W = 400.0
MARGIN_S = 60
LOGS = {
    "client.log": "client INFO session started\n",
    "server.log": "ptd-server INFO session started\n",
    "ptd_logs.txt": "PTDaemon, made up\n",
}


def add_power(root: Path, scenario: Path) -> None:
    """Add run_1/spl.txt, ranging/, power/ and the two documents beside the measurements."""
    run, power = scenario / "performance/run_1", scenario / "performance/power"
    samples = step_load(*_window(run / "mlperf_log_detail.txt"))
    power.mkdir()
    (run / "spl.txt").write_text(samples)
    shutil.copytree(run, scenario / "performance/ranging")
    for name, text in LOGS.items():
        (power / name).write_text(text)
    hashes = {"run_1/spl.txt": hashlib.sha1(samples.encode()).hexdigest()}
    (power / "client.json").write_text(json.dumps({"version": "1.0"}))
    (power / "server.json").write_text(json.dumps({"version": "1.0", "results": hashes}))
    measurements = root / str(scenario.relative_to(root)).replace("/results/", "/measurements/")
    (measurements / "analyzer_table.md").write_text("| meter | made up |\n")
    (measurements / "power_settings.md").write_text("Nothing was set.\n")


def step_load(begin: datetime, end: datetime) -> str:
    """Return the lines of spl.txt; as many high as low readings lie inside the window."""
    lines = []
    inside = 0
    time = begin - timedelta(seconds=MARGIN_S)
    last = begin + timedelta(seconds=2 * (int((end - begin).total_seconds()) // 2))
    while time <= end + timedelta(seconds=MARGIN_S):
        watts = IDLE_W
        if begin < time <= last:
            watts = LOAD_W[inside % 2]
            inside += 1
        elif begin < time < end:
            watts = MEAN_W  # the odd one of a window with an odd number of seconds
        lines.append(sample(time, watts))
        time += timedelta(seconds=1)
    return "".join(lines)


def sample(time: datetime, watts: float) -> str:
    """Return a line of spl.txt."""
    stamp = time.strftime(TIME_FORMAT)[:-3]
    return f"Time,{stamp},Watts,{watts:.6f},Volts,230.100000,Amps,1.000000,PF,0.990000,Mark,run\n"


def _window(detail: Path) -> tuple[datetime, datetime]:
    found = dict(re.findall(r'"key": "(power_\w+)", "value": "(.*?)"', detail.read_text()))
    begin, end = (
        datetime.strptime(found[key], TIME_FORMAT) for key in ("power_begin", "power_end")
    )
    return begin, end
