"""Read the files of a power measurement into a :class:`PowerFolder`."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from mlcheck.documents import Document, document_in
from mlcheck.suites.inference.entry import PowerFolder, Run
from mlcheck.suites.inference.facts import Facts
from mlcheck.suites.inference.power_log import samples_of
from mlcheck.tree import Tree, Unreadable, join

LARGEST_ZONE_S = 24 * 3600


def read_power(
    tree: Tree, facts: Facts, path: str, measurements_path: str, ranging: Run | None
) -> PowerFolder | None:
    """Read what was measured of power in one scenario folder; None: nothing was."""
    layout = facts.layout
    folder = tree.folder(join(path, layout["power"]))
    if folder is None:
        return None
    samples_path = join(path, layout["performance"], "spl.txt")
    run = tree.folder(join(path, layout["performance"]))
    has_samples = run is not None and "spl.txt" in run.files
    server = document_in(tree, folder.path, "server.json")
    raw = tree.read(samples_path) if has_samples else Unreadable("missing")
    return PowerFolder(
        path=folder.path,
        names=frozenset(folder.files),
        ranging=ranging,
        ranging_path=join(path, layout["ranging"]),
        samples=samples_of(samples_path, raw) if has_samples else None,
        samples_path=samples_path,
        checksums=server,
        clock_offset=_clock_offset(document_in(tree, folder.path, "client.json"), server, facts),
        sample_digest=None if isinstance(raw, Unreadable) else _sha1(raw),
        crlf_digest=None if isinstance(raw, Unreadable) else _sha1(raw.replace(b"\n", b"\r\n")),
        documents=_documents(tree, facts, measurements_path),
    )


def _clock_offset(client: Document | None, server: Document | None, facts: Facts) -> timedelta:
    """Return how far the clock of the meter's host is ahead, where logs hold local times."""
    if facts.power["clock"] != "local" or client is None or server is None:
        return timedelta()
    return timedelta(seconds=_zone(client) - _zone(server))


def _zone(document: Document) -> float:
    """Return the time zone of a log in seconds; 0 if it names none that there can be."""
    zone = document.fields.get("timezone")
    if isinstance(zone, (int, float)) and abs(zone) <= LARGEST_ZONE_S:
        return zone
    return 0


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


def _sha1(raw: bytes) -> str:
    return hashlib.sha1(raw).hexdigest()
