"""The report as text, on paper and on a terminal."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mlcheck import __version__
from mlcheck.model import Finding, Official, Report, Severity
from mlcheck.output.terminal import print_lines
from mlcheck.output.text import Line, printable, text_report
from tests.trees import verified


def text(report: Report, *, verbose: bool = False) -> str:
    lines = (line.text for line in text_report(report, verbose=verbose))
    return "".join(f"{line}\n" for line in lines).replace(__version__, "VERSION")


def finding(**changes: Any) -> Finding:
    made = Finding(
        id="1",
        rule="INF001",
        name="name",
        severity=Severity.ERROR,
        official=Official.ERROR,
        path="closed/Acme/results/box/bench/Offline",
        line=0,
        message="message",
        expected=None,
        actual=None,
        hint=None,
        policy="",
        results=(),
        voids=True,
    )
    return replace(made, **changes)


@pytest.mark.parametrize("verbose", [False, True], ids=["short", "verbose"])
def test_the_broken_example(
    broken_example: Path, golden: Callable[[str, str], None], verbose: bool
) -> None:
    name = f"inference-v5.1-broken{'-verbose' if verbose else ''}.txt"
    golden(name, text(verified(broken_example), verbose=verbose))


def test_the_clean_example(example: Path, golden: Callable[[str, str], None]) -> None:
    golden("inference-v5.1.txt", text(verified(example)))


def test_nothing_to_check(scratch: Path) -> None:
    (scratch / "closed").mkdir()
    assert text(verified(scratch)).endswith("NOTHING TO CHECK: no results were found\n")


def test_every_finding_is_shown_with_verbose(broken_example: Path) -> None:
    report = verified(broken_example)
    shown = text(report, verbose=True)
    for one in report.findings:
        assert f"{one.path}:{one.line}: " in shown if one.line else f"{one.path}: " in shown


def test_the_first_screen_stays_a_screen(example: Path) -> None:
    many = tuple(
        finding(rule=f"INF{rule:03}", path=f"closed/Acme/results/{place}/b/Offline")
        for rule in range(40)
        for place in range(30)
    )
    report = replace(verified(example), findings=many)
    shown = text(report)
    assert len(shown.splitlines()) <= 55
    assert "--verbose shows everything" in shown
    assert "30 places" in shown


HOSTILE = "name\x1b[31m\r\n\x07\N{RIGHT-TO-LEFT OVERRIDE}\udcff\u2028end"


def test_hostile_text_is_shown_and_not_obeyed(example: Path) -> None:
    texts = dict.fromkeys(("message", "expected", "hint"), HOSTILE)
    made = finding(path=f"closed/{HOSTILE}/x", actual=f"other {HOSTILE}", **texts)
    report = replace(verified(example), findings=(made,), root=HOSTILE)
    for verbose in (False, True):
        shown = text(report, verbose=verbose)
        assert all(char.isprintable() for char in shown.replace("\n", ""))
        assert r"name\x1b[31m\r\n\x07\u202e" in shown
        shown.encode()


@pytest.mark.parametrize(
    ("raw", "shown"),
    [("plain é Ω", "plain é Ω"), ("\x1b[0m", r"\x1b[0m"), ("a\nb", r"a\nb"), ("\udcff", r"\udcff")],
)
def test_printable(raw: str, shown: str) -> None:
    assert printable(raw) == shown


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


LINES = (Line("error INF001", "error"), Line("[bold] closed/A/[x]", "dim"), Line(""))


def test_plain_where_there_is_no_terminal() -> None:
    paper = io.StringIO()
    print_lines(LINES, paper)
    assert paper.getvalue() == "error INF001\n[bold] closed/A/[x]\n\n"


def test_colour_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    terminal = Terminal()
    print_lines(LINES, terminal)
    assert "\x1b[" in terminal.getvalue()
    assert "[bold] closed/A/[x]" in terminal.getvalue()


def test_no_colour_if_asked_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    terminal = Terminal()
    print_lines(LINES, terminal)
    assert "\x1b" not in terminal.getvalue()
