"""Steps for a tree of any suite: what never belongs there, and names that break scripts."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator

from mlcheck.prepare.plan import Content, Plan, Step, facts
from mlcheck.tree import Folder, Tree, join


def tidied(tree: Tree, submitter: str | None) -> Plan:
    """Return the plan of a tree without what never belongs there.

    Empty folders are not copied; links out of the tree, or to nothing, are left out.
    """
    files: dict[str, Content] = {}
    steps: list[Step] = []
    for folder in _folders(tree):
        if folder.empty:
            steps.append(Step(kind="drop", path=folder.path, why="empty folder"))
        for name in folder.special:
            steps.append(Step(kind="drop", path=join(folder.path, name), why="not a file"))
        for name, kind in folder.links.items():
            why = f"link: {kind}"
            steps.append(Step(kind="drop", path=join(folder.path, name), why=why))
        for name in folder.files:
            path = join(folder.path, name)
            if _is_dropped(name):
                steps.append(Step(kind="drop", path=path, why="a file of tools"))
            else:
                files[path] = Content(origin=path, link=folder.texts.get(name))
        for name in folder.folders:
            if name in folder.linked:
                path = join(folder.path, name)
                files[path] = Content(origin=path, link=folder.texts[name])
            elif _is_dropped_folder(name):
                steps.append(
                    Step(kind="drop", path=join(folder.path, name), why="a folder of tools")
                )
    if submitter:
        files = {path: made for path, made in files.items() if submitter in path.split("/")[:2]}
        steps = [step for step in steps if submitter in step.path.split("/")[:2]]
    return Plan(files, tuple(steps))


def _folders(tree: Tree) -> Iterator[Folder]:
    waiting = [""]
    while waiting:
        here = tree.folder(waiting.pop())
        if here is None:
            continue
        yield here
        inside = (name for name in reversed(here.folders) if name not in here.linked)
        waiting += [join(here.path, name) for name in inside if not _is_dropped_folder(name)]


def _is_dropped(name: str) -> bool:
    return any(fnmatch.fnmatchcase(name, glob) for glob in facts()["drop"]["files"])


def _is_dropped_folder(name: str) -> bool:
    return any(fnmatch.fnmatchcase(name, glob) for glob in facts()["drop"]["folders"])


def without_spaces(plan: Plan) -> Plan:
    """Return a plan whose names hold no spaces, where that makes no two names one."""
    files: dict[str, Content] = {}
    steps: list[Step] = []
    left: list[str] = []
    taken = set(plan.files)
    for path, content in plan.files.items():
        better = path.replace(" ", "_")
        if better == path:
            files[path] = content
        elif better in taken:
            left.append(f"{path}: {better} is there already")
            files[path] = content
        else:
            files[better] = content
            taken.add(better)
            steps.append(Step(kind="rename", path=better, origin=path, why="a space in its name"))
    return Plan(files, (*plan.steps, *steps), (*plan.left, *left))
