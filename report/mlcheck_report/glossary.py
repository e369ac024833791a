"""The words a newcomer meets on a page, in one sentence each."""

from __future__ import annotations

DIVISIONS = {
    "closed": "Everybody runs the same model and meets the same accuracy target, so results can be"
    " compared like for like.",
    "open": "Model, accuracy target or method may differ from the reference: compare with care, and"
    " read how each entry was made.",
    "network": "Like closed, but queries reach the system over a network, as they would from"
    " another machine.",
}
SCENARIOS = {
    "SingleStream": "One query at a time, each sent when the last has been answered; the figure is"
    " the time most queries stay under, so lower is better.",
    "MultiStream": "Queries of several samples, one at a time; the figure is the time most queries"
    " stay under, so lower is better.",
    "Server": "Queries arrive at random moments and must be answered within a time limit; the"
    " figure is the load the system keeps up with.",
    "Interactive": "As Server, with tighter time limits, as for a person who waits at the screen.",
    "Offline": "All samples are there from the start, in any order; the figure is how many are"
    " done per second.",
}
AVAILABILITY = {
    "available": "Can be bought or rented by the time the round is published.",
    "preview": "Will be available within the time the rules of the round allow.",
    "rdi": "Research, development or internal: a system that is not for sale.",
}
TYPES = {
    "datacenter": "Measured by the rules for servers and racks.",
    "edge": "Measured by the rules for devices close to where the data arises.",
}
FIGURES = {
    "Rank": "Place among the valid results of one section by its official metric. Equal figures"
    " share a rank; invalid results have none.",
    "Accuracy": "Whether the measured quality meets its target, and by how many percent of the"
    " target. With several targets the tightest counts.",
    "Average power": "Mean electrical power of the whole system during the run, measured by an"
    " analyzer. Results without such a measurement show nothing; no estimate takes its place.",
    "Energy to train": "What the nodes, and by measurement or estimate their interconnect, take"
    " from start to end of a run: the mean of the runs that count for the time to train.",
    "Valid by policy": "mlcheck found no error that, by the published rules of the round, makes"
    " the result void.",
    "Valid for the official tool": "mlcheck expects the submission checker of the round to accept"
    " the result. The two differ where that tool checks less, or more, than the rules say.",
    "Per accelerator": "The result divided by the number of accelerators in all nodes. Derived, not"
    " an official MLPerf® metric; undefined for times and where no count is stated.",
}


def terms(choices: dict[str, list[str]]) -> list[tuple[str, dict[str, str]]]:
    """Return titled lists of the terms that occur.

    Args:
        choices: the values of the filters `division`, `scenario`, `availability` and `type`.
    """
    known = (
        ("Divisions", "division", DIVISIONS),
        ("Scenarios", "scenario", SCENARIOS),
        ("Availability", "availability", AVAILABILITY),
        ("System types", "type", TYPES),
    )
    lists = [
        (title, {term: text for term, text in texts.items() if term in choices[name]})
        for title, name, texts in known
    ]
    return [("Figures and verdicts", FIGURES), *((title, found) for title, found in lists if found)]
