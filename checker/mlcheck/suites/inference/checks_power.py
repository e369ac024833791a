"""Rules about the power measurement of a result, as far as an inference check reads it.

The protocol of the meter itself (phases, clocks, uncertainty) is the power suite's business.
"""

from __future__ import annotations

from collections.abc import Iterator

from mlcheck.rules import Flaw, Judgement, Rule, Scope, Unjudged
from mlcheck.suites.inference.checks_run import list_differences
from mlcheck.suites.inference.entry import Entry
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.score import power, power_window, primary_metric, watts

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
    if entry.power is None:
        return
    samples, log = entry.power.samples, entry.log
    if samples is None or log is None:
        yield Unjudged(NO_LOG, skipped=True)
        return
    window = power_window(log)
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
    elif not watts(entry, facts):
        yield Flaw(
            path=samples.path,
            message="no power sample lies inside the measured window",
            expected=f"samples from {window[0]} to {window[1]}",
            actual=f"{len(samples.times)} samples in all",
            hint="synchronise the clocks of client and server, and measure again",
        )
    elif power(entry, primary_metric(entry, facts), facts) is None:
        yield Flaw(
            path=log.path,
            message="power metric cannot be computed from the log",
            expected="result_query_count > 0 and a performance metric",
            hint="copy the log anew from the run",
        )


def torn_samples(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """Every line of spl.txt that starts with Time holds a time and a number of watts."""
    samples = entry.power.samples if entry.power else None
    if samples and (samples.problem or samples.bad_line):
        yield Flaw(
            path=samples.path,
            line=samples.bad_line,
            message="power samples cannot be read",
            expected="Time,MM-DD-YYYY HH:MM:SS.mmm,Watts,NUMBER,…",
            actual=samples.problem,
            hint="copy spl.txt anew from the server",
        )


def torn_samples_official(entry: Entry, facts: Facts) -> Iterator[Judgement]:
    """The official tool of some rounds dies of a line that is no sample."""
    yield from torn_samples(entry, facts)
    samples = entry.power.samples if entry.power else None
    if samples and samples.stray_line and facts.official["dies_of_stray_power_lines"]:
        yield Flaw(
            path=samples.path,
            line=samples.stray_line,
            message="line is no power sample",
            expected="Time,MM-DD-YYYY HH:MM:SS.mmm,Watts,NUMBER,…",
            hint="remove it",
        )


def edited_samples(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """spl.txt has the SHA-1 hash that the server recorded in server.json, or had it before its line
    endings were changed.
    """
    yield from _edited(entry, line_endings=False)


def edited_samples_official(entry: Entry, _: Facts) -> Iterator[Judgement]:
    """The official tool minds line endings, too."""
    yield from _edited(entry, line_endings=True)


def _edited(entry: Entry, *, line_endings: bool) -> Iterator[Judgement]:
    folder = entry.power
    if folder is None or folder.sample_digest is None:
        return
    hashes = folder.checksums.fields.get("results") if folder.checksums else None
    recorded = hashes.get("run_1/spl.txt") if isinstance(hashes, dict) else None
    if not isinstance(recorded, str):
        yield Unjudged("server.json records no hash of run_1/spl.txt")
    elif recorded != folder.sample_digest and (line_endings or recorded != folder.crlf_digest):
        yield Flaw(
            path=folder.samples_path,
            message="spl.txt is not the file that the server recorded",
            expected=recorded[:64],
            actual=folder.sample_digest,
            hint="copy spl.txt anew from the server, byte for byte",
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
        scope=Scope.RESULT,
        check=wrong_power_files,
        policy=PR_FILES,
        why="They are the record of how power was measured.",
        fix="Keep the files that client and server wrote, and nothing else.",
    ),
    Rule(
        id="PWR102",
        name="power-metric-missing",
        scope=Scope.RESULT,
        check=missing_power,
        policy=PR_METRIC,
        why="Power and performance have to come from one run.",
        fix="Synchronise the clocks, and measure again.",
    ),
    Rule(
        id="PWR103",
        name="power-samples-torn",
        scope=Scope.RESULT,
        check=torn_samples,
        official_check=torn_samples_official,
        policy=PR_FILES,
        why="Samples that cannot be read are missing from the average.",
        fix="Copy spl.txt anew from the server.",
    ),
    Rule(
        id="PWR104",
        name="power-samples-edited",
        scope=Scope.RESULT,
        check=edited_samples,
        official_check=edited_samples_official,
        policy=PR_FILES,
        why="The server records hashes so that an edit shows.",
        fix="Copy spl.txt anew from the server, byte for byte.",
    ),
    Rule(
        id="PWR105",
        name="power-documents-missing",
        scope=Scope.RESULT,
        check=missing_power_documents,
        policy=PR_SETTINGS,
        why="Power depends on settings of the system and the analyzer.",
        fix="Describe them in analyzer_table.* and power_settings.* beside the measurements.",
    ),
)
