"""Lines on a terminal: what is too long is folded, and paths stay whole."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

from mlcheck.output.terminal import folded
from mlcheck.output.text import Line
from tests.trees import EXAMPLES


def texts(*lines: str, width: int = 40) -> list[str]:
    return [line.text for line in folded([Line(line, "dim") for line in lines], width)]


def test_what_fits_is_as_it_was() -> None:
    assert texts("", "  short", "x" * 40) == ["", "  short", "x" * 40]


def test_what_follows_is_indented() -> None:
    assert texts("    one two three four five six seven eight nine") == [
        "    one two three four five six seven",
        "      eight nine",
    ]


def test_paths_stay_whole() -> None:
    path = "closed/Acme-Labs/results/" + "a-b/" * 20 + "log.txt:12"
    assert texts(f"  {path}") == [f"  {path}"]
    assert texts(f"    -> add {path}, or move it") == [
        "    -> add",
        f"      {path},",
        "      or move it",
    ]


def test_the_style_stays() -> None:
    assert {line.style for line in folded([Line("word " * 20, "error")], 40)} == {"error"}


def test_on_a_terminal_and_elsewhere() -> None:
    command = [sys.executable, "-m", "mlcheck", "verify", str(EXAMPLES / "inference-v5.1-broken")]
    environment = {**os.environ, "COLUMNS": "72", "NO_COLOR": "1"}
    long = "TEST04 runs at another speed than the result: expected < 1.1 times as fast, found"
    plain = subprocess.run(command, capture_output=True, check=False, env=environment)
    assert long in plain.stdout.decode()
    above, below = pty.openpty()
    with subprocess.Popen(
        command, stdout=below, stderr=subprocess.DEVNULL, env=environment
    ) as shown:
        os.close(below)
        text = b""
        while chunk := _read(above):
            text += chunk
    os.close(above)
    assert shown.returncode == plain.returncode
    assert long not in text.decode()
    assert " ".join(text.decode().split()) == " ".join(plain.stdout.decode().split())


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # how Linux says that the other side is closed
        return b""
