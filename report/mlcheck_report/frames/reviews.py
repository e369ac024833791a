"""For reviewers: what was found, could not be judged or stands out, by submitter and by rule."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from mlcheck_report.frames.findings import RuleFindings, by_rule
from mlcheck_report.frames.history import histories
from mlcheck_report.frames.peers import Outlier, outliers
from mlcheck_report.frames.ranked import Record
from mlcheck_report.frames.rows import submitter_page
from mlcheck_report.frames.shape import Round
from mlcheck_report.frames.site import Shown, Site
from mlcheck_report.names import slug

NOBODY = ""  # findings of no submitter: about the tree as a whole
_FREQUENT = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What a reviewer looks at in one submitter. `name` is empty for the tree as a whole."""

    name: str
    page: str | None
    results: tuple[Record, ...]
    findings: tuple[Record, ...]
    outcomes: tuple[Record, ...]
    outliers: tuple[Outlier, ...]

    def of(self, severity: str) -> int:
        """How many findings have this severity and are not waived."""
        return sum(one["severity"] == severity and not one["waived"] for one in self.findings)

    @property
    def waived(self) -> int:
        """How many findings are waived."""
        return sum(bool(one["waived"]) for one in self.findings)

    @property
    def not_evaluable(self) -> list[Record]:
        """What could not be judged for lack of evidence."""
        return [one for one in self.outcomes if one["outcome"] == "not-evaluable"]

    @property
    def skipped(self) -> list[Record]:
        """What was not judged since another rule reports the cause."""
        return [one for one in self.outcomes if one["outcome"] != "not-evaluable"]

    @property
    def invalid(self) -> int:
        """How many results are void by the policy."""
        return sum(row["verdict"] != "valid" for row in self.results)

    @property
    def rules(self) -> tuple[RuleFindings, ...]:
        """The findings by rule."""
        return by_rule(self.findings)


def frame(site: Site) -> Iterator[Shown]:
    """Show the list of submitters and rules of every round."""
    for round_ in site.rounds:
        found = reviews(round_)
        view = {
            "reviews": found,
            "outliers": outliers(round_),
            "rule_page": partial(rule_page, round_.folder),
        }
        title = f"Findings, {round_.suite} {round_.round}"
        yield Shown(path=f"{round_.folder}/findings.html", title=title, view=view, round=round_)


def rules(site: Site) -> Iterator[Shown]:
    """Show all findings of every rule."""
    for round_ in site.rounds:
        for rule in round_.rules:
            title = f"{rule.rule} {rule.name}, {round_.suite} {round_.round}"
            groups = _by_submitter(round_, rule.findings)
            view = {"rule": rule, "groups": groups, "base": site.sources[round_.folder].common}
            path = rule_page(round_.folder, rule.rule)
            yield Shown(path=path, title=title, view=view, round=round_)


def submitters(site: Site) -> Iterator[Shown]:
    """Show every submitter with all findings."""
    known = histories(site)
    for round_ in site.rounds:
        for review in reviews(round_):
            if review.page is None:
                continue
            view = {
                "review": review,
                "systems": [one for one in round_.systems if one["submitter"] == review.name],
                "submissions": [
                    row for row in round_.submissions if row["submitter"] == review.name
                ],
                "rule_page": partial(rule_page, round_.folder),
                "base": site.sources[round_.folder].common,
                "history": known.get(("submitter", review.name)),
            }
            title = f"{review.name}, {round_.suite} {round_.round}"
            yield Shown(path=review.page, title=title, view=view, round=round_)


def rule_page(folder: str, rule: str) -> str:
    """Return the page of a rule."""
    return f"{folder}/findings/{slug(rule)}.html"


def reviews(round_: Round) -> list[Review]:
    """Return the reviews of a round in the order of names, that of the tree as a whole last."""
    findings = _by_submitter(round_, round_.findings)
    outcomes = _outcomes(round_)
    far: defaultdict[str, list[Outlier]] = defaultdict(list)
    for one in outliers(round_):
        far[one.row["submitter"]].append(one)
    names = {row["submitter"] for row in round_.submissions} | set(round_.submitters)
    names |= {one["submitter"] for one in round_.systems} | set(findings)
    return [
        Review(
            name=name,
            page=submitter_page(round_.folder, name) if name != NOBODY else None,
            results=tuple(round_.submitters.get(name, ())),
            findings=tuple(findings.get(name, ())),
            outcomes=tuple(outcomes.get(name, ())),
            outliers=tuple(far.get(name, ())),
        )
        for name in sorted(names, key=lambda name: (name == NOBODY, name.casefold(), name))
    ]


def frequent(round_: Round) -> Sequence[RuleFindings]:
    """Return the rules with the most findings."""
    return sorted(round_.rules, key=lambda rule: -rule.total)[:_FREQUENT]


def _outcomes(round_: Round) -> dict[str, list[Record]]:
    rows = {row["id"]: row for row in round_.rows}
    known = {one["submitter"] for one in round_.systems}
    found: defaultdict[str, list[Record]] = defaultdict(list)
    for outcome in round_.outcomes:
        row = rows.get(outcome["subject"])
        name = row["submitter"] if row else _in_path(outcome["subject"], known)
        found[name].append(outcome | {"row": row})
    return found


def _by_submitter(round_: Round, findings: Sequence[Record]) -> dict[str, list[Record]]:
    """Sort findings by the submitters they are about; one about several stands with each."""
    known = {one["submitter"] for one in round_.systems}
    found: defaultdict[str, list[Record]] = defaultdict(list)
    for finding in findings:
        names = dict.fromkeys(row["submitter"] for row in finding["rows"])
        for name in names or (_in_path(finding["path"], known),):
            found[name].append(finding)
    return dict(sorted(found.items(), key=lambda item: (item[0] == NOBODY, item[0].casefold())))


def _in_path(path: str, known: set[str]) -> str:
    """Return the submitter that a path is of: its folder is the first or the second."""
    return next((part for part in path.split("/")[:2] if part in known), NOBODY)
