"""A store of results as Delta tables: several tables change as one, or not at all.

Every table but ``submissions`` is only appended to, under an id of the ingest that nobody else uses.
What makes an ingest visible is one commit of ``submissions``, made last and only if nobody else has
committed since it was read; else it is read again and tried again. A process that dies before
leaves rows that no reader counts.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from mlcheck.repository.errors import StoreError
from mlcheck.repository.extras import need
from mlcheck.repository.layout import CHILDREN, OWNER, PARTITION, STORED

_TRIES = 60  # of a commit that others overtake
_PAUSE_S = 0.05
# History is kept for good: nothing of a published round is to vanish.
_KEPT = {
    "delta.enableExpiredLogCleanup": "false",
    "delta.logRetentionDuration": "interval 36500 days",
    "delta.deletedFileRetentionDuration": "interval 36500 days",
}
Change = Callable[[pa.Table], pa.Table | None]


class Store:
    """One store, as it was when it was first read.

    Args:
        uri: a folder, or where an object storage keeps it, such as ``s3://bucket/results``.
        options: of the object storage, such as ``AWS_REGION``; more is taken from the environment.
        as_of: show what counted in this version of ``submissions``, or at this time. None: now.
    """

    def __init__(
        self,
        uri: str,
        options: Mapping[str, str] | None = None,
        as_of: int | datetime | None = None,
    ) -> None:
        """Remember where it lies. Nothing is read until it is asked for."""
        self.uri = uri.rstrip("/") or "/"
        self._options = dict(options or {})
        self._as_of = as_of
        self._delta = need("deltalake")
        self._opened: dict[str, Any] = {}
        self._submissions: pa.Table | None = None

    # --- reading

    def submissions(self) -> pa.Table:
        """Return all rows of ``submissions``: those that count, and those that were replaced.

        Raises:
            StoreError: there is no store, or it is broken.
        """
        if self._submissions is None:
            table = self._table("submissions")
            if self._as_of is not None:
                self._travel(table, self._as_of)
            self._submissions = _conforming("submissions", table.to_pyarrow_dataset().to_table())
        return self._submissions

    def current(self) -> pa.Table:
        """Return the rows of ``submissions`` that count, by suite, round, division, submitter."""
        table = self.submissions()
        table = table.filter(pc.is_null(table["replaced_by"]))
        return table.sort_by([(key, "ascending") for key in (*PARTITION, "division", "submitter")])

    def rows(
        self,
        name: str,
        columns: Sequence[str] | None = None,
        where: ds.Expression | None = None,
        of: pa.Table | None = None,
    ) -> pa.Table:
        """Return rows of a table that belong to submissions.

        Args:
            name: of the table.
            columns: which; None: all.
            where: a further filter.
            of: rows of ``submissions``; None: those that count.

        Raises:
            StoreError: there is no store, or it is broken.
        """
        submissions = self.current() if of is None else of
        if name == "submissions":
            return submissions if where is None else ds.dataset(submissions).to_table(filter=where)
        wanted = self._owned_by(submissions)
        dataset = self.dataset(name)
        schema = STORED[name]
        names = list(columns or schema.names)
        there = [column for column in names if column in dataset.schema.names]
        keep = wanted if where is None else wanted & where
        return _conforming(name, dataset.to_table(columns=there, filter=keep), names)

    def dataset(self, name: str) -> ds.Dataset:
        """Return all rows of a table as they lie, of every ingest, as an Arrow dataset."""
        self.submissions()  # first: what it names is in the other tables by then
        return self._table(name).to_pyarrow_dataset()

    def _owned_by(self, submissions: pa.Table) -> ds.Expression:
        """Return the filter for rows of these submissions, and of the packages they came in."""
        everything = self.submissions()
        mine = _groups(submissions)
        whole = [
            ingest
            for ingest, owners in _groups(everything).items()
            if ingest in mine and owners == mine[ingest]
        ]
        found = ds.field("ingest").isin(pa.array(whole, pa.string()))
        for ingest in sorted(set(mine) - set(whole)):
            package = ds.field("submitter").is_null()
            for division, submitter in sorted(mine[ingest]):
                package = package | (
                    (ds.field("division") == division) & (ds.field("submitter") == submitter)
                )
            found = found | ((ds.field("ingest") == ingest) & package)
        places = sorted(set(zip(*(submissions[key].to_pylist() for key in PARTITION), strict=True)))
        if len(places) <= 20:  # lets files of other rounds stay closed
            for position, key in enumerate(PARTITION):
                values = pa.array(sorted({place[position] for place in places}), pa.string())
                found = found & ds.field(key).isin(values)
        return found

    def version(self) -> int:
        """Return the version of ``submissions`` that is shown."""
        self.submissions()
        return int(self._table("submissions").version())

    def commits(self) -> list[dict[str, Any]]:
        """Return what each commit of ``submissions`` recorded of its making, newest first."""
        return [dict(entry) for entry in self._table("submissions").history()]

    def exists(self) -> bool:
        """Tell whether there is a store."""
        try:
            self._table("submissions")
        except StoreError:
            return False
        return True

    # --- writing

    def create(self) -> None:
        """Make the tables that are not there yet; several processes may do so at once.

        Raises:
            StoreError: it cannot be written to.
        """
        for name in (*CHILDREN, "submissions"):
            self._again(lambda name=name: self._create(name))  # type: ignore[misc]  # mypy: default of a lambda

    def _create(self, name: str) -> None:
        path = self._path(name)
        if self._delta.DeltaTable.is_deltatable(path, storage_options=self._options):
            return
        try:
            self._delta.DeltaTable.create(
                path,
                STORED[name],
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
        self._opened.pop(name, None)

    def written(self, name: str, suite: str, round_: str, ingest: str) -> int:
        """Return how many rows of an ingest lie in a table, visible or not."""
        here = (ds.field("suite") == suite) & (ds.field("round") == round_)
        dataset = self._table(name, fresh=True).to_pyarrow_dataset()
        return int(dataset.count_rows(filter=here & (ds.field("ingest") == ingest)))

    def publish(
        self, suite: str, round_: str, change: Change, made_by: Mapping[str, str]
    ) -> pa.Table | None:
        """Change the rows of ``submissions`` of one round, all at once, as the only one.

        Args:
            suite: of the rows.
            round_: of the rows.
            change: gets all rows of ``submissions`` as they are now; returns what the rows of the
                round shall be, or None to leave them. Called again if somebody else was faster.
            made_by: recorded with the commit.

        Returns:
            What ``change`` returned last.

        Raises:
            StoreError: it cannot be written to, or others were always faster.
        """

        def attempt() -> pa.Table | None:
            table = self._table("submissions", fresh=True)
            new = change(_conforming("submissions", table.to_pyarrow_dataset().to_table()))
            if new is not None:
                self._delta.write_deltalake(
                    table,
                    new,
                    mode="overwrite",
                    predicate=f"suite = {_quoted(suite)} AND round = {_quoted(round_)}",
                    schema_mode="merge",
                    commit_properties=self._commit(made_by, retries=0),
                )
            return new

        made: pa.Table | None = self._again(attempt)
        self._opened.clear()
        self._submissions = None
        return made

    def _commit(self, made_by: Mapping[str, str], retries: int | None = None) -> Any:
        return self._delta.CommitProperties(
            custom_metadata=dict(made_by), max_commit_retries=retries
        )

    def _again(self, write: Callable[[], Any]) -> Any:
        """Write, and try again while others are faster."""
        for number in range(_TRIES):
            try:
                return write()
            except self._delta.exceptions.CommitFailedError as err:
                last = err
            except (self._delta.exceptions.DeltaError, OSError) as err:
                raise StoreError(f"cannot write {self.uri}: {_first_line(err)}") from err
            time.sleep(_PAUSE_S * random.random() * min(number + 1, 10))
        raise StoreError(f"cannot write {self.uri}: others were always faster: {_first_line(last)}")

    # --- opening

    def _path(self, name: str) -> str:
        return f"{self.uri}/{name}"

    def _table(self, name: str, *, fresh: bool = False) -> Any:
        if fresh or name not in self._opened:
            try:
                self._opened[name] = self._delta.DeltaTable(
                    self._path(name), storage_options=self._options
                )
            except self._delta.exceptions.TableNotFoundError as err:
                raise StoreError(
                    f"no store at {self.uri}: mlcheck ingest PATH --store {self.uri} makes one"
                ) from err
            except (self._delta.exceptions.DeltaError, OSError) as err:
                raise StoreError(f"cannot read {self.uri}: {_first_line(err)}") from err
        return self._opened[name]

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
    time_ = datetime.fromisoformat(text)
    return time_ if time_.tzinfo else time_.replace(tzinfo=UTC)


def _groups(submissions: pa.Table) -> dict[str, set[tuple[str, str]]]:
    groups: dict[str, set[tuple[str, str]]] = {}
    for ingest, division, submitter in zip(
        *(submissions[key].to_pylist() for key in OWNER), strict=True
    ):
        groups.setdefault(ingest, set()).add((division, submitter))
    return groups


def _conforming(name: str, table: pa.Table, names: Sequence[str] | None = None) -> pa.Table:
    """Return the columns as the schema has them; those that an older store lacks are null."""
    schema = STORED[name]
    columns = {}
    for column in names or schema.names:
        type_ = schema.field(column).type
        if column in table.column_names:
            columns[column] = table[column].cast(type_)
        else:
            columns[column] = pa.nulls(table.num_rows, type_)
    return pa.table(columns)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _first_line(err: BaseException) -> str:
    return (str(err).splitlines() or [type(err).__name__])[0]
