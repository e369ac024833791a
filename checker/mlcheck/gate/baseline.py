"""Baselines: findings that were there before, so that only what is new fails.

A finding is known by its id, which depends on rule, path and message and on no line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from mlcheck import __version__
from mlcheck.model import Report
from mlcheck.own_rules import OWN_RULES
from mlcheck.ruleset import validate
from mlcheck.settings.keys import SettingsError

LARGEST = 256 << 20  # bytes; a JSON report will do as a baseline
SCHEMA_VERSION = "1.0"


def read_baseline(path: str) -> frozenset[str]:
    """Return the ids of the findings that a baseline, or a JSON report, holds.

    Raises:
        SettingsError: it cannot be read, or is neither.
    """
    from mlcheck.overlay import RulesetError

    try:
        if Path(path).stat().st_size > LARGEST:
            raise SettingsError(f"{path}: larger than {LARGEST} bytes")
        document = json.loads(Path(path).read_bytes())
        if not isinstance(document, dict):
            raise SettingsError(f"{path}: a {type(document).__name__}, not an object")
        validate(document, "baseline", path)
    except OSError as err:
        raise SettingsError(f"cannot read {path}: {err.strerror}") from err
    except (ValueError, RecursionError) as err:
        raise SettingsError(f"{path}: {str(err)[:200]}") from err
    except RulesetError as err:
        raise SettingsError(str(err)) from err
    return frozenset(finding["id"] for finding in document["findings"])


def baseline_of(report: Report) -> str:
    """Return the text of a baseline that knows all findings of a report."""
    findings = [
        {"id": finding.id, "rule": finding.rule, "path": finding.path, "message": finding.message}
        for finding in report.findings
        if finding.rule not in OWN_RULES and finding.waived is None
    ]
    rulesets = [{"suite": ref.suite, "round": ref.round} for ref in report.rulesets]
    document = {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "mlcheck", "version": __version__},
        "rulesets": rulesets,
        "findings": findings,
    }
    return json.dumps(document, indent=1) + "\n"


def apply_baseline(report: Report, known: Iterable[str]) -> Report:
    """Return a report in which the findings of a baseline are marked; verdicts stay."""
    ids = frozenset(known)
    findings = tuple(
        replace(finding, known=True)
        if finding.id in ids and finding.rule not in OWN_RULES
        else finding
        for finding in report.findings
    )
    return replace(report, findings=findings)
