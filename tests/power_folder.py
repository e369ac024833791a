"""A made-up power measurement for a scenario folder of an example: a meter that reads steps.

Outside of the window that the log states it shows ``IDLE_W``, inside of it ``LOAD_W`` in turn, so
that their mean is ``MEAN_W`` exactly.
"""

from __future__ import annotations

import json
import math
import re
import shutil
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from makers.power.release import METER, NUMBER, PTD
from makers.power.session import (
    CLOCK,
    SAMPLE_AT_S,
    WINDOW,
    rehashed,
    session_files,
)

from mlcheck.ruleset import load

IDLE_W = 90.0
LOAD_W = (300.0, 500.0)
MEAN_W = 400.0
LOGS = ("mlperf_log_detail.txt", "mlperf_log_summary.txt")
STAMP = re.compile(r"\d\d-\d\d-\d{4} \d\d:\d\d:\d\d\.\d{3}")
RECORDS = ("power/client.json", "power/server.json")


def add_power(root: Path, scenario: Path) -> None:
    """Add run_1/spl.txt, ranging/, power/ and the two documents beside the measurements."""
    performance = scenario / "performance"
    logs = {name: (performance / "run_1" / name).read_text() for name in LOGS}
    for folder in ("power", "ranging"):
        shutil.rmtree(performance / folder, ignore_errors=True)
    begin, end = (datetime.strptime(text, CLOCK) for _, text in WINDOW.findall(logs[LOGS[0]]))
    files = session_files(logs, step_load((end - begin).total_seconds()), scenario.name)
    for path, text in files.items():
        (performance / path).parent.mkdir(exist_ok=True)
        (performance / path).write_text(text)
    measurements = root / str(scenario.relative_to(root)).replace("/results/", "/measurements/")
    (measurements / "analyzer_table.md").write_text("| meter | Yokogawa WT310E, made up |\n")
    (measurements / "power_settings.md").write_text("Nothing was set.\n")


def rehash(performance: Path) -> None:
    """Record the hashes of the files as they are now."""
    files = {
        str(path.relative_to(performance)): path.read_bytes().decode("utf-8", "surrogateescape")
        for path in performance.rglob("*")
        if path.is_file()
    }
    for name in RECORDS:
        files[name] = rehashed(files, files[name])  # v1.0 records the hash of client.json, too
        (performance / name).write_text(files[name])


def meter_says(performance: Path, lines: list[str], second: float) -> None:
    """Put lines into the log of the meter, so many seconds after the load of testing began."""
    text = (performance / "run_1" / LOGS[0]).read_text()
    begin = datetime.strptime(WINDOW.findall(text)[0][1], CLOCK) + timedelta(seconds=second)
    log = performance / "power/ptd_logs.txt"
    known = log.read_text().splitlines(keepends=True)
    stamps = [datetime.strptime(line[:23], CLOCK) if line[2:3] == "-" else None for line in known]
    at = next((i for i, time in enumerate(stamps) if time and time > begin), len(known))
    known[at:at] = [f"{begin.strftime(CLOCK)[:-3]}: {line}\n" for line in lines]
    log.write_text("".join(known))


def as_round(performance: Path, round_: str) -> None:
    """Make a session one of the workflow of another round."""
    facts = load("inference", round_).document["power"]["workflow"]
    client, server = (json.loads((performance / name).read_text()) for name in RECORDS)
    model = next(name for name, number in facts["analyzers"].items() if number == NUMBER)
    for document in (client, server):
        document["sources"] = next(iter(facts["sources"].values()))
    for message in server["ptd_messages"]:
        text = message["reply"].replace(f"version={PTD}", f"version={facts['ptd_versions'][0]}-0")
        message["reply"] = text.replace(f"{METER},", f"{model},")
    del client["messages"][len(client["messages"]) - facts["client_messages_fewer"] :]
    if facts["official_restored_at"]["A"] == [3]:
        del server["ptd_messages"][5]  # automatic current, set again
    if not facts["meter_list"]:
        (server["ptd_config"],) = server["ptd_config"]
    if RECORDS[0] in facts["hashed"]:
        server["results"][RECORDS[0]] = ""
    for name, document in zip(RECORDS, (client, server), strict=True):
        (performance / name).write_text(json.dumps(document, indent=4) + "\n")
    log = performance / "power/ptd_logs.txt"
    log.write_text(log.read_text().replace(METER, model))
    rehash(performance)


def adopt_session(performance: Path, other: Path) -> None:
    """Give a session the name and the UUIDs of another one, wherever they stand."""
    ours, theirs = (
        json.loads((folder / RECORDS[0]).read_text()) for folder in (performance, other)
    )
    names = {ours["session_name"]: theirs["session_name"]}
    names |= {ours["uuid"][side]: theirs["uuid"][side] for side in ("client", "server")}
    for path in performance.glob("*/*"):
        text = path.read_text()
        for name, new in names.items():
            text = text.replace(name, new)
        path.write_text(text)
    rehash(performance)


def shift_clock(log: Path, minutes: float, since: str) -> None:
    """Let the clock that wrote a log show another time, from a stamp on."""
    first = datetime.strptime(since, CLOCK) if since else datetime.min

    def moved(found: re.Match[str]) -> str:
        time = datetime.strptime(found[0], CLOCK)
        return (time + timedelta(minutes=minutes) * (time >= first)).strftime(CLOCK)[:-3]

    log.write_text(STAMP.sub(moved, log.read_text()))


def step_load(seconds: float) -> Callable[[float], float]:
    """Return watts by the second of a run; as many high as low readings lie inside of it."""
    inside = math.ceil(seconds - SAMPLE_AT_S)
    alone = inside - 1 if inside % 2 else -1  # the last of an odd number

    def watts(second: float) -> float:
        if not 0 < second < seconds:
            return IDLE_W
        return MEAN_W if int(second) == alone else LOAD_W[int(second) % 2]

    return watts


def sample(time: datetime, watts: float) -> str:
    """Return a line of spl.txt."""
    stamp = time.strftime(CLOCK)[:-3]
    return f"Time,{stamp},Watts,{watts:.6f},Volts,230.100000,Amps,1.000000,PF,0.990000,Mark,run\n"
