"""The tour through a submission week is run as it is written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.trees import EXAMPLES, REPOSITORY, digest

TOUR = (REPOSITORY / "docs/submission-week.md").read_text()


def commands() -> str:
    """Return one script: a line that says ``# exits N`` has to end so, all others with 0."""
    lines = []
    for block in re.findall(r"```sh\n(.*?)```", TOUR, re.DOTALL):
        for line in block.splitlines():
            told = re.search(r"^(mlcheck .*?)\s+# exits (\d)$", line)
            lines.append(f"expect {told[2]} {told[1]}" if told else line)
    return "\n".join(lines)


def test_every_command_of_the_tour(scratch: Path) -> None:
    script = (
        "set -euo pipefail\n"
        'expect() { local want=$1 code=0; shift; "$@" || code=$?; '
        'if ((code != want)); then echo "exits $code, not $want: $*" >&2; exit 99; fi; }\n'
        + commands()
    )
    before = digest(EXAMPLES / "inference-v5.1-broken")
    made = subprocess.run(
        ["bash", "-c", script],
        cwd=scratch,
        capture_output=True,
        text=True,
        check=False,
        env={
            **os.environ,
            "EXAMPLES": str(EXAMPLES),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        },
    )
    assert made.returncode == 0, made.stderr[-2000:] + made.stdout[-2000:]
    assert "Traceback" not in made.stderr
    assert digest(EXAMPLES / "inference-v5.1-broken") == before
    assert (scratch / "site/index.html").is_file()


def test_the_tour_shows_what_there_is() -> None:
    for command in ("verify", "prepare", "init", "explain", "config", "pack", "schema", "rules"):
        assert f"mlcheck {command}" in TOUR
