"""Rules about the files of a power measurement, and whether the power metric can be computed."""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.power.samples import shown
from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.checks_run import list_differences
from mlcheck.suites.inference.entry import Entry, PowerFolder
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.score import average_w, power_of, primary_metric
from mlcheck.tree import join

PR_FILES = "power_measurement.adoc#performance-and-power-logs"
PR_METRIC = "power_measurement.adoc#power-and-performance-measurement-and-reporting"
PR_SETTINGS = "power_measurement.adoc#power-analyzer-settings"
NO_LOG = "spl.txt or the detail log is missing or unreadable (INF301, INF302)"


def wrong_power_files(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """power/ holds the files of client and server, and ranging/ the logs of the ranging run."""
    if entry.power is None:
        return
    folder, files = entry.power, facts.files
    ignored = set(files["ignored"])
    required = set(files["power"])
    yield from list_differences(folder.path, folder.names, required, required | ignored)
    required = {*files["performance"]["required"], *files["performance_power"]}
    allowed = required | set(files["performance"]["optional"]) | ignored
    if folder.ranging is None:
        yield Flaw(
            path=folder.ranging_path,
            message="power measurement has no ranging run",
            expected=folder.ranging_path,
            hint="add the folder that the client wrote",
        )
    else:
        yield from list_differences(folder.ranging_path, folder.ranging.names, required, allowed)


def missing_power(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Power samples lie inside the measured window, so that the power metric can be computed."""
    yield from _missing(entry, facts, usual=False)


def missing_power_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool takes all clocks for the usual ones of the round."""
    yield from _missing(entry, facts, usual=True)


def _missing(entry: Entry, facts: Facts, *, usual: bool) -> Iterator[Judgement]:
    if entry.power is None:
        return
    samples, log = entry.power.samples, entry.log
    if samples is None or log is None:
        yield Unjudged(NO_LOG, skipped=True)
        return
    window = entry.power.testing_run.shown
    if window is None:
        yield Flaw(
            path=log.path,
            line=log.line("power_begin"),
            message="log does not state the window of the power measurement",
            expected="power_begin and power_end as MM-DD-YYYY HH:MM:SS.mmm",
            actual=" to ".join(filter(None, (log.raw("power_begin"), log.raw("power_end"))))
            or None,
            hint="copy the log anew from the run",
        )
    elif average_w(entry, facts, usual=usual) is None:
        yield Flaw(
            path=samples.path,
            message="no power sample lies inside the measured window",
            expected=f"samples from {shown(window.begin_ms)} to {shown(window.end_ms)}",
            actual=f"{len(samples.times_ms)} samples in all",
            hint="synchronise the clocks of client and server, and measure again",
        )
    elif power_of(entry, primary_metric(entry, facts), facts, usual=usual) is None:
        yield Flaw(
            path=log.path,
            message="power metric cannot be computed from the log",
            expected="result_query_count > 0 and a performance metric",
            hint="copy the log anew from the run",
        )


def torn_samples(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """Every line of spl.txt that starts with Time holds a time and a number of watts."""
    yield from _torn(entry)
    samples = entry.power.samples if entry.power else None
    if samples and not samples.torn_line and samples.unreal_line:
        yield Flaw(
            path=samples.path,
            line=samples.unreal_line,
            message="watts of a power sample are no finite number",
            expected="Time,MM-DD-YYYY HH:MM:SS.mmm,Watts,NUMBER,…",
            hint="measure again; the meter lost a reading",
        )


def _torn(entry: Entry) -> Iterator[Flaw]:
    samples = entry.power.samples if entry.power else None
    if samples and (samples.problem or samples.torn_line):
        yield Flaw(
            path=samples.path,
            line=samples.torn_line,
            message="power samples cannot be read",
            expected="Time,MM-DD-YYYY HH:MM:SS.mmm,Watts,NUMBER,…",
            actual=samples.problem,
            hint="copy spl.txt anew from the server",
        )


def torn_samples_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool takes nan for a number, and in some rounds dies of a line that is no
    sample.
    """
    yield from _torn(entry)
    samples = entry.power.samples if entry.power else None
    if samples and samples.stray_line and facts.official["dies_of_stray_power_lines"]:
        yield Flaw(
            path=samples.path,
            line=samples.stray_line,
            message="line is no power sample",
            expected="Time,MM-DD-YYYY HH:MM:SS.mmm,Watts,NUMBER,…",
            hint="remove it",
        )


def edited_files(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """Logs and samples have the SHA-1 hashes that client.json and server.json record, or had them
    before their line endings were changed.
    """
    yield from _edited(entry, line_endings=False)


def edited_files_official(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """The official tool minds line endings, too."""
    yield from _edited(entry, line_endings=True)


def _edited(entry: Entry, *, line_endings: bool) -> Iterator[Judgement]:
    folder = entry.power
    if folder is None:
        return
    recorded = recorded_hashes(folder)
    home = folder.path.rpartition("/")[0]
    for name, digest in folder.digests.items():
        wanted = recorded.get(name)
        if digest is None or wanted is None:
            continue  # PWR101, INF301 or PWR120 reports it
        if wanted != digest.sha1 and (line_endings or wanted != digest.other_line_ends):
            file = name.rpartition("/")[2]
            yield Flaw(
                path=join(home, name),
                message=f"{file} is not the file that was recorded",
                expected=wanted[:64],
                actual=digest.sha1,
                hint="copy it anew from the measurement, byte for byte",
            )


def recorded_hashes(folder: PowerFolder) -> dict[str, str]:
    """Return what client and server recorded; the server has the last word."""
    sides = (side.results for side in (folder.client, folder.server) if side)
    return {name: hash_ for results in sides for name, hash_ in results.items()}


def missing_hashes(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """client.json or server.json record a hash of every log and sample file, and agree where both
    do.
    """
    folder = entry.power
    if folder is None or folder.client is None or folder.server is None:
        return  # PWR101
    if folder.client.document.problem or folder.server.document.problem:
        yield Unjudged("client.json or server.json cannot be read (PWR110)", skipped=True)
        return
    recorded = recorded_hashes(folder)
    for name in folder.digests:
        theirs, ours = folder.server.results.get(name), folder.client.results.get(name)
        if name not in recorded:
            yield Flaw(
                path=folder.server.path,
                line=folder.server.line_of("results"),
                message=f"no hash of {name} is recorded",
                expected="a SHA-1 hash in results of client.json or server.json",
                hint="copy both documents anew from the measurement",
            )
        elif theirs is not None and ours is not None and theirs != ours:
            yield Flaw(
                path=folder.client.path,
                line=folder.client.line_of(name),
                message=f"client and server record different hashes of {name}",
                expected=theirs[:64],
                actual=ours[:64],
                hint="copy both documents anew from the same measurement",
            )


def missing_power_documents(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """Analyzer table and power settings lie with the measurements, or up to three folders above,
    and are not empty.
    """
    if entry.power is None or entry.measurements is None:
        return  # INF101
    for prefix in facts.files["power_documents"]:
        path, size = entry.power.documents.get(prefix, (entry.measurements_path, -1))
        if size <= 0:
            yield Flaw(
                path=path,
                message=f"{prefix} is missing" if size < 0 else f"{prefix} is empty",
                expected=f"a file {prefix}.*",
                hint="describe the analyzer and its settings",
            )


RULES = (
    Rule(
        id="PWR101",
        name="power-files",
        scope=Scope.POWER,
        check=wrong_power_files,
        policy=PR_FILES,
        why="They are the record of how power was measured.",
        fix="Keep the files that client and server wrote, and nothing else.",
    ),
    Rule(
        id="PWR102",
        name="power-metric-missing",
        scope=Scope.POWER,
        check=missing_power,
        official_check=missing_power_official,
        policy=PR_METRIC,
        why="Power and performance have to come from one run.",
        fix="Synchronise the clocks, and measure again.",
    ),
    Rule(
        id="PWR103",
        name="power-samples-torn",
        scope=Scope.POWER,
        check=torn_samples,
        official_check=torn_samples_official,
        policy=PR_FILES,
        why="Samples that cannot be read are missing from the average.",
        fix="Copy spl.txt anew from the server.",
    ),
    Rule(
        id="PWR104",
        name="power-files-edited",
        scope=Scope.POWER,
        check=edited_files,
        official_check=edited_files_official,
        policy=PR_FILES,
        why="Client and server record hashes so that an edit shows.",
        fix="Copy the file anew from the measurement, byte for byte.",
    ),
    Rule(
        id="PWR105",
        name="power-documents-missing",
        scope=Scope.POWER,
        check=missing_power_documents,
        policy=PR_SETTINGS,
        why="Power depends on settings of the system and the analyzer.",
        fix="Describe them in analyzer_table.* and power_settings.* beside the measurements.",
    ),
    Rule(
        id="PWR120",
        name="power-hash-missing",
        scope=Scope.POWER,
        check=missing_hashes,
        policy=PR_FILES,
        why="A file without a recorded hash may have been edited, and nobody can tell.",
        fix="Copy client.json and server.json anew from the measurement.",
    ),
)
