"""Files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mlcheck.output.write import write_whole


def test_a_file_is_replaced(scratch: Path) -> None:
    file = scratch / "out"
    file.write_text("before")
    file.chmod(0o640)
    write_whole(file, "after \udcff")
    assert file.read_text() == "after \\udcff"
    assert file.stat().st_mode & 0o777 == 0o640
    assert os.listdir(scratch) == ["out"]


def test_a_link_stays_a_link(scratch: Path) -> None:
    (scratch / "real").write_text("before")
    (scratch / "link").symlink_to("real")
    write_whole(scratch / "link", "after")
    assert (scratch / "link").is_symlink()
    assert (scratch / "real").read_text() == "after"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_said(scratch: Path) -> None:
    with pytest.raises(OSError, match="No space left"):
        write_whole(Path("/dev/full"), "text")


def test_what_fails_in_the_middle_leaves_nothing(
    scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = scratch / "out"
    file.write_text("before")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(file, "after")
    assert file.read_text() == "before"
    assert os.listdir(scratch) == ["out"]
