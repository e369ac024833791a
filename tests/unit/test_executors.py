"""Judging on a cluster gives what judging here gives."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mlcheck import executors
from mlcheck.engine import Job, verify
from mlcheck.executors import ExecutorError
from mlcheck.output.json_report import json_report
from tests.command_line import PASS, USAGE, run
from tests.trees import ROUND

distributed: Any = pytest.importorskip("distributed", reason="the extra cluster is not installed")

pytestmark = pytest.mark.filterwarnings("default")  # of the cluster's own


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """Yield the address of two workers, each a process of its own."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as made:
        yield made.scheduler_address.replace("tcp://", "dask://")


def test_a_cluster_says_what_this_machine_says(
    cluster: str, example: Path, broken_example: Path
) -> None:
    for root in (example, broken_example):
        job = Job(root=str(root), suite="inference", round=ROUND)
        here = verify(job, jobs=1)
        there = verify(replace(job, executor=cluster))
        assert json_report(there) == json_report(here)


def test_a_tree_that_changed_is_read_anew(cluster: str, tree: Path) -> None:
    job = Job(root=str(tree), suite="inference", round=ROUND, executor=cluster)
    before = verify(job)
    (tree / "closed/Acme/systems/acme-edge-1x.json").write_text("{")
    after = verify(job)
    assert len(after.findings) > len(before.findings)


def test_commands_take_a_cluster(cluster: str, example: Path, scratch: Path) -> None:
    assert run("verify", example, "--executor", cluster).exit_code == PASS
    made = run("normalize", example, "-o", scratch / "tables", "--executor", cluster)
    assert made.exit_code == PASS


def test_a_worker_that_does_not_see_the_tree(cluster: str, tmp_path: Path) -> None:
    from mlcheck.engine import _unfit
    from mlcheck.model import ExtraRulesRef
    from mlcheck.ruleset import load

    job = Job(root=str(tmp_path / "none"), suite="inference", round=ROUND)
    sha256 = load("inference", ROUND).sha256
    assert "does not see" in (_unfit(job, sha256, "0.1.0", ()) or "")
    here = replace(job, root=str(tmp_path))
    assert "has mlcheck" in (_unfit(here, sha256, "9.9", ()) or "")
    assert "other rules" in (_unfit(here, "0" * 64, "0.1.0", ()) or "")
    extra = (ExtraRulesRef(package="acme-rules", version="1.0"),)
    assert "extra rules" in (_unfit(here, sha256, "0.1.0", extra) or "")


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("tcp://127.0.0.1:1", "give dask://HOST:PORT"),
        ("dask://", "give dask://HOST:PORT"),
        ("dask://127.0.0.1:x", "cannot reach"),
    ],
)
def test_what_is_no_cluster(uri: str, said: str, example: Path) -> None:
    made = run("verify", example, "--executor", uri)
    assert made.exit_code == USAGE
    assert said in made.stderr


def test_a_cluster_without_workers(example: Path) -> None:
    with distributed.LocalCluster(n_workers=0, dashboard_address=None) as empty:
        uri = empty.scheduler_address.replace("tcp://", "dask://")
        with pytest.raises(ExecutorError, match="has no workers"):
            verify(Job(root=str(example), suite="inference", round=ROUND, executor=uri))


def test_workers_that_die_are_told() -> None:
    """What kills a worker, such as a lack of memory, is no traceback."""

    # functions of a test are sent by value: workers need not find this module
    def forgive_nobody(dask_scheduler: Any) -> None:
        dask_scheduler.allowed_failures = 0

    def die(_: int) -> None:
        os._exit(1)

    def deadly(uri: str) -> None:
        with executors.cluster(uri, lambda: None) as pool:
            list(pool.map(die, [1]))

    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
    ) as made:
        with distributed.Client(made) as client:
            client.run_on_scheduler(forgive_nobody)
        with pytest.raises(ExecutorError, match="gave up"):
            deadly(made.scheduler_address.replace("tcp://", "dask://"))
