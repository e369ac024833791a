"""The readers of LoadGen's logs, under the name by which inference knows them."""

from mlcheck.loadgen import (
    DetailLog,
    LoggedError,
    SummaryLog,
    read_detail,
    read_summary,
    stray_line,
)

__all__ = ["DetailLog", "LoggedError", "SummaryLog", "read_detail", "read_summary", "stray_line"]
