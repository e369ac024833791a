"""Holds documents against schemas as ``mlcheck schema export`` prints them."""

from __future__ import annotations

import json
from typing import Any

from jsonschema import Draft202012Validator

from tests.command_line import PASS, run


def require_fit(name: str, document: Any) -> None:
    """Fail unless a document is as the exported schema says."""
    exported = run("schema", "export", name)
    assert exported.exit_code == PASS, exported.output
    Draft202012Validator(json.loads(exported.stdout)).validate(document)
