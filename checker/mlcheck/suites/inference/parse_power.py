"""Read the files of a power measurement into a :class:`PowerFolder`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from mlcheck.documents import document_in, read_text
from mlcheck.power.meter_log import meter_log
from mlcheck.power.samples import SampleLog, sample_log
from mlcheck.power.session import Session, read_session
from mlcheck.power.synchronised import synchronisation
from mlcheck.suites.inference.entry import Digest, PowerFolder, Run
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.power_time import timed_run
from mlcheck.tree import Tree, Unreadable, join

SAMPLES = "spl.txt"
METER_LOG = "ptd_logs.txt"


def read_power(
    tree: Tree,
    facts: Facts,
    path: str,
    measurements_path: str,
    runs: tuple[Run | None, Run | None],
) -> PowerFolder | None:
    """Read what was measured of power in one scenario folder; None: nothing was.

    ``runs`` are the ranging run and the testing run.
    """
    layout, workflow = facts.layout, facts.power.get("workflow")
    folder = tree.folder(join(path, layout["power"]))
    if folder is None or workflow is None:
        return None
    samples_path = join(path, layout["performance"], SAMPLES)
    ranging_path = join(path, layout["ranging"])
    samples = _samples(tree, samples_path)
    ranging_samples = _samples(tree, join(ranging_path, SAMPLES))
    sides = _session(tree, folder.path, "client"), _session(tree, folder.path, "server")
    ranging, testing = runs
    documents = _documents(tree, facts, measurements_path)
    table = documents.get("analyzer_table", ("", 0))[0]
    log_path, has_log = join(folder.path, METER_LOG), METER_LOG in folder.files
    return PowerFolder(
        path=folder.path,
        names=frozenset(folder.files),
        ranging=ranging,
        ranging_path=ranging_path,
        samples=samples,
        samples_path=samples_path,
        ranging_samples=ranging_samples,
        client=sides[0],
        server=sides[1],
        meter_log=meter_log(log_path, tree.read(log_path)) if has_log else None,
        synchronised=tuple(
            synchronisation(join(folder.path, name), tree.read(join(folder.path, name)))
            for name in ("client.log", "server.log")
            if name in folder.files
        ),
        digests=_digests(tree, folder.path.rpartition("/")[0], workflow),
        documents=documents,
        analyzer_table=read_text(tree, table) if table else None,
        ranging_run=timed_run(
            "ranging", ranging.detail if ranging else None, ranging_samples, sides, facts
        ),
        testing_run=timed_run(
            "testing", testing.detail if testing else None, samples, sides, facts
        ),
    )


def _session(tree: Tree, path: str, side: str) -> Session | None:
    document = document_in(tree, path, f"{side}.json")
    return read_session(document, server=side == "server") if document else None


def _samples(tree: Tree, path: str) -> SampleLog | None:
    folder, _, name = path.rpartition("/")
    here = tree.folder(folder)
    return sample_log(path, tree.read(path)) if here and name in here.files else None


def _digests(tree: Tree, home: str, workflow: Mapping[str, Any]) -> dict[str, Digest | None]:
    """Return the hashes of the files that client and server record; None: not there."""
    found: dict[str, Digest | None] = {}
    for name in workflow["hashed"]:
        folder, _, file = join(home, name).rpartition("/")
        here = tree.folder(folder)
        raw = tree.read(join(home, name)) if here and file in here.files else Unreadable("missing")
        found[name] = None if isinstance(raw, Unreadable) else _digest(raw)
    return found


def _digest(raw: bytes) -> Digest:
    unix = raw.replace(b"\r\n", b"\n")
    other = unix.replace(b"\n", b"\r\n") if unix == raw else unix
    return Digest(hashlib.sha1(raw).hexdigest(), hashlib.sha1(other).hexdigest())


def _documents(tree: Tree, facts: Facts, path: str) -> dict[str, tuple[str, int]]:
    """Find analyzer table and power settings, the nearest of each to the measurements."""
    found: dict[str, tuple[str, int]] = {}
    for _ in range(facts.power["document_levels"]):
        folder = tree.folder(path)
        for name, size in sorted(folder.files.items()) if folder else ():
            for prefix in facts.files["power_documents"]:
                if name.startswith(prefix):
                    found.setdefault(prefix, (join(path, name), size))
        path = path.rpartition("/")[0]
    return found
