"""How a result is cited: what MLCommons asks of everybody who quotes one.

Source: MLPerf Results Messaging Guidelines, sections 2 to 5 and 11 (mlcommons/policies). The
trademark notice is quoted as prescribed.
"""

from __future__ import annotations

from dataclasses import dataclass

from mlcheck_report.frames.ranked import Record

NOTICE = (
    "The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association "
    "in the United States and other countries. All rights reserved. Unauthorized use strictly "
    "prohibited. See www.mlcommons.org for more information."
)
UNVERIFIED = "Result not verified by MLCommons Association."


@dataclass(frozen=True, slots=True)
class Citation:
    """Sentence and footnote. Tables do not tell whether a result was reviewed: it is unverified."""

    text: str
    footnote: str


def citation(row: Record, suite: str, round_: str) -> Citation:
    """Return how a result of a round is cited."""
    suite = suite.capitalize()
    scenario = f" {row['scenario']}" if row["scenario"] else ""
    value = "no value" if row["value"] is None else f"{row['value_raw_text']} {row['unit']}"
    availability = f", {row['availability']}" if row["availability"] else ""
    return Citation(
        f"{row['submitter']} has an unverified result of {value} in the MLPerf® {suite} {round_} "
        f"{row['label']}{scenario} benchmark with {row['name']}"
        f"{' (' + row['hardware'] + ')' if row['hardware'] else ''}.",
        f"Unverified MLPerf® {round_} {suite} {row['division'].capitalize()} {row['label']}"
        f"{scenario}{availability}. Retrieved from [address] on [date]. MLPerf result ID: [ID, if "
        f"published]; id of mlcheck: {row['id']}. {UNVERIFIED} {NOTICE}",
    )
