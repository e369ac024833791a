"""The closed vocabulary in which a round says what a log line has to look like.

A rule file names predicates and their parameters; what they mean is written in the modules that
are put together here, once, in typed code. There is no expression language: a new kind of condition
is a new function with a name, and a name that does not exist is an error of the rule file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlcheck.overlay import RulesetError
from mlcheck.suites.training.formulas import FORMULAS
from mlcheck.suites.training.metadata_predicates import METADATA
from mlcheck.suites.training.order_predicates import ORDER
from mlcheck.suites.training.predicate import Predicate
from mlcheck.suites.training.quality_predicates import QUALITY
from mlcheck.suites.training.sequence_predicates import SEQUENCES
from mlcheck.suites.training.value_predicates import VALUES

VOCABULARY: dict[str, Callable[[Any], Predicate]] = {
    **VALUES,
    **QUALITY,
    **METADATA,
    **ORDER,
    **SEQUENCES,
    **FORMULAS,
}


def predicate(name: str, parameter: Any) -> Predicate:
    """Return a predicate by its name in a rule file.

    Raises:
        RulesetError: there is none of that name.
    """
    if name not in VOCABULARY:
        raise RulesetError(f"no predicate {name}; known: {', '.join(sorted(VOCABULARY))}")
    return VOCABULARY[name](parameter)
