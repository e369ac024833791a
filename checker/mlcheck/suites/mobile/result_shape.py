"""What of a result file is not as its schema says."""

from __future__ import annotations

import functools
import re
from typing import Any

from mlcheck import resources
from mlcheck.suites.mobile.record import Misshapen

FLAT, LISTED, DOCUMENT = "flat", "listed", "document"
SCHEMAS = {FLAT: "mobile-result-flat", LISTED: "mobile-result-listed", DOCUMENT: "mobile-result"}
MOST_FLAWS = 20  # of the shape of one file
MOST_RECORDS = 500  # of one session, which has a dozen; more are not read


def misshapen(document: Any, form: str, records: int) -> tuple[Misshapen, ...]:
    """Return the first places where a document of one of the forms differs from its schema.

    Args:
        document: with no more records than are read.
        form: of the file.
        records: how many the file has.
    """
    found: list[Misshapen] = []
    if records > MOST_RECORDS:
        said = f"{records:,} records, of which {MOST_RECORDS} are read"
        found.append(Misshapen("results", said))
    for problem in _validator(SCHEMAS[form]).iter_errors(document):
        place = re.sub(r"\[\d+\]", "[]", str(problem.json_path)).removeprefix("$").strip(".")
        wanted = _wanted(problem)
        if all((each.place, each.message) != (place, wanted) for each in found):
            found.append(Misshapen(place, wanted))
        if len(found) == MOST_FLAWS:
            break
    return tuple(found)


def _wanted(problem: Any) -> str:
    if problem.validator == "required":
        missing = [name for name in problem.validator_value if name not in problem.instance]
        return f"{', '.join(missing)} is missing"
    if problem.validator == "type":
        kinds = problem.validator_value
        return f"not {kinds if isinstance(kinds, str) else ' or '.join(kinds)}"
    return f"not as {problem.validator} asks for"


@functools.cache
def _validator(schema: str) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(resources.schema(schema))
