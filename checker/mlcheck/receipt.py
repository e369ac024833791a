"""A receipt: what was judged, by what, and what came of it, so that anybody can tell it again.

A receipt holds no time and no path of a machine: the same tree, rules and tool give the same bytes.
It is no signature; ``sha256`` shows that a receipt was not altered by accident.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlcheck import __version__
from mlcheck.fingerprint import Fingerprint
from mlcheck.model import Report
from mlcheck.output.summary import summarise

SCHEMA_VERSION = "1.0"
Document = dict[str, Any]


class ReceiptError(Exception):
    """A file is no receipt; the text says why."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which part of a tree was judged, by which rules: ids or their beginnings, empty: all."""

    submitter: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


def receipt(report: Report, tree: Fingerprint, scope: Scope) -> Document:
    """Return the receipt of a report."""
    summary = summarise(report)
    waived = sorted({(f.rule, f.waived) for f in report.findings if f.waived is not None})
    document: Document = {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "mlcheck", "version": __version__},
        "rulesets": [
            {"suite": ref.suite, "round": ref.round, "sha256": ref.sha256}
            for ref in report.rulesets
        ],
        "tree": {"sha256": tree.sha256, "files": tree.files, "bytes": tree.bytes},
        "scope": {
            "submitter": scope.submitter,
            "select": sorted(scope.select),
            "ignore": sorted(scope.ignore),
        },
        "summary": {
            "verdict": summary.verdict,
            "official_verdict": summary.official_verdict,
            "results": summary.results,
            "valid": summary.valid,
            "official_valid": summary.official_valid,
            "findings": dict(summary.findings),
        },
        "verdicts": [
            {
                "result": result.id,
                "path": result.path,
                "verdict": result.verdict.value,
                "official_verdict": result.official_verdict.value,
            }
            for result in report.results
        ],
        "waivers": [{"rule": rule, "reason": reason} for rule, reason in waived],
    }
    return {**document, "sha256": _digest(document)}


def text(document: Document) -> str:
    """Return a receipt as it is written to a file."""
    return json.dumps(document, indent=1) + "\n"


def read(path: Path) -> Document:
    """Read a receipt.

    Raises:
        ReceiptError: it is none, or it was altered.
    """
    from jsonschema import Draft202012Validator

    from mlcheck import resources

    try:
        document = json.loads(path.read_bytes())
    except OSError as err:
        raise ReceiptError(f"cannot read {path}: {err.strerror}") from err
    except (ValueError, RecursionError) as err:
        raise ReceiptError(f"{path} is no receipt: not JSON") from err
    for problem in Draft202012Validator(resources.schema("receipt")).iter_errors(document):
        raise ReceiptError(f"{path} is no receipt: {problem.json_path}: {problem.message[:120]}")
    stated = document.pop("sha256")
    if stated != _digest(document):
        raise ReceiptError(f"{path} was altered: its sha256 does not fit what it says")
    return {**document, "sha256": stated}


def scope_of(document: Document) -> Scope:
    """Return what a receipt is about."""
    scope = document["scope"]
    return Scope(scope["submitter"], tuple(scope["select"]), tuple(scope["ignore"]))


@dataclass(frozen=True, slots=True)
class Compared:
    """One thing that a receipt states. ``counts``: a difference makes the receipt void."""

    what: str
    same: bool
    detail: str
    counts: bool = True
    further: tuple[str, ...] = ()


def compared(old: Document, new: Document) -> Iterator[Compared]:
    """Yield what a receipt states and whether it is still so."""
    was, now = old["tool"]["version"], new["tool"]["version"]
    yield Compared("tool", was == now, was if was == now else f"{was}, now {now}", counts=False)
    yield Compared("rules", old["rulesets"] == new["rulesets"], _rules(old, new))
    yield Compared("tree", old["tree"] == new["tree"], _tree(old, new))
    changed = tuple(_changed(old, new))
    yield Compared("verdicts", not changed, _verdicts(old, len(changed)), further=changed)
    was, now = len(old["waivers"]), len(new["waivers"])
    detail = f"{was}" if old["waivers"] == new["waivers"] else f"{was}, now {now}"
    yield Compared("waivers", old["waivers"] == new["waivers"], detail)


def _rules(old: Document, new: Document) -> str:
    names = ", ".join(f"{ref['suite']} {ref['round']}" for ref in old["rulesets"])
    was, now = ({ref["sha256"][:12] for ref in doc["rulesets"]} for doc in (old, new))
    shown = f"{names}, sha256 {', '.join(sorted(was))}"
    return shown if was == now else f"{shown}, now {', '.join(sorted(now))}"


def _tree(old: Document, new: Document) -> str:
    def shown(tree: Mapping[str, Any]) -> str:
        return f"{tree['files']:,} files, {tree['bytes']:,} bytes, sha256 {tree['sha256'][:12]}"

    return shown(new["tree"])


def _verdicts(old: Document, changed: int) -> str:
    if changed:
        return f"{changed:,} are not what they were"
    summary = old["summary"]
    return (
        f"{summary['valid']:,} of {summary['results']:,} valid by the policy, "
        f"{summary['official_valid']:,} by the official tool"
    )


_NAMED = {"verdict": "policy", "official_verdict": "official tool"}


def _changed(old: Document, new: Document) -> Iterator[str]:
    was = {row["result"]: row for row in old["verdicts"]}
    now = {row["result"]: row for row in new["verdicts"]}
    for id_ in sorted({*was, *now}, key=lambda id_: (was.get(id_) or now[id_])["path"]):
        before, after = was.get(id_), now.get(id_)
        if before is None and after is not None:
            yield f"{after['path']} is new"
        elif after is None and before is not None:
            yield f"{before['path']} is gone"
        elif before is not None and after is not None:
            for field in ("verdict", "official_verdict"):
                if before[field] != after[field]:
                    yield f"{after['path']}: {_NAMED[field]} {before[field]}, now {after[field]}"
    if old["summary"] != new["summary"] and set(was) == set(now):
        for field in ("verdict", "official_verdict"):
            if old["summary"][field] != new["summary"][field]:
                was_, is_ = old["summary"][field], new["summary"][field]
                yield f"as a whole: {_NAMED[field]} {was_}, now {is_}"


def _digest(document: Document) -> str:
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
