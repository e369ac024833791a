"""Small changes to a tree of files, each of which insists on finding what it changes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from makers.inference.tree import Tree

Edit = Callable[[Tree], None]


def replace(path: str, pattern: str, new: str) -> Edit:
    """Put ``new`` where the pattern matches, which it has to do once; ``^`` starts a line."""
    compiled = re.compile(pattern, re.MULTILINE)

    def edit(tree: Tree) -> None:
        tree[path], count = compiled.subn(new, tree[path])
        if count != 1:
            raise ValueError(f"{path}: {pattern} matches {count} times")

    return edit


def log_value(path: str, key: str, value: str) -> Edit:
    """Give a key of a detail log another value, written as in JSON."""
    return replace(
        path, rf'("key": "{re.escape(key)}", "value": ).*?(, "time_ms")', rf"\g<1>{value}\g<2>"
    )


def delete(*paths: str) -> Edit:
    """Remove files or folders."""

    def edit(tree: Tree) -> None:
        for path in paths:
            gone = [name for name in tree if name == path or name.startswith(f"{path}/")]
            if not gone:
                raise ValueError(f"{path} is not there")
            for name in gone:
                del tree[name]

    return edit


def write(folder: str, files: Callable[[], Tree]) -> Edit:
    """Write files into a folder, over those that are there."""

    def edit(tree: Tree) -> None:
        tree.update({f"{folder}/{name}": text for name, text in files().items()})

    return edit


def copied_json(path: str, target: str, **changes: str | int) -> Edit:
    """Copy a JSON document and change fields of the copy; path and target may be the same."""

    def edit(tree: Tree) -> None:
        document = json.loads(tree[path]) | changes
        tree[target] = json.dumps(document, indent=2, sort_keys=True) + "\n"

    return edit


def error_event(path: str, key: str, message: str, source: tuple[str, int]) -> Edit:
    """Add an error of LoadGen to a detail log, before the results, and count it."""

    def edit(tree: Tree) -> None:
        lines = tree[path].splitlines(keepends=True)
        at = next(i for i, line in enumerate(lines) if '"key": "requested_scenario"' in line)
        line = re.sub(
            r'"key": ".*?", "value": ".*?"', f'"key": "{key}", "value": "{message}"', lines[at]
        )
        line = line.replace('"is_error": false', '"is_error": true')
        line = re.sub(
            r'"file": ".*?", "line_no": \d+', f'"file": "{source[0]}", "line_no": {source[1]}', line
        )
        tree[path] = "".join([*lines[:at], line, *lines[at:]])
        log_value(path, "num_errors", "1")(tree)

    return edit
