"""Cases of training: the example with edits, and which rules speak up; ``cases.yaml``.

An edit names a file (or logs, by glob) and what is done to it:

    {file: PATH, write: TEXT}            {file: PATH, delete: true}      {file: PATH, copy: FROM}
    {file: PATH, folder: true}           {file: PATH, link: TARGET}      {file: PATH, pipe: true}
    {file: PATH, json: {NAME: VALUE}}    {file: PATH, drop: [NAME]}      {file: PATH, move: FROM}
    {log: GLOB, key: KEY, set: {…}}      lines of a key; `first: true`, `last: true`: one of them
    {log: GLOB, key: KEY, remove: true}  {log: GLOB, key: KEY, again: {…}}: once more, changed
    {log: GLOB, key: KEY, tear: true}    {log: GLOB, append: TEXT}       {log: GLOB, encode: NAME}
    {log: GLOB, key: KEY, to_end: true}  {log: GLOB, key: KEY, without: [FIELD]}
    {log: GLOB, key: KEY, slice: [FROM, TO, STEP], …}: some of the lines

In `set` and `again`, `metadata.NAME` is a field of the metadata, `time_ms` is added to what is
there; `shift: N` is added to a number of the metadata that counts samples or epochs.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml

from tests.trees import EXAMPLES

MARKER = ":::MLLOG "
EXAMPLE = EXAMPLES / "training-v5.1"
FILE = Path(__file__).parent / "cases.yaml"
HOME = "Acme/results/acme-a1x8"


def read() -> dict[str, dict[str, Any]]:
    """Return all cases by name."""
    cases: dict[str, dict[str, Any]] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return cases


def build(case: dict[str, Any], root: Path) -> None:
    """Write the tree of a case to ``root``, which must not exist."""
    shutil.copytree(EXAMPLE, root)
    for edit in case.get("edits", ()):
        apply(edit, root)


def apply(edit: dict[str, Any], root: Path) -> None:
    """Do one edit."""
    if "log" in edit:
        paths = sorted(root.glob(edit["log"]))
        if not paths:
            raise ValueError(f"no log matches {edit['log']}")
        for path in paths:
            _edit_log(edit, path)
        return
    path = root / edit["file"]
    path.parent.mkdir(parents=True, exist_ok=True)
    for name, act in _ACTS.items():
        if name in edit:
            act(edit[name], path, root)


def _delete(_: object, path: Path, __: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def _copy(source: str, path: Path, root: Path) -> None:
    there = root / source
    if there.is_dir():
        shutil.copytree(there, path, dirs_exist_ok=True)
    else:
        shutil.copyfile(there, path)


def _json(values: dict[str, Any], path: Path, _: Path) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}, indent=1))


def _drop(names: list[str], path: Path, _: Path) -> None:
    fields = json.loads(path.read_text())
    path.write_text(json.dumps({n: v for n, v in fields.items() if n not in names}, indent=1))


_ACTS: dict[str, Callable[[Any, Path, Path], object]] = {
    "write": lambda text, path, _: path.write_text(text),
    "delete": _delete,
    "copy": _copy,
    "move": lambda source, path, root: (root / source).rename(path),
    "folder": lambda _, path, __: path.mkdir(parents=True),
    "link": lambda target, path, _: path.symlink_to(target),
    "pipe": lambda _, path, __: os.mkfifo(path),
    "grow": lambda size, path, _: os.truncate(path, size),
    "json": _json,
    "drop": _drop,
}


def _edit_log(edit: dict[str, Any], path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if "append" in edit:
        path.write_text(text + edit["append"], encoding="utf-8")
    elif "encode" in edit:
        path.write_bytes(text.encode(edit["encode"]))
    else:
        path.write_text("".join(_lines(edit, text)), encoding="utf-8")


def _lines(edit: dict[str, Any], text: str) -> Iterator[str]:
    lines = text.splitlines(keepends=True)
    chosen = [n for n, line in enumerate(lines) if f'"key": "{edit["key"]}"' in line]
    if not chosen:
        raise ValueError(f"no line of {edit['key']}")
    chosen = chosen[:1] if edit.get("first") else chosen[-1:] if edit.get("last") else chosen
    chosen = chosen[slice(*edit["slice"])] if "slice" in edit else chosen
    moved: list[str] = []
    for number, line in enumerate(lines):
        if number not in chosen:
            yield line
        elif "set" in edit or "without" in edit:
            yield changed(line, edit.get("set", {}), edit.get("without", ()))
        elif "again" in edit:
            yield line
            yield changed(line, edit["again"])
        elif "tear" in edit:
            yield line.replace("{", "{{", 1)
        elif "to_end" in edit:
            moved.append(line)
    yield from moved


def changed(line: str, values: dict[str, Any], without: Any = ()) -> str:
    """Return a line of a log with other values."""
    head, _, payload = line.partition(MARKER)
    event = json.loads(payload)
    for name, value in values.items():
        if name.startswith("metadata."):
            event["metadata"][name.removeprefix("metadata.")] = value
        elif name == "time_ms" and isinstance(value, int):
            event[name] += value
        else:
            event[name] = value
    for name in without:
        holder = event["metadata"] if name.startswith("metadata.") else event
        del holder[name.removeprefix("metadata.")]
    return f"{head}{MARKER}{json.dumps(event)}\n"
