"""The page of one system: what it is, what it was measured in, and what not."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck_report.frames.history import accelerator_page, histories
from mlcheck_report.frames.ranked import Record
from mlcheck_report.frames.shape import Round
from mlcheck_report.frames.site import Shown, Site

FACTS = (  # column of `systems`, how it is called
    ("submitter", "Submitter"),
    ("division", "Division"),
    ("category", "Type"),
    ("availability_raw", "Availability"),
    ("device", "Device"),
    ("soc", "SoC"),
    ("soc_id", "SoC, by its own name"),
    ("nodes", "Nodes"),
    ("accelerator_raw", "Accelerator"),
    ("accelerators_per_node", "Accelerators per node"),
    ("accelerators_total", "Accelerators in total"),
    ("accelerator_memory", "Accelerator memory"),
    ("interconnect", "Interconnect"),
    ("host_cpu", "Processor"),
    ("host_cpus_per_node", "Processors per node"),
    ("host_memory", "Memory"),
    ("framework", "Framework"),
    ("operating_system", "Operating system"),
)
_LONGEST = 2000  # characters of one field of a description; the JSON file has all


def frame(site: Site) -> Iterator[Shown]:
    """Show every system of every round."""
    known = histories(site)
    for round_ in site.rounds:
        links = site.sources[round_.folder]
        for system in round_.systems:
            view = {
                "system": system,
                "facts": [(name, system[column]) for column, name in FACTS],
                "stated": stated(system),
                "missing": missing(round_, system),
                "base": links.base(system),
                "accelerators": [(kind, accelerator_page(kind)) for kind in system["kinds"]]
                if system["rows"]
                else [],
                "history": known.get(("system", f"{system['submitter']}: {system['name']}")),
                "twins": twins(round_, system),
            }
            title = f"{system['submitter']} {system['name']}, {round_.suite} {round_.round}"
            yield Shown(path=system["page"], title=title, view=view, round=round_)


def stated(system: Record) -> list[tuple[str, str]]:
    """Return all fields of a description that say something, as text."""
    fields = ((str(name), _text(value)) for name, value in system["description"].items())
    return [(name, text) for name, text in fields if text]


def _text(value: object) -> str:
    text = "" if value is None else str(value).strip()
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "\N{HORIZONTAL ELLIPSIS}"


def missing(round_: Round, system: Record) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return what the round offers a system of this type and the system has no result for.

    Returns:
        Per benchmark its scenarios, each with the reason.
    """
    has = {(row["label"], row["scenario"]) for row in system["rows"]}
    types = _types(system["category"])
    found: dict[str, list[tuple[str, str]]] = {}
    for offer in round_.offers:
        if offer["category"] is not None and _types(offer["category"]) != types:
            continue
        task = (offer["benchmark"], offer["scenario"])
        if task in has:
            continue
        began = any(label == offer["benchmark"] for label, _ in has)
        reason = "no result of this scenario" if began else "benchmark not entered"
        if offer["required"] and began and system["division"] != "open":
            reason += ", though the round requires it"
        found.setdefault(offer["benchmark"], []).append((offer["scenario"] or "", reason))
    return sorted(found.items(), key=lambda item: item[0].casefold())


def _types(category: str | None) -> frozenset[str]:
    return frozenset(part.strip() for part in (category or "").split(","))


def twins(round_: Round, system: Record) -> list[Record]:
    """Return other systems of the round with the same kinds of accelerators, nearest size first."""
    kinds = set(system["kinds"])
    size = system["accelerators_total"] or 0
    alike = [
        other
        for other in round_.systems
        if kinds and set(other["kinds"]) == kinds and other is not system and other["rows"]
    ]
    return sorted(alike, key=lambda other: abs((other["accelerators_total"] or 0) - size))[:10]
