"""A power session around a run: ranging, testing, and all files that client and server write.

The meter has one channel and reads once a second. Times are UTC and follow from the window that
LoadGen logged; the ranging run is the same run, earlier.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from makers.power import release

CLOCK = "%m-%d-%Y %H:%M:%S.%f"
WINDOW = re.compile(r'("key": "power_(?:begin|end)", "value": ")([^"]+)')
SET_UP_S, LEAD_S, TAIL_S, WIND_UP_S = 12.0, 4.0, 2.0, 10.0
PAUSE_S = 90.0  # between the runs
SAMPLE_AT_S = 0.482  # of every second
VOLTS, POWER_FACTOR, HEADROOM = 230.0, 0.95, 1.1
UNKNOWN = "Can't evaluate uncertainty of this sample!"

Load = Callable[[float], float]  # second of the run (negative: before it) -> watts


@dataclass(frozen=True, slots=True)
class Phase:
    """Ranging or testing: its name, LoadGen's window, and the samples taken, time and watts."""

    name: str
    begin: datetime
    end: datetime
    samples: tuple[tuple[datetime, float], ...]

    @property
    def checkpoints(self) -> tuple[datetime, ...]:
        """Set up, begun, ended, wound up."""
        started, stopped = self.begin - _s(LEAD_S), self.end + _s(TAIL_S)
        return started - _s(SET_UP_S), started, stopped, stopped + _s(WIND_UP_S)

    @property
    def amps(self) -> float:
        """The largest current."""
        return max(_amps(watts) for _, watts in self.samples)


def session_files(logs: Mapping[str, str], load: Load, label: str) -> dict[str, str]:
    """Return the files below ``performance/`` that a session adds to a run.

    Args:
        logs: mlperf_log_detail.txt and mlperf_log_summary.txt of the run.
        load: what the system takes.
        label: tells one session from another.
    """
    begin, end = (
        datetime.strptime(text, CLOCK).replace(tzinfo=UTC)
        for _, text in WINDOW.findall(logs["mlperf_log_detail.txt"])
    )
    earlier = -(end - begin) - _s(PAUSE_S)
    ranging = _phase("ranging", begin + earlier, end + earlier, load)
    testing = _phase("testing", begin, end, load)
    name = ranging.checkpoints[0].strftime("%Y-%m-%d_%H-%M-%S")
    files = {
        "run_1/spl.txt": _spl(testing, name),
        "ranging/spl.txt": _spl(ranging, name),
        "power/ptd_logs.txt": _ptd_log(ranging, testing, name),
    }
    for file, text in logs.items():
        files[f"run_1/{file}"] = text
        files[f"ranging/{file}"] = _moved(text, earlier)
    return files | _records(files, ranging, testing, name, label)


def rehashed(files: Mapping[str, str], record: str) -> str:
    """Return client.json or server.json with the hashes of files as they are now."""
    document = json.loads(record)
    for name in document["results"]:
        document["results"][name] = _sha1(files[name])
    return _json(document)


def _phase(name: str, begin: datetime, end: datetime, load: Load) -> Phase:
    first = begin - _s(LEAD_S) + _s(SAMPLE_AT_S)
    count = math.ceil((end + _s(TAIL_S + WIND_UP_S / 2) - first).total_seconds())
    times = [first + _s(second) for second in range(count)]
    samples = tuple((time, round(load((time - begin).total_seconds()), 6)) for time in times)
    return Phase(name, begin, end, samples)


def _spl(phase: Phase, name: str) -> str:
    return "".join(
        f"Time,{_stamp(time)},Watts,{watts:.6f},Volts,{VOLTS:.6f},Amps,{_amps(watts):.6f},"
        f"PF,{POWER_FACTOR:.6f},Mark,{name}_{phase.name}\n"
        for time, watts in phase.samples
    )


def _amps(watts: float) -> float:
    return round(watts / VOLTS / POWER_FACTOR, 6)


def _ptd_log(ranging: Phase, testing: Phase, name: str) -> str:
    begun = ranging.checkpoints[0]
    lines = [(begun, f"Uncertainty checking for {release.METER} is activated")]
    lines.append((begun, f"Connected to {release.METER} successfully"))
    for phase in (ranging, testing):
        _, started, stopped, _ = phase.checkpoints
        lines.append((started, "Go command received"))
        lines.append((started, f"Go with mark '{name}_{phase.name}'"))
        if phase is ranging:
            lines += [(time, f"ERROR: {UNKNOWN}") for time, _ in phase.samples[:3]]
        lines.append((stopped, "Stop command received"))
        lines.append((phase.checkpoints[3], "Completed test"))
    head = f"Analyzer 1\nPTDaemon {release.PTD}, made up\n"
    return head + "".join(f"{_stamp(time)}: {text}\n" for time, text in lines)


def _records(
    files: Mapping[str, str], ranging: Phase, testing: Phase, name: str, label: str
) -> dict[str, str]:
    sides = {
        side: str(uuid.uuid5(uuid.NAMESPACE_URL, f"{side}/{name}/{label}"))
        for side in ("client", "server")
    }
    messages = _messages(ranging, testing, name, sides)
    logs = {
        "power/client.log": _client_log(messages),
        "power/server.log": "".join(f"{_log_line('ptd-server', m, 'Got')}\n" for m in messages),
    }
    everything = {**files, **logs}

    def record(own: tuple[str, ...], lag: float, **more: object) -> str:
        phases = {
            phase.name: [
                [round(time.timestamp() + lag, 6), round(1000 + at + lag, 6)]
                for at, time in enumerate(phase.checkpoints)
            ]
            for phase in (ranging, testing)
        }
        hashes = {path: _sha1(everything[path]) for path in sorted(own)}
        return _json(
            {
                "version": "1.0",
                "timezone": 0,
                "modules": release.MODULES,
                "sources": release.SOURCES,
                "messages": messages,
                "uuid": sides,
                "session_name": name,
                "results": hashes,
                "phases": phases,
                **more,
            }
        )

    ours = ("power/client.log", *(path for path in files if "/mlperf_log_" in path))
    theirs = ("power/ptd_logs.txt", "power/server.log", "ranging/spl.txt", "run_1/spl.txt")
    config = {
        "command": ["ptd-linux-x86", "-l", "ptd.log", "-p", "8888", str(release.NUMBER), "usb0"],
        "device_type": release.NUMBER,
        "interface_flag": "",
        "dc_flag": None,
        "device_port": "usb0",
        "channel": None,
    }
    return logs | {
        "power/client.json": record(ours, 0.0),
        "power/server.json": record(
            theirs, 0.0004, ptd_messages=_ptd_messages(ranging, testing, name), ptd_config=[config]
        ),
    }


def _messages(
    ranging: Phase, testing: Phase, name: str, sides: Mapping[str, str]
) -> list[dict[str, object]]:
    begun = ranging.checkpoints[0]
    talk = [
        (begun, release.CLIENT, release.SERVER),
        (begun, "time", ""),
        (begun, f"new,,{sides['client']}", f"OK {name},{sides['server']}"),
    ]
    for phase in (ranging, testing):
        before, _, stopped, _ = phase.checkpoints
        talk += [(before, "time", ""), (before, f"session,{name},start,{phase.name}", "OK")]
        talk += [(stopped, "time", ""), (stopped, f"session,{name},stop,{phase.name}", "OK")]
    return [
        {
            "cmd": command,
            "cmd_time": time.timestamp(),
            "reply": reply or str(time.timestamp()),
            "reply_time": time.timestamp(),
        }
        for time, command, reply in talk
    ]


def _ptd_messages(ranging: Phase, testing: Phase, name: str) -> list[dict[str, str]]:
    identity = f"{release.METER},1000,1,1,1,1,0,0,1,version={release.PTD},OS=Linux,mode=power"
    talk = [
        ("Hello", "Hello, PTDaemon here!"),
        ("Identify", f"{identity},1,1,1,0,0,no_cal_date,YOKOGAWA;WT310E;MADEUP;F1.04"),
        ("RR", "Ranges,1,20.000000,1,300.000000"),
        *_ranges("Auto", "Auto", again=True),
    ]
    for phase in (ranging, testing):
        watts = [reading for _, reading in phase.samples]
        count, unknown = len(watts), phase is ranging
        mean = math.fsum(watts) / count
        talk += [
            (f"Go,1000,0,{name}_{phase.name}", release.STARTED),
            ("Stop", release.STOPPED),
            ("RL", f"Last {count} samples"),
            (
                "Uncertainty",
                f"Uncertainty,-1.0,10000000.000000,0.000000,{count},0,0,{count}"
                if unknown
                else f"Uncertainty,0.004500,0.004100,0.005200,{count},0,{count},0",
            ),
            ("Watts", f"Watts,{mean:.6f},{min(watts):.6f},{max(watts):.6f},{count},0,{count}"),
        ]
        if phase is ranging:
            talk += _ranges(f"{VOLTS:.6f}", f"{phase.amps * HEADROOM:.6f}")
    talk += _ranges("Auto", "Auto")
    return [{"cmd": command, "reply": reply} for command, reply in talk]


def _ranges(volts: str, amps: str, *, again: bool = False) -> list[tuple[str, str]]:
    """Return the commands that set ranges; the server sets automatic current twice."""
    current = (f"SR,A,{amps}", "Range A changed")
    return [(f"SR,V,{volts}", "Range V changed"), current, *([current] if again else [])]


def _client_log(messages: list[dict[str, object]]) -> str:
    lines = []
    for message in messages:
        if str(message["cmd"]).startswith(("new", "session")):
            lines.append(_log_line("client", message, "Synchronizing with time.example.org..."))
            lines.append(_log_line("client", message, "NTP:offset = 0.001 s, delay = 0.020 s"))
        lines.append(_log_line("client", message, "Sending"))
    return "".join(f"{line}\n" for line in lines)


def _log_line(host: str, message: Mapping[str, object], text: str) -> str:
    time = datetime.fromtimestamp(float(str(message["cmd_time"])), UTC)
    what = f"{text} command {message['cmd']!r}" if text in ("Sending", "Got") else text
    return f"{host} {time.strftime('%Y-%m-%d %H:%M:%S,%f')[:-3]} [INFO] {what}"


def _moved(text: str, by: timedelta) -> str:
    """Return a log with its window moved in time."""

    def moved(found: re.Match[str]) -> str:
        return found[1] + _stamp(datetime.strptime(found[2], CLOCK) + by)

    return WINDOW.sub(moved, text)


def _stamp(time: datetime) -> str:
    return time.strftime(CLOCK)[:-3]


def _s(seconds: float) -> timedelta:
    return timedelta(seconds=seconds)


def _sha1(text: str) -> str:
    return hashlib.sha1(text.encode("utf-8", "surrogateescape")).hexdigest()


def _json(document: object) -> str:
    return json.dumps(document, indent=4) + "\n"
