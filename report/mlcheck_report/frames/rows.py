"""A result or a system as pages show it: where its page is, its hardware in words, its notes."""

from __future__ import annotations

import json
from collections.abc import Mapping

from mlcheck_report import accelerators
from mlcheck_report.frames.ranked import Record
from mlcheck_report.frames.shape import NONE, Owner
from mlcheck_report.names import result_name, slug
from mlcheck_report.tables import SYSTEM_COLUMNS


def system_page(folder: str, owner: Owner) -> str:
    """Return the page of a system."""
    division, submitter, system = owner
    return f"{folder}/systems/{slug(submitter, system, division)}.html"


def submitter_page(folder: str, submitter: str) -> str:
    """Return the page of a submitter."""
    return f"{folder}/submitters/{slug(submitter)}.html"


def owner_of(row: Record) -> Owner:
    """Return what a system is known by."""
    return (row["division"], row["submitter"], row["system"])


def written(row: Record) -> accelerators.Accelerators:
    """Return the accelerators of a system as its description writes them, with their counts."""
    raw = row["accelerator_raw"] if row["accelerator"] is not None else None
    return accelerators.read(row["accelerator"] if raw is None else " ".join(raw.split()))


def reviewed_names(row: Record) -> list[str]:
    """Return the names of the reviewed tables that the accelerators of a system have."""
    return list(row["accelerators"]) if row["accelerators"] is not None else []


def kinds_of(
    row: Record, hardware: accelerators.Accelerators, kinds: Mapping[str, str]
) -> list[str]:
    """Return what kinds of accelerators a system is found under: reviewed names, if all have one.

    Args:
        row: with the columns of `systems`.
        hardware: what `written` makes of it.
        kinds: spelling of an accelerator -> the one that is shown.
    """
    reviewed = reviewed_names(row)
    if len(reviewed) >= len(hardware.parts):
        return reviewed
    return [kinds.get(name, name) for name in hardware.names]


def described_system(row: Record) -> Record:
    """Return a system as it is described, with the description itself as a mapping."""
    try:
        description = json.loads(row["description_json"] or "{}")
    except ValueError:
        description = {}
    row["description"] = description if isinstance(description, dict) else {}
    return row


def shown_row(
    place: int, row: Record, folder: str, kinds: Mapping[str, str], system: Record
) -> Record:
    """Add to a result what pages show of it.

    Args:
        place: in the order of the whole round.
        row: as `ranked` has it.
        folder: of the round.
        kinds: spelling of an accelerator -> the one that is shown.
        system: the description of its system; empty if there is none.
    """
    hardware = written(row)
    rate = row["value"] is not None and row["better"] == "higher"
    row |= {
        "position": place,
        "page": f"{folder}/results/{result_name(row['id'])}.html",
        "json": f"{folder}/results/{result_name(row['id'])}.json",
        "system_page": system_page(folder, owner_of(row)),
        "submitter_page": submitter_page(folder, row["submitter"]),
        "owner": owner_of(row),
        "kinds": kinds_of(row, hardware, kinds),
        "mixed": hardware.mixed or len(reviewed_names(row)) > 1,
        "hardware": hardware_text(row, hardware, kinds),
        "notes": _notes(system.get("description", {}), hardware),
        "types": [part.strip() for part in (row["category"] or NONE).split(",")],
        "per_node": row["value"] / row["nodes"] if rate and (row["nodes"] or 0) > 0 else None,
        "per_watt": row["value"] / row["average_w"]
        if rate and (row["average_w"] or 0) > 0
        else None,
        "energy_mj": None if row["energy_j"] is None else row["energy_j"] / J_PER_MJ,
        "close": False,
        "model": row["benchmark_raw"]
        if row["division"] == "open" and row["benchmark_raw"] != row["label"]
        else None,
    }
    return row


def hardware_text(
    row: Record, hardware: accelerators.Accelerators, kinds: Mapping[str, str]
) -> str | None:
    """Say what computes: a SoC, or `16 x H100 in 2 nodes`; without accelerator, its processors."""
    if row["soc"] is not None:
        return str(row["soc"])
    if not hardware.parts:
        name, count, before = row["host_cpu"], row["host_cpus_per_node"], "CPU only: "
        count = count and count * (row["nodes"] or 1)
        text = _times(count, name, before) if name is not None else None
    elif hardware.mixed:
        text = " + ".join(
            _times(part.count, kinds.get(part.name, part.name)) for part in hardware.parts
        )
    else:
        name = hardware.parts[0].name
        shown = row["accelerator"] if reviewed_names(row) else kinds.get(name, name)
        text = _times(row["accelerators_total"], shown)
    nodes = row["nodes"] or 1
    return f"{text} in {nodes} nodes" if text and nodes > 1 else text


def _times(count: int | None, name: str, before: str = "") -> str:
    return f"{before}{count} \N{MULTIPLICATION SIGN} {name}" if count else before + name


J_PER_MJ = 1e6
_SAYS_NOTHING = {"", "n/a", "na", "none", "-", "tbd"}
_NOTE_LENGTH = 60


def _notes(description: Record, hardware: accelerators.Accelerators) -> list[str]:
    """Return what stands beside the accelerator: taken out of its name, or a note on hardware."""
    notes = list(hardware.notes)
    stated = " ".join(str(description.get("hw_notes") or "")[:1000].split())
    if stated.casefold() not in _SAYS_NOTHING:
        short = stated if len(stated) <= _NOTE_LENGTH else stated[: _NOTE_LENGTH - 1] + "…"
        notes.append(short)
    return notes


def system(
    owner: Owner,
    described: Record | None,
    rows: list[Record],
    folder: str,
    kinds: Mapping[str, str],
) -> Record:
    """Return a system with its results; `described` None: it only has results."""
    facts = described or dict.fromkeys(SYSTEM_COLUMNS) | {"description": {}}
    hardware = written(facts)
    division, submitter, system = owner
    return facts | {
        "division": division,
        "submitter": submitter,
        "system": system,
        "described": described is not None,
        "name": facts["system_name"] or system,
        "key": slug(submitter, system, division)[-8:],
        "page": system_page(folder, owner),
        "submitter_page": submitter_page(folder, submitter),
        "kinds": kinds_of(facts, hardware, kinds),
        "mixed": hardware.mixed or len(reviewed_names(facts)) > 1,
        "parts": hardware.parts,
        "hardware": hardware_text(facts, hardware, kinds),
        "notes": _notes(facts["description"] or {}, hardware),
        "rows": tuple(rows),
    }
