"""What a round says of power, typed. Values come from the rule file alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mlcheck.suites.training.power_log import Keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Meters:
    """How the logs of one kind of meter are named.

    Attributes:
        files: glob of the logs. ``prefix``: how a name begins that the official check counts.
    """

    what: str
    files: str
    prefix: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerFacts:
    """What a round says of power.

    Attributes:
        kinds: what may be measured: AC, DC.
        interval_ms: longest time from one reading to the next. ``gap_ms``: above it they are not
            evenly spread. ``readings``: least number.
        deviation: by which the energy of the whole measurement, scaled, may differ from that of
            the timed part.
        latest_stop: the official summary lets a measurement end with its last reading, if this is
            later than the stop.
    """

    nodes: Meters
    switches: Meters
    keys: Keys
    kinds: tuple[str, ...]
    interval_ms: float
    gap_ms: float
    readings: int
    deviation: float
    unit: str
    latest_stop: bool


def power_facts(document: Mapping[str, Any]) -> PowerFacts | None:
    """Return the facts of a rule file; None: the round measures no power."""
    given = document["power"]
    if given is None:
        return None
    return PowerFacts(
        nodes=Meters(what="node", **given["nodes"]),
        switches=Meters(what="switch", **given["switches"]),
        keys=Keys(marker=document["format"]["marker"].encode(), **given["keys"]),
        kinds=tuple(given["kinds"]),
        interval_ms=given["interval_ms"],
        gap_ms=given["gap_ms"],
        readings=given["readings"],
        deviation=given["deviation"],
        unit=given["unit"],
        latest_stop=given["official_stop"] == "latest",
    )
