"""YAML written by strangers: bytes -> a plain mapping with the line of every member, or why not.

YAML can do more than a settings file needs: tags that ask for objects, nesting that a recursive
reader does not survive, and names for parts that are repeated, of which nine lines make a billion
values. The first two are refused before anything is built. Repeated parts are counted as if they
were written out, and refused if they are too many or hold themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

from mlcheck.documents import Document
from mlcheck.tree import Tree, Unreadable

LARGEST_YAML = 1 << 19  # bytes; settings are a few KiB, and YAML is slow to read
DEEPEST = 50  # levels; settings have five
MOST = 100_000  # values, with repeated parts written out


class _TooMuchError(Exception):
    """A document that nobody needs to write."""


_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml_document(tree: Tree, path: str) -> Document:
    """Read a YAML mapping. Never raises, whatever the bytes."""
    raw = tree.read(path, LARGEST_YAML)
    if isinstance(raw, Unreadable):
        return Document(path=path, problem=raw.reason)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as err:
        line = raw.count(b"\n", 0, err.start) + 1
        return Document(path=path, problem=f"not UTF-8 at byte {err.start}", line=line)
    try:
        refused = _refused(text)
        if refused:
            return Document(path=path, text=text, problem=refused[1], line=refused[0])
        return _built(path, text)
    except _TooMuchError as err:
        return Document(path=path, text=text, problem=str(err))
    except yaml.YAMLError as err:
        mark = getattr(err, "problem_mark", None)
        reason = str(getattr(err, "problem", None) or "not YAML")[:100]
        return Document(path=path, text=text, problem=reason, line=mark.line + 1 if mark else 0)
    except (ValueError, TypeError, ArithmeticError, RecursionError) as err:
        return Document(path=path, text=text, problem=str(err)[:100])  # such as a 13th month


def _refused(text: str) -> tuple[int, str] | None:
    """Return line and name of the first thing that settings do not need; None: there is none."""
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        line = event.start_mark.line + 1 if event.start_mark else 0
        if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            depth += 1
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            depth -= 1
        if depth > DEEPEST:
            return line, f"nested deeper than {DEEPEST} levels"
        if isinstance(event, yaml.NodeEvent) and getattr(event, "tag", None):
            return line, "a tag, which is not read"
    return None


def _built(path: str, text: str) -> Document:
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        if node:
            _measured(node, {}, set())
        value = loader.construct_document(node) if node else None
    finally:
        loader.dispose()
    if not isinstance(value, dict):
        kind = "empty" if value is None else f"a {type(value).__name__}, not a mapping"
        return Document(path=path, text=text, problem=kind, line=0 if value is None else 1)
    return Document(path=path, text=text, fields=value, lines=dict(_lines(node, ())))


def _measured(
    node: yaml.Node, known: dict[int, tuple[int, int]], open_: set[int]
) -> tuple[int, int]:
    """Return number of values and depth of a node, with repeated parts written out.

    Raises:
        _TooMuchError: it is too large or too deep, or holds itself.
    """
    if id(node) in open_:
        raise _TooMuchError("an alias of a part that it stands in")
    if id(node) not in known:
        open_.add(id(node))
        inner = [_measured(child, known, open_) for child in _children(node)]
        open_.discard(id(node))
        size = 1 + sum(size for size, _ in inner)
        depth = 1 + max((depth for _, depth in inner), default=0)
        if size > MOST or depth > DEEPEST + 1:
            raise _TooMuchError(
                f"more than {MOST} values or {DEEPEST} levels, with aliases written out"
            )
        known[id(node)] = size, depth
    return known[id(node)]


def _children(node: yaml.Node) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.SequenceNode):
        yield from node.value
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from (key, value)


def _lines(node: Any, names: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], int]]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                inner = (*names, key.value)
                yield inner, key.start_mark.line + 1
                yield from _lines(value, inner)
