"""Names of files: readable, short, the same on every file system, whatever a submitter wrote."""

from __future__ import annotations

import hashlib
import re
import unicodedata

LONGEST = 40  # characters of the readable part
_OTHER = re.compile(r"[^a-z0-9]+")
_ID = re.compile(r"[0-9a-f]{4,64}")


def slug(*parts: str | None) -> str:
    """Return a name of lower-case letters, digits and hyphens that stands for `parts`.

    The readable part is cut; the hash of the whole tells names apart that read alike, and keeps a
    name the same from build to build.
    """
    whole = "\0".join(part or "" for part in parts)
    return "-".join(filter(None, (_readable(parts), digest(whole))))


def digest(text: str) -> str:
    """Return eight hexadecimal digits that stand for a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def result_name(id_: str) -> str:
    """Return the file name of a result: its id if that is a plain one."""
    return id_ if _ID.fullmatch(id_) else slug(id_)


def _readable(parts: tuple[str | None, ...]) -> str:
    text = unicodedata.normalize("NFKD", " ".join(filter(None, parts))[: 4 * LONGEST])
    plain = _OTHER.sub("-", text.encode("ascii", "ignore").decode().lower())
    return plain[:LONGEST].strip("-")
