"""A store of results as Delta tables: several tables change as one, or not at all.

Every table but ``submissions`` is only appended to, under an id of the ingest that nobody else
uses. What makes an ingest visible is one commit of ``submissions``, made last and only if nobody
else has committed since it was read; else it is read again and tried again. A process that dies
before leaves rows that no reader counts.
"""

from __future__ import annotations

import math
import os
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlcheck.repository.errors import StoreError
from mlcheck.repository.extras import need

if TYPE_CHECKING:
    import pyarrow as pa

SUBMISSIONS = "submissions"
PARTITION = ("suite", "round")
_UNFIT = re.compile(r"[\[\]|^\\]|%[0-9A-Fa-f]{2}")  # delta-rs fails on these
_TRIES = 60  # of a commit that others overtake
_PAUSE_S = 0.05
# History is kept for good: nothing of a published round is to vanish.
_KEPT = {
    "delta.enableExpiredLogCleanup": "false",
    "delta.logRetentionDuration": "interval 36500 days",
    "delta.deletedFileRetentionDuration": "interval 36500 days",
}
Change = Callable[["pa.Table"], "pa.Table"]


class Store:
    """One store.

    Args:
        uri: a folder, or where an object storage keeps it, such as ``s3://bucket/results``.
        options: of the object storage, such as ``AWS_REGION``; more is taken from the environment.
        as_of: read ``submissions`` as of this version or time. None: now.
    """

    def __init__(
        self,
        uri: str,
        options: Mapping[str, str] | None = None,
        as_of: int | datetime | None = None,
    ) -> None:
        """Remember where it lies. Nothing is read until it is asked for.

        Raises:
            StoreError: no store can lie there.
        """
        if not uri.strip():
            raise StoreError("--store is empty: give a folder or an URI")
        self.uri = uri.rstrip("/") or "/"
        self.local = "://" not in uri
        if self.local and _UNFIT.search(os.path.abspath(uri)):
            raise StoreError(
                f"{uri}: Delta Lake keeps no tables under a path with [ ] | ^ \\ or %20"
            )
        self._options = dict(options or {})
        self._as_of = as_of
        self._delta = need("deltalake")
        self._opened: dict[str, Any] = {}

    # --- reading

    def table(self, name: str) -> Any:
        """Return a Delta table, ``submissions`` as of the time that was asked for.

        Once opened, a table does not change. Ask for ``submissions`` first: what it names is in the
        others by then.

        Raises:
            StoreError: there is no store, or it is broken.
        """
        if name not in self._opened:
            table = self._fresh(name)
            if name == SUBMISSIONS and self._as_of is not None:
                self._travel(table, self._as_of)
            self._opened[name] = table
        return self._opened[name]

    def files(self, name: str) -> list[str]:
        """Return the Parquet files of a table of a local store."""
        here = os.path.join(self.uri, name)
        parts = 1 + len(PARTITION)
        return [
            os.path.join(here, *uri.rsplit("/", parts)[1:]) for uri in self.table(name).file_uris()
        ]

    def exists(self) -> bool:
        """Tell whether there is a store.

        Raises:
            StoreError: it is broken.
        """
        path = self._path(SUBMISSIONS)
        return bool(self._delta.DeltaTable.is_deltatable(path, storage_options=self._options))

    def commits(self) -> list[dict[str, Any]]:
        """Return what each commit of ``submissions`` recorded of its making, newest first."""
        return [dict(entry) for entry in self.table(SUBMISSIONS).history()]

    # --- writing

    def create(self) -> None:
        """Make the tables that are not there yet; several processes may do so at once.

        ``submissions`` comes last, so that a store that is there has all its tables.

        Raises:
            StoreError: it cannot be written to.
        """
        from mlcheck.repository.layout import CHILDREN, STORED

        for name in (*CHILDREN, SUBMISSIONS):
            schema = STORED[name]
            self._again(lambda name=name, schema=schema: self._create(name, schema))  # type: ignore[misc]  # mypy does not infer defaults of a lambda

    def _create(self, name: str, schema: pa.Schema) -> None:
        path = self._path(name)
        if self._delta.DeltaTable.is_deltatable(path, storage_options=self._options):
            return
        try:
            self._delta.DeltaTable.create(
                path,
                schema,
                partition_by=list(PARTITION),
                configuration=_KEPT,
                storage_options=self._options,
            )
        except self._delta.exceptions.DeltaError:
            if not self._delta.DeltaTable.is_deltatable(path, storage_options=self._options):
                raise

    def append(self, name: str, table: pa.Table, made_by: Mapping[str, str]) -> None:
        """Add rows that nobody sees before :meth:`publish` names their ingest.

        Raises:
            StoreError: it cannot be written to.
        """
        if table.num_rows:
            self._again(
                lambda: self._delta.write_deltalake(
                    self._path(name),
                    table,
                    mode="append",
                    schema_mode="merge",
                    storage_options=self._options,
                    writer_properties=self._delta.WriterProperties(compression="ZSTD"),
                    commit_properties=self._commit(made_by),
                )
            )

    def written(self, name: str, suite: str, round_: str, ingest: str) -> int:
        """Return how many rows of an ingest lie in a table, visible or not."""
        import pyarrow.dataset as ds

        here = (ds.field("suite") == suite) & (ds.field("round") == round_)
        dataset = self._fresh(name).to_pyarrow_dataset()
        return int(dataset.count_rows(filter=here & (ds.field("ingest") == ingest)))

    def delete(self, name: str, ingests: Sequence[str], made_by: Mapping[str, str]) -> None:
        """Remove the rows of ingests from a table. Files with them stay, for who reads them.

        Raises:
            StoreError: it cannot be written to.
        """
        listed = ", ".join(map(_quoted, ingests))
        self._again(
            lambda: self._fresh(name).delete(
                f"ingest IN ({listed})", commit_properties=self._commit(made_by)
            )
        )
        self._opened.pop(name, None)

    def vacuum(self, name: str, age: timedelta, *, dry_run: bool) -> list[str]:
        """Remove the files that a table has not named for so long; return them.

        Raises:
            StoreError: there is no store, or it cannot be written to.
        """
        found: list[str] = []

        def attempt() -> None:
            found[:] = self._fresh(name).vacuum(
                retention_hours=math.ceil(age / timedelta(hours=1)),
                dry_run=dry_run,
                enforce_retention_duration=False,  # that of the table is for good: _KEPT
                full=True,  # also what was written and never committed
            )

        self._again(attempt)
        return sorted(found)

    def publish(self, suite: str, round_: str, change: Change, made_by: Mapping[str, str]) -> None:
        """Change the rows of ``submissions`` of one round, all at once, as the only one.

        Args:
            suite: of the rows.
            round_: of the rows.
            change: gets all rows of ``submissions`` as they are now; returns what the rows of the
                round shall be. Called again if somebody else was faster.
            made_by: recorded with the commit.

        Raises:
            StoreError: it cannot be written to, or others were always faster.
        """

        def attempt() -> None:
            table = self._fresh(SUBMISSIONS)
            self._delta.write_deltalake(
                table,
                change(table.to_pyarrow_dataset().to_table()),
                mode="overwrite",
                predicate=f"suite = {_quoted(suite)} AND round = {_quoted(round_)}",
                schema_mode="merge",
                writer_properties=self._delta.WriterProperties(compression="ZSTD"),
                commit_properties=self._commit(made_by, retries=0),
            )

        self._again(attempt)
        self._opened.clear()

    def _commit(self, made_by: Mapping[str, str], retries: int | None = None) -> Any:
        return self._delta.CommitProperties(
            custom_metadata=dict(made_by), max_commit_retries=retries
        )

    def _again(self, write: Callable[[], None]) -> None:
        """Write, and try again while others are faster."""
        last = ""
        for number in range(_TRIES):
            try:
                write()
            except self._delta.exceptions.CommitFailedError as err:
                last = _first_line(err)
            except (self._delta.exceptions.DeltaError, OSError) as err:
                raise StoreError(f"cannot write {self.uri}: {_first_line(err)}") from err
            else:
                return
            time.sleep(_PAUSE_S * random.random() * min(number + 1, 10))
        raise StoreError(f"cannot write {self.uri}: others were always faster: {last}")

    # --- opening

    def _path(self, name: str) -> str:
        """Return the address of a table; of a folder as an URI, so that no name is misread."""
        if self.local:
            return Path(os.path.abspath(self.uri), name).as_uri()
        return f"{self.uri}/{name}"

    def _fresh(self, name: str) -> Any:
        try:
            return self._delta.DeltaTable(self._path(name), storage_options=self._options)
        except self._delta.exceptions.TableNotFoundError as err:
            raise StoreError(
                f"no store at {self.uri}: mlcheck ingest PATH --store {self.uri} makes one"
            ) from err
        except (self._delta.exceptions.DeltaError, OSError) as err:
            raise StoreError(f"cannot read {self.uri}: {_first_line(err)}") from err

    def _travel(self, table: Any, to: int | datetime) -> None:
        try:
            table.load_as_version(to)
        except (self._delta.exceptions.DeltaError, ValueError, OSError) as err:
            raise StoreError(f"{self.uri} has no version {to}: {_first_line(err)}") from err


def as_of(text: str) -> int | datetime:
    """Return a version or a time; a time without a zone is UTC.

    Raises:
        ValueError: it is neither.
    """
    if text.isascii() and text.isdigit():
        return int(text)
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _first_line(err: BaseException) -> str:
    return (str(err).splitlines() or [type(err).__name__])[0]
