"""The two ways in which logs are written, as the rounds state them."""

from __future__ import annotations

import json

from mlcheck.ruleset import load
from mlcheck.suites.training.facts import format_of
from mlcheck.suites.training.log_lines import Event, Format, Syntax

OBJECT = format_of(load("training", "v5.1").document)
KEYED = format_of(load("training", "v0.6").document)
MARKER = OBJECT.marker


def form_of(round_: str) -> Format:
    """Return how the logs of a round are written."""
    return format_of(load("training", round_).document)


def written(event: Event, form: Format = OBJECT) -> str:
    """Return the line of a log, as the authors of the form write it."""
    if form.syntax is Syntax.OBJECT:
        fields = {name: value for name, value in event._asdict().items() if name != "line"}
        return f"{form.marker.decode()}{json.dumps(fields)}\n"
    payload = json.dumps({"value": event.value, "metadata": event.metadata})
    return f"{form.marker.decode()} {event.time_ms / 1000:.3f} {event.key}: {payload}\n"
