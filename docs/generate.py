"""Write the pages that are made from rules and schemas: docs/rules/, parity.md, tables.md.

python docs/generate.py            # write
python docs/generate.py --check    # exit 1 if a page differs
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml

from mlcheck.coverage import demands
from mlcheck.normalize.schema import TABLES
from mlcheck.resources import rules_root
from mlcheck.rules import Rule
from mlcheck.ruleset import load, rounds
from mlcheck.suites.registry import SUITES

DOCS = Path(__file__).resolve().parent
CASES = DOCS.parent / "tests" / "cases"
EXPORTS = "exports"  # published files, and what mlcheck export writes
MADE = "<!-- made by docs/generate.py; do not edit -->\n"


def pages() -> Iterator[tuple[Path, str]]:
    """Yield every page and its text."""
    yield DOCS / "rules" / "README.md", rule_index()
    for suite in SUITES.values():
        for area, title in suite.areas.items():
            rules = sorted((r for r in suite.rules if r.id.startswith(area)), key=lambda r: r.id)
            if rules:
                path = DOCS / "rules" / f"{suite.name}-{area}.md"
                yield path, rule_page(suite.name, f"{suite.title}: {title}", rules)
    yield DOCS / "rules" / "coverage.md", coverage()
    yield DOCS / "parity.md", parity()
    yield DOCS / "tables.md", tables()
    yield rules_root() / "examples.csv", examples()


def rule_index() -> str:
    """Return the table of all rules."""
    lines = [MADE, "# Rules", "", "Severity by the policy, and what the official tool does."]
    for suite in SUITES.values():
        newest = load(suite.name, rounds(suite.name)[-1])
        lines += ["", f"## {suite.name} {newest.round}", ""]
        lines += ["| rule | name | policy | official | demands |", "|---|---|---|---|---|"]
        for rule in sorted(suite.rules, key=lambda rule: rule.id):
            weight = newest.weights[rule.id]
            link = f"[{rule.id}]({suite.name}-{rule.id[:3]}.md#{rule.id.lower()}-{rule.name})"
            lines.append(
                f"| {link} | {rule.name} | {weight.severity} | {weight.official} | {rule.summary} |"
            )
    return "\n".join(lines) + "\n"


def rule_page(suite: str, title: str, rules: list[Rule]) -> str:
    """Return one page of explanations."""
    lines = [MADE, f"# {title}"]
    for rule in rules:
        lines += ["", f"## {rule.id} {rule.name}", "", rule.summary, "", f"*Why.* {rule.why}"]
        if rule.official_summary:
            lines += ["", f"*Official tool.* {rule.official_summary}"]
        lines += ["", f"*Fix.* {rule.fix}", "", f"*Policy.* `{rule.policy}`", ""]
        weights = [(name, load(suite, name).weights[rule.id]) for name in rounds(suite)]
        graded = [f"{name} {w.severity}/{w.official}" for name, w in weights]
        lines.append(f"*Policy/official by round.* {', '.join(graded)}")
    return "\n".join(lines) + "\n"


def coverage() -> str:
    """Return the table of what policies demand, by which rule and case it is tested."""
    cases = sorted({path.name for path in CASES.iterdir() if path.is_dir()} | set(in_one_file()))
    lines = [
        MADE,
        "# What the policies demand, and what judges it",
        "",
        "A demand is a sentence of a policy in our words. The cases are small submissions with",
        "one fault (or with something unusual that is none), in `tests/cases/` and in",
        "`tests/SUITE/cases.yaml`.",
    ]
    for suite in SUITES.values():
        lines += ["", f"## {suite.name}", ""]
        lines += ["| demand | policy | rules and cases | beyond files |", "|---|---|---|---|"]
        for demand in demands(suite.name, suite.rules):
            tested = [
                f"{rule.id}: {', '.join(c for c in cases if c.startswith(rule.id))}"
                for rule in demand.rules
            ]
            cells = (demand.text, f"`{demand.policy}`", "<br>".join(tested), demand.beyond_files)
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def in_one_file() -> list[str]:
    """Return the names of the cases of suites that keep them in one file."""
    files = sorted(CASES.parent.glob("*/cases.yaml"))
    return [name for path in files for name in yaml.safe_load(path.read_text(encoding="utf-8"))]


def examples() -> str:
    """Return what mlcheck explain shows as examples: the first case of each rule."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["rule", "about", "finding"])
    found: dict[str, tuple[str, str]] = {}
    for path in sorted(CASES.glob("*/case.yaml")):
        case = yaml.safe_load(path.read_text(encoding="utf-8"))
        rule = path.parent.name.partition("-")[0]
        lines = [line for line in case.get("expect", "").splitlines() if f" {rule} " in line]
        if lines:
            found.setdefault(rule, (case["about"], lines[0]))
    for name in in_one_file():
        rule, _, words = name.partition("-")
        found.setdefault(rule, (words.replace("-", " "), ""))
    known = {rule.id for suite in SUITES.values() for rule in suite.rules}
    table.writerows((rule, *found[rule]) for rule in sorted(found) if rule in known)
    return out.getvalue()


def parity() -> str:
    """Return the explained differences from the official tools."""
    lines = [
        MADE,
        "# Differences from the official tools",
        "",
        "On published rounds mlcheck's official verdict and its values agree with the official",
        "checker of the round, save for these. Where the field is a rule, the official tool does",
        "not do what it says it does, and `official` follows it as its authors meant it.",
    ]
    for suite in (*SUITES, EXPORTS):
        lines += ["", f"## {suite}", "", "| round | path | field | reason |", "|---|---|---|---|"]
        with (rules_root() / suite / "parity.csv").open(encoding="utf-8", newline="") as handle:
            for row in csv.DictReader(handle):
                lines.append(
                    f"| {row['round']} | `{row['path']}` | {row['field']} | {row['reason']} |"
                )
    return "\n".join(lines) + "\n"


def tables() -> str:
    """Return the columns of the normalised tables."""
    lines = [
        MADE,
        "# Normalised tables",
        "",
        "`mlcheck normalize` writes one Parquet file per table. Metadata of each file:",
        "`schema_version`, `suite`, `round`, `ruleset_sha256`, `tool_version`; an export of a",
        "store has also `made_by`, JSON with the last two of each `SUITE ROUND`.",
    ]
    for name, schema in TABLES.items():
        lines += ["", f"## {name}", "", "| column | type | may be null |", "|---|---|---|"]
        for field in schema:
            lines.append(f"| {field.name} | {field.type} | {'yes' if field.nullable else 'no'} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the pages, or compare them."""
    stale = []
    for path, text in pages():
        if "--check" in sys.argv:
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                stale.append(path)
            continue
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for path in stale:
        print(f"{path.relative_to(DOCS.parent)} is stale: run python docs/generate.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
