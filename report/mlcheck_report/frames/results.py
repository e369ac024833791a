"""The page of one result: its figures, evidence, findings, neighbours, and how to cite it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from mlcheck_report.cite import citation
from mlcheck_report.frames.measured import course, measurement
from mlcheck_report.frames.ranked import Record
from mlcheck_report.frames.reviews import rule_page
from mlcheck_report.frames.shape import Round, Section
from mlcheck_report.frames.site import Shown, Site
from mlcheck_report.numbers import significant


def frame(site: Site) -> Iterator[Shown]:
    """Show every result of every round."""
    for round_ in site.rounds:
        links = site.sources[round_.folder]
        systems = {
            (one["division"], one["submitter"], one["system"]): one for one in round_.systems
        }
        for section in round_.sections:
            for row in section.rows:
                view = {
                    "row": row,
                    "section": section,
                    "system": systems[row["owner"]],
                    "evidence": round_.evidence[row["id"]],
                    "base": links.base(row),
                    "cite": citation(
                        row | {"value_raw_text": significant(row["value"])},
                        round_.suite,
                        round_.round,
                    ),
                    "derived": derived(row),
                    "measured": measurement(round_, row),
                    "course": course(round_, row),
                    "rule_page": partial(rule_page, round_.folder),
                    "standing": standing(section, row),
                }
                yield Shown(path=row["page"], title=_title(row, round_), view=view, round=round_)


def _title(row: Record, round_: Round) -> str:
    task = f"{row['label']} {row['scenario'] or ''}".strip()
    return f"{row['submitter']} {row['name']}: {task}, {round_.suite} {round_.round}"


def derived(row: Record) -> list[tuple[str, float | None, str]]:
    """Return derived figures: name, value, and the formula or why there is none."""
    if row["value"] is None:
        return []
    time = row["better"] == "lower"
    why = "a time is not divided" if time else ""
    accelerators = (
        why
        or ("the system has several kinds of accelerators" if row["mixed"] else "")
        or "no number of accelerators is stated"
    )
    return [
        (
            "per accelerator",
            row["per"],
            f"÷ {row['accelerators_total']} accelerators"
            if row["per"] is not None
            else accelerators,
        ),
        (
            "per node",
            row["per_node"],
            f"÷ {row['nodes']} node{'' if row['nodes'] == 1 else 's'}"
            if row["per_node"] is not None
            else why or "no number of nodes is stated",
        ),
        (
            "per watt",
            row["per_watt"],
            f"÷ {significant(row['average_w'])} W"
            if row["per_watt"] is not None
            else why or "power was not measured",
        ),
    ]


def standing(section: Section, row: Record) -> str:
    """Say where a result stands in its section."""
    count = len(section.ranked)
    if row["rank"] is None:
        return (
            f"not ranked; {count} other{' is' if count == 1 else 's are'}"
            if count
            else "not ranked"
        )
    tied = sum(other["rank"] == row["rank"] for other in section.ranked)
    shared = f", shared by {tied}" if tied > 1 else ""
    return f"rank {row['rank']} of {count}{shared}"
