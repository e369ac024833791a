"""The words a newcomer meets on a page, in one sentence each."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from mlcheck_report.verdicts import second

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
    "Findings": "What mlcheck says about a submission: errors void results, warnings need a person"
    " to look, notes inform. Not evaluable: the evidence is absent, which is no pass.",
    "± and n": "Standard deviation over the runs that count, and how many runs there are. ≈ marks a"
    " result that its runs do not separate from the one ranked above it.",
    "Quality tier": "Some benchmarks are run with two targets, such as 99 % and 99.9 % of the"
    " accuracy of the reference model.",
    "Per accelerator": "The result divided by the number of accelerators in all nodes. Derived, not"
    " an official MLPerf® metric; undefined for times and where no count is stated.",
}


BENCHMARKS = {  # what a benchmark does, by what its name begins with; the longest match counts
    "resnet": "Recognise what is on a photograph (ImageNet).",
    "retinanet": "Find and mark things on a photograph (OpenImages).",
    "ssd": "Find and mark things on a photograph (OpenImages).",
    "3d-unet": "Mark tumours in scans of kidneys, in three dimensions (KiTS).",
    "unet3d": "Mark tumours in scans of kidneys, in three dimensions (KiTS).",
    "maskrcnn": "Find things on photographs and outline them (COCO).",
    "bert": "Answer questions about a text (SQuAD), or learn a language (Wikipedia).",
    "rnnt": "Turn speech into text (LibriSpeech).",
    "whisper": "Turn speech into text (LibriSpeech).",
    "dlrm": "Recommend: predict clicks from a user's history (Criteo).",
    "gptj": "Summarise news articles with a language model of 6 billion parameters.",
    "gpt3": "Train a language model of 175 billion parameters.",
    "llama2-70b": "Answer questions with a language model of 70 billion parameters (OpenOrca).",
    "llama2_70b": "Fine-tune a language model of 70 billion parameters (low-rank adaptation).",
    "llama3.1-405b": "Answer long prompts with a language model of 405 billion parameters.",
    "llama3.1-8b": "Summarise news articles with a language model of 8 billion parameters.",
    "llama31_405b": "Train a language model of 405 billion parameters.",
    "llama31_8b": "Train a language model of 8 billion parameters.",
    "mixtral": "Answer questions, mathematics and code with a mixture of eight experts.",
    "deepseek": "Reason over mathematics, science and code with a mixture of experts.",
    "stable-diffusion": "Make pictures from descriptions.",
    "stable_diffusion": "Train a model that makes pictures from descriptions.",
    "flux": "Train a model that makes pictures from descriptions.",
    "rgat": "Classify the nodes of a graph of publications.",
    "rgnn": "Train to classify the nodes of a graph of publications.",
    "gnn": "Train to classify the nodes of a graph of publications.",
    "pointpainting": "Find cars and people around a vehicle from lidar and cameras.",
}


def benchmark(name: str) -> str | None:
    """Say in one sentence what a benchmark does; None: it is not one of the known."""
    fits = [known for known in BENCHMARKS if name.casefold().startswith(known)]
    return BENCHMARKS[max(fits, key=len)] if fits else None


def terms(occurring: Mapping[str, Collection[str]]) -> list[tuple[str, dict[str, str]]]:
    """Return titled lists of the terms that occur.

    Args:
        occurring: the values of `suite`, `division`, `scenario`, `availability`, `type` and
            `benchmark`.
    """
    judges = {second(suite) for suite in occurring["suite"]}
    verdicts = {judge.valid.capitalize(): judge.meaning for judge in judges}
    benchmarks = {name: benchmark(name) for name in sorted(occurring.get("benchmark", ()))}
    known = (
        ("Divisions", "division", DIVISIONS),
        ("Scenarios", "scenario", SCENARIOS),
        ("Availability", "availability", AVAILABILITY),
        ("System types", "type", TYPES),
        ("Benchmarks", "benchmark", {name: text for name, text in benchmarks.items() if text}),
    )
    lists = [
        (title, {term: text for term, text in texts.items() if term in occurring.get(name, ())})
        for title, name, texts in known
    ]
    return [
        ("Figures and verdicts", FIGURES | dict(sorted(verdicts.items()))),
        *((title, found) for title, found in lists if found),
    ]
