"""The job summary: the verdict first, everything escaped, never too long."""

from __future__ import annotations

from dataclasses import replace

from mlcheck.model import Report, Waiver
from mlcheck.output.markdown import LARGEST, code, markdown_report, text
from mlcheck.output.summary import Gate
from tests.output.reports import HOSTILE, finding


def test_the_broken_example(broken: Report) -> None:
    made = markdown_report(broken)
    assert made.startswith("## ❌ mlcheck, inference v5.1: fails\n")
    for one in broken.findings:
        assert f"{one.rule} {one.name}" in made
    assert "| valid results | 0 of 6 | 0 of 6 |" in made
    assert "<summary>6 results not valid</summary>" in made


def test_the_clean_example(clean: Report) -> None:
    made = markdown_report(clean, gate=Gate.OFFICIAL)
    assert made.startswith("## ✅ mlcheck, inference v5.1: passes\n")
    assert "No findings. Gate: official." in made


def test_hostile_texts_stay_in_their_cells(hostile: Report) -> None:
    made = markdown_report(hostile)
    assert "\x1b" not in made
    assert "<b>" not in made
    assert "@you" not in made
    tables = [line for line in made.splitlines() if line.startswith("| ")]
    columns = {line.replace(r"\|", "").count("|") for line in tables}
    assert columns <= {4, 5, 6}
    assert made.encode()


def test_the_escapes() -> None:
    assert text("a|b*c<d>&@e") == r"a\|b\*c\<d\>&amp;@" + "\N{ZERO WIDTH NON-JOINER}e"
    assert "`" not in code(HOSTILE)
    assert "|" not in code(HOSTILE)


def test_waivers_are_listed(clean: Report) -> None:
    waiver = Waiver(rule="INF103", path="a/**", reason="why", approver="who", expires="2030-01-01")
    made = markdown_report(replace(clean, waivers=(waiver,)))
    assert "| INF103 | <code>a/&#42;&#42;</code> | why \\(who, until 2030-01-01\\) | 0 |" in made


def test_it_never_grows_too_long(clean: Report) -> None:
    huge = tuple(
        finding(id=str(n), rule=f"INF{n:03}", message="é" * 20_000, path=f"p{n}") for n in range(60)
    )
    made = markdown_report(replace(clean, findings=huge))
    assert len(made.encode()) <= LARGEST + 100
    assert made.rstrip().endswith("it is too long for a summary.")
