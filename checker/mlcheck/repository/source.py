"""Which repository and commit a tree was checked out from, read from its ``.git`` without git.

A configuration of git can run programs, and the tree comes from strangers.
"""

from __future__ import annotations

import configparser
import re
from dataclasses import dataclass

from mlcheck.tree import Tree, Unreadable

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_LARGEST = 1 << 20
_CREDENTIALS = re.compile(r"(?<=://)[^/@]+@")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a tree comes from. None: it does not say."""

    repository: str | None
    commit: str | None


def source_of(tree: Tree) -> Source:
    """Return repository and commit of a checkout; a tree that is none says nothing."""
    return Source(_repository(tree), _commit(tree))


def _text(tree: Tree, path: str) -> str:
    home, _, name = path.rpartition("/")
    folder = tree.folder(home)
    if folder is None or name not in folder.files:
        return ""
    raw = tree.read(path, _LARGEST)
    return "" if isinstance(raw, Unreadable) else raw.decode("utf-8", "replace")


def _commit(tree: Tree) -> str | None:
    head = _text(tree, ".git/HEAD").strip()
    reference = head.removeprefix("ref:").strip() if head.startswith("ref:") else None
    if reference is None:
        return head if _COMMIT.fullmatch(head) else None
    if not re.fullmatch(r"refs/[\w./-]+", reference) or ".." in reference:
        return None
    loose = _text(tree, f".git/{reference}").strip()
    if _COMMIT.fullmatch(loose):
        return loose
    for line in _text(tree, ".git/packed-refs").splitlines():
        commit, _, name = line.partition(" ")
        if name == reference and _COMMIT.fullmatch(commit):
            return commit
    return None


def _repository(tree: Tree) -> str | None:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(_text(tree, ".git/config"))
    except configparser.Error:
        return None
    for section in ('remote "origin"', *parser.sections()):
        if section.startswith("remote ") and parser.has_option(section, "url"):
            return _CREDENTIALS.sub("", parser.get(section, "url")) or None
    return None
