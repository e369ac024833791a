"""Checks that a submitter asks to leave out, with the reason that is stated for it.

``package_checker_params`` has no place for a reason. The official tool looks for lines that are
exactly one of its words, and passes over all others: a line that begins with ``#`` states one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mlcheck.documents import Text
from mlcheck.suites.training.facts import Facts

COMMENT = "#"


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """A check that is to be left out.

    Attributes:
        word: that asks for it. ``check``: what is left out, rcp or seeds.
        reason: as stated in the same file; None: none is.
        heeded: the official tool acts on it: the word is all of the last line, which does not end.
    """

    path: str
    line: int
    word: str
    check: str
    reason: str | None
    heeded: bool


def waivers(texts: Iterable[Text], facts: Facts) -> Iterator[Waiver]:
    """Yield the checks that files of parameters ask to leave out."""
    for text in texts:
        said = [line.strip().lstrip(COMMENT).strip() for line in text.lines if is_reason(line)]
        reason = " ".join(filter(None, said))[:200] or None
        for number, line in text.numbered():
            word = line.strip()
            if word in facts.parameters:
                yield Waiver(
                    path=text.path,
                    line=number,
                    word=word,
                    check=facts.parameters[word],
                    reason=reason,
                    heeded=number == len(text.lines) and word in facts.heeded and line == word,
                )


def is_reason(line: str) -> bool:
    """Tell whether a line states a reason instead of a parameter."""
    return line.strip().startswith(COMMENT)
