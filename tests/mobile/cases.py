"""Cases of mobile: the example with edits, and which rules speak up; ``cases.yaml``.

An edit names a file (or several, by glob) and what is done to it:

    {file: PATH, write: TEXT}        {file: PATH, delete: true}       {file: PATH, copy: FROM}
    {file: PATH, move: FROM}         {file: PATH, link: TARGET}       {file: PATH, pipe: true}
    {file: PATH, folder: true}       {file: GLOB, replace: {OLD: NEW}}
    {file: PATH, set: {A.B.0.C: VALUE}}       a member of a JSON document; a number is a place
    {file: PATH, unset: [A.B.0.C]}            take a member away
    {log: GLOB, set: {KEY: VALUE}}            values of keys of a detail log
    {log: GLOB, unset: [KEY]}                 take lines of keys away
    {log: GLOB, error: true}                  mark the last line as an error of LoadGen
    {log: GLOB, last_ms: NUMBER}              LoadGen's clock at the last line
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from tests.trees import EXAMPLES, copy_tree

MARKER = ":::MLLOG "
EXAMPLE = EXAMPLES / "mobile-v5.0"
FILE = Path(__file__).parent / "cases.yaml"


def read() -> dict[str, dict[str, Any]]:
    """Return all cases by name."""
    cases: dict[str, dict[str, Any]] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return cases


def build(case: dict[str, Any], root: Path) -> None:
    """Write the tree of a case to ``root``, which must not exist."""
    copy_tree(EXAMPLE, root)
    for edit in case.get("edits", ()):
        apply(edit, root)


def apply(edit: dict[str, Any], root: Path) -> None:
    """Do one edit."""
    if "log" in edit:
        for path in matching(root, edit["log"]):
            _edit_log(edit, path)
        return
    if "replace" in edit or "set" in edit or "unset" in edit:
        for path in matching(root, edit["file"]):
            _edit_text(edit, path)
        return
    path = root / edit["file"]
    path.parent.mkdir(parents=True, exist_ok=True)
    for name, act in _ACTS.items():
        if name in edit:
            act(edit[name], path, root)


def matching(root: Path, pattern: str) -> list[Path]:
    """Return the files that a glob matches; it has to match one."""
    paths = sorted(root.glob(pattern))
    if not paths:
        raise ValueError(f"nothing matches {pattern}")
    return paths


def _delete(_: object, path: Path, __: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def _copy(source: str, path: Path, root: Path) -> None:
    there = root / source
    if there.is_dir():
        copy_tree(there, path)
    else:
        shutil.copyfile(there, path)


_ACTS: dict[str, Callable[[Any, Path, Path], object]] = {
    "write": lambda text, path, _: path.write_text(text, encoding="utf-8"),
    "delete": _delete,
    "copy": _copy,
    "move": lambda source, path, root: (root / source).rename(path),
    "folder": lambda _, path, __: path.mkdir(parents=True),
    "link": lambda target, path, _: path.symlink_to(target),
    "pipe": lambda _, path, __: os.mkfifo(path),
}


def _edit_text(edit: dict[str, Any], path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for old, new in edit.get("replace", {}).items():
        if old not in text:
            raise ValueError(f"{path.name} does not hold {old}")
        text = text.replace(old, new)
    if "set" in edit or "unset" in edit:
        document = json.loads(text)
        for name, value in edit.get("set", {}).items():
            holder, last = _holder(document, name)
            holder[last] = value
        for name in edit.get("unset", ()):
            holder, last = _holder(document, name)
            del holder[last]
        text = json.dumps(document, indent=2)
    path.write_text(text, encoding="utf-8")


def _holder(document: Any, name: str) -> tuple[Any, Any]:
    *names, last = [int(part) if part.isdigit() else part for part in name.split(".")]
    for each in names:
        document = document[each]
    return document, last


def _edit_log(edit: dict[str, Any], path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    events = [json.loads(line.removeprefix(MARKER)) for line in lines]
    keys = {event["key"] for event in events}
    for name in (*edit.get("set", {}), *edit.get("unset", ())):
        if name not in keys:
            raise ValueError(f"{path.name} has no {name}")
    events = [event for event in events if event["key"] not in edit.get("unset", ())]
    for event in events:
        event["value"] = edit.get("set", {}).get(event["key"], event["value"])
    if edit.get("error"):
        events[-1]["metadata"]["is_error"] = True
    if "last_ms" in edit:
        events[-1]["time_ms"] = edit["last_ms"]
    text = "".join(f"{MARKER}{json.dumps(event)}\n" for event in events)
    path.write_text(text, encoding="utf-8")
