"""How much faster a SoC is than the one before it.

The forerunner of a result is the best valid one of the same submitter, division and task on the
SoC before it: in the latest earlier round that has one, of another SoC of the same line. The line
is the name of the SoC up to its first number, or up to the word before its generation; numbers of
three and more digits name a model and do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from mlcheck_report.ages import age
from mlcheck_report.frames.ranked import Record

_NUMBER = re.compile(r"\d+")
_MODEL_DIGITS = 3


@dataclass(frozen=True, slots=True)
class Forerunner:
    """The result that a gain is measured against. ``gain``: times as fast."""

    round: str
    soc: str
    gain: float


def forerunner(row: Record, earlier: Iterable[Record]) -> Forerunner | None:
    """Return the result that one is measured against; None: there is none.

    Args:
        row: a valid result.
        earlier: valid results of the same task in earlier rounds.
    """
    if not row["soc"]:
        return None
    fitting = [
        other
        for other in earlier
        if (other["division"], other["submitter"]) == (row["division"], row["submitter"])
        and other["soc"]
        and line(other["soc"]) == line(row["soc"])
        and other["soc"].casefold() != row["soc"].casefold()
        and age(other["round"]) < age(row["round"])
    ]
    if not fitting:
        return None
    latest = max(age(other["round"]) for other in fitting)
    of_latest = [other for other in fitting if age(other["round"]) == latest]
    best = max(of_latest, key=lambda other: 1 / gain(row, other))
    return Forerunner(best["round"], best["soc"], gain(row, best))


def gain(row: Record, than: Record) -> float:
    """Return how many times as fast a result is as another."""
    value, other = float(row["value"]), float(than["value"])
    return other / value if row["better"] == "lower" else value / other


def line(soc: str) -> str:
    """Return the line that a SoC belongs to: `snapdragon 7 plus` of `Snapdragon 7 Plus Gen 2`."""
    words = re.sub(r"\([^)]*\)", " ", soc.casefold()).split()
    at = next((place for place, word in enumerate(words) if _NUMBER.search(word)), len(words))
    kept, rest = words[:at], words[at:]
    if rest:
        found = _NUMBER.search(rest[0])
        model = found is not None and len(found[0]) >= _MODEL_DIGITS
        kept.append(rest[0][: found.start()] if found and model else rest[0])
        kept += rest[1 : rest.index("gen")] if "gen" in rest else []
    return " ".join(word for word in kept if word)
