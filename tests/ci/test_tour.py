"""The tour through a submission week is run as it is written, and prints what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.trees import EXAMPLES, REPOSITORY, digest

TOUR = (REPOSITORY / "docs/submission-week.md").read_text()
COMMAND = re.compile(r"(?P<line>(?:cat .* \| )?mlcheck .*?)(?:\s+# exits (?P<code>\d))?")
PRINTS = "#> "
BLOCKS = re.findall(r"```sh\n(.*?)```", TOUR, re.DOTALL)


@dataclass(frozen=True)
class Command:
    """A command of mlcheck: how it has to end, and texts that it has to print."""

    line: str
    code: int
    prints: tuple[str, ...]


def steps() -> list[str | Command]:
    """Return the lines of all blocks in their order; a line of mlcheck with what belongs to it."""
    made: list[str | Command] = []
    for block in BLOCKS:
        for line in block.splitlines():
            found = COMMAND.fullmatch(line)
            if line.startswith(PRINTS):
                last = made.pop()
                assert isinstance(last, Command), line
                prints = (*last.prints, line.removeprefix(PRINTS))
                made.append(Command(last.line, last.code, prints))
            else:
                made.append(Command(found["line"], int(found["code"] or 0), ()) if found else line)
    return made


def script(made: list[str | Command]) -> str:
    """Return a script that writes what each command prints into a file with its number."""
    lines = ["set -euo pipefail"]
    for number, step in enumerate(made):
        if isinstance(step, str):
            lines.append(step)
        else:
            lines.append(f'code=0; {{ {step.line}\n}} >"$OUT/{number}" 2>&1 || code=$?')
            lines.append(f'echo "$code" >"$OUT/{number}.code"')
    return "\n".join(lines)


def test_every_command_of_the_tour(scratch: Path) -> None:
    made, out = steps(), scratch / "printed"
    work = scratch / "work"
    out.mkdir()
    work.mkdir()
    before = digest(EXAMPLES / "inference-v5.1-broken")
    ran = subprocess.run(
        ["bash", "-c", script(made)],
        cwd=work,
        capture_output=True,
        text=True,
        check=False,
        env={
            **os.environ,
            "EXAMPLES": str(EXAMPLES),
            "OUT": str(out),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        },
    )
    assert ran.returncode == 0, ran.stderr[-2000:] + ran.stdout[-2000:]
    for number, step in enumerate(made):
        if isinstance(step, str):
            continue
        printed = (out / str(number)).read_text()
        assert int((out / f"{number}.code").read_text()) == step.code, step.line + "\n" + printed
        assert "Traceback" not in printed
        for text in step.prints:
            assert text in printed, step.line + "\n" + printed
    assert digest(EXAMPLES / "inference-v5.1-broken") == before
    assert (work / "site/index.html").is_file()


def test_what_the_tour_says_of_its_commands() -> None:
    commands = [step for step in steps() if isinstance(step, Command)]
    written = re.findall(r"^(?:cat .* \| )?mlcheck ", "".join(BLOCKS), re.MULTILINE)
    assert len(commands) == len(written)
    redirected = (" >", " -o ")  # print into a file, or next to nothing
    for command in commands:
        assert command.prints or any(sign in command.line for sign in redirected), command.line


def test_the_tour_shows_what_there_is() -> None:
    for command in ("verify", "prepare", "init", "explain", "config", "pack", "schema", "rules"):
        assert f"mlcheck {command}" in TOUR
