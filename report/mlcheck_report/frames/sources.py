"""What charts of a section say: whose a point is, what is drawn, where the numbers come from."""

from __future__ import annotations

from mlcheck_report.frames.ranked import Record
from mlcheck_report.frames.shape import Round, Section


def who(row: Record) -> str:
    """Say whose a result is; a submitter whose name the system begins with is named once."""
    submitter, name = str(row["submitter"]), str(row["name"])
    begins = name.casefold().startswith(submitter.casefold() + " ")
    return name if begins else f"{submitter}: {name}"


def group(row: Record) -> str:
    """Return the accelerator; a mix is a kind of its own, never one of its parts."""
    kinds = row["kinds"] or ["CPU only"]
    return kinds[0] if len(kinds) == 1 else " + ".join(kinds)


def source(round_: Round) -> str:
    """Say where the numbers of a chart come from."""
    name = round_.suite.capitalize()
    return (
        f"MLPerf® {name} {round_.round} submissions, as normalised by mlcheck; "
        "not verified by MLCommons."
    )


def section_key(kind: str, section: Section) -> str:
    """Return what names a chart on its page."""
    return f"{kind}-{section.number}"


def section_name(section: Section) -> str:
    """Say what a section ranks."""
    scenario = f" {section.scenario}" if section.scenario else ""
    return f"{section.label}{scenario}, {section.title}"
