"""Results of endpoints: clean ones are clean, and each fault is found, by whom it ought to be."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from mlcheck.discover import discover
from mlcheck.model import Verdict
from mlcheck.tree import Tree
from tests.endpoints import made

VALID, INVALID = Verdict.VALID, Verdict.INVALID
Edit = Callable[[Path], None]


def member(file: str, *names: str, to: Any) -> Edit:
    """Return an edit that sets a member of a document, or removes it: None."""

    def change(document: Any) -> None:
        for name in names[:-1]:
            document = document[int(name) if isinstance(document, list) else name]
        if to is None:
            del document[names[-1]]
        else:
            document[names[-1]] = to

    return lambda folder: made.edit(folder / file, change)


def text(file: str, content: str) -> Edit:
    """Return an edit that writes a file."""

    def change(folder: Path) -> None:
        (folder / file).write_text(content)

    return change


def removed(file: str) -> Edit:
    """Return an edit that gives a file another name, so that its folder is not empty."""

    def change(folder: Path) -> None:
        (folder / file).rename(folder / f"{file}.old")

    return change


def score(to: Any) -> Edit:
    return member(made.ACCURACY, "accuracy_scores", "0", "score", to=to)


RUNTIME = ("settings", "runtime")
BOMB = "a: &a [*a]\n"
FAULTS: list[tuple[str, str, Edit, set[str], Verdict, Verdict]] = [
    ("no accuracy", "gpt offline", removed(made.ACCURACY), {"EPT101"}, INVALID, INVALID),
    ("no config", "gpt offline", removed(made.CONFIG), {"EPT101", "EPT104"}, INVALID, INVALID),
    ("no summary", "gpt offline", removed(made.RUN), {"EPT101"}, INVALID, INVALID),
    ("empty readme", "gpt offline", text("README.md", ""), {"EPT101"}, INVALID, INVALID),
    ("torn summary", "gpt offline", text(made.RUN, "{"), {"EPT102"}, INVALID, INVALID),
    ("bomb", "gpt offline", text(made.CONFIG, BOMB), {"EPT102", "EPT104"}, INVALID, INVALID),
    (
        "no target qps",
        "gpt offline",
        member(made.CONFIG, "settings", "load_pattern", to=None),
        set(),
        VALID,
        VALID,
    ),
    ("no seed", "gpt offline", member(made.CONFIG, *RUNTIME, "scheduler_random_seed", to=None),
     {"EPT104"}, INVALID, INVALID),
    ("wrong seed", "gpt offline", member(made.CONFIG, *RUNTIME, "scheduler_random_seed", to=42),
     {"INF308"}, INVALID, INVALID),
    ("short setting", "gpt offline", member(made.CONFIG, *RUNTIME, "min_duration_ms", to=60000),
     {"INF311"}, INVALID, INVALID),
    ("short run", "gpt offline", member(made.RUN, "duration_ns", to=60_000_000_000),
     {"INF312"}, INVALID, VALID),
    ("no duration", "gpt offline", member(made.RUN, "duration_ns", to=None),
     {"EPT104"}, INVALID, INVALID),
    ("no rate", "qwen interactive", member(made.RUN, "qps", to="fast"),
     {"EPT104"}, INVALID, INVALID),
    ("no duration of an online run", "qwen interactive", member(made.RUN, "duration_ns", to=None),
     {"EPT104"}, INVALID, VALID),
    ("rate of zero", "qwen interactive", member(made.RUN, "qps", to=0),
     {"EPT104"}, INVALID, INVALID),
    ("odd type", "gpt offline", member(made.CONFIG, "type", to="eval"),
     {"EPT104"}, INVALID, INVALID),
    ("other type", "gpt offline", member(made.CONFIG, "type", to="online"),
     {"INF206"}, INVALID, INVALID),
    ("late first token", "gpt interactive",
     member(made.RUN, "ttft", "early_stopping_percentiles", "99", to=2_000_000_001),
     {"INF318"}, INVALID, INVALID),
    ("first token as for Server", "llama server",
     member(made.RUN, "ttft", "early_stopping_percentiles", "99", to=1_900_000_000),
     set(), VALID, VALID),
    ("tokens not counted", "gpt interactive", member(made.RUN, "tpot", to={}),
     {"INF318"}, INVALID, INVALID),
    ("late answers", "qwen interactive",
     member(made.RUN, "latency", "early_stopping_percentiles", "99", to=1_600_000_000),
     {"INF316"}, INVALID, INVALID),
    ("failed requests", "gpt offline", member(made.RUN, "n_samples_failed", to=3),
     {"EPT109"}, INVALID, VALID),
    ("failed accuracy requests", "gpt offline", member(made.ACCURACY, "n_samples_failed", to=3),
     {"EPT109"}, INVALID, INVALID),
    ("short answers", "gpt offline",
     member(made.RUN, "output_sequence_lengths", "avg", to=1150.0),
     {"EPT108"}, INVALID, INVALID),
    ("below target", "gpt offline", score(0.8), {"INF504"}, INVALID, VALID),
    ("one of four below target", "llama server", score(made.rouge(38.0)),
     {"INF504"}, INVALID, VALID),
    ("below the judged target", "qwen interactive", score({"f1": 0.77}),
     {"INF504"}, INVALID, INVALID),
    ("Interactive has a target of its own", "qwen interactive", score(0.7801), set(), VALID, VALID),
    ("no score", "gpt offline", score(None), {"EPT105"}, INVALID, INVALID),
    ("one of four", "llama server", score({"rouge1": "39"}), {"EPT105"}, INVALID, VALID),
    ("a word", "qwen interactive", score("good"), {"EPT105"}, INVALID, INVALID),
    ("a part of the data set", "gpt offline",
     member(made.ACCURACY, "accuracy_scores", "0", "total_samples", to=4394),
     {"INF509"}, INVALID, INVALID),
    ("no audit", "wan stream", removed(made.AUDIT), {"EPT106"}, INVALID, INVALID),
    ("failed audit", "wan stream", member(made.AUDIT, "passed", to=False),
     {"EPT107"}, INVALID, INVALID),
    ("audit by word", "wan stream", member(made.AUDIT, "passed", to="no"),
     {"EPT107"}, INVALID, VALID),
    ("audit of another test", "wan stream", member(made.AUDIT, "test", to="accuracy"),
     {"EPT107"}, INVALID, INVALID),
    ("torn audit", "wan stream", text(made.AUDIT, "[]"), {"EPT107"}, INVALID, INVALID),
]  # fmt: skip


@pytest.fixture
def folders(tree: Path) -> dict[str, Path]:
    """Return the folders of clean results in a copy of the example."""
    return made.whole_tree(tree)


def test_clean_results_are_clean(tree: Path, folders: dict[str, Path]) -> None:
    report = made.judged(tree)
    assert [(finding.rule, finding.path) for finding in report.findings] == []
    for folder in folders.values():
        found = made.result(report, folder)
        assert (found.verdict, found.official_verdict) == (VALID, VALID)
        assert found.metrics
        assert all(value.ok for value in found.quality)


@pytest.mark.parametrize(
    ("kind", "change", "rules", "verdict", "official"),
    [fault[1:] for fault in FAULTS],
    ids=[fault[0] for fault in FAULTS],
)
def test_fault(
    tree: Path,
    folders: dict[str, Path],
    kind: str,
    change: Edit,
    rules: set[str],
    verdict: Verdict,
    official: Verdict,
) -> None:
    change(folders[kind])
    report = made.judged(tree)
    found = made.result(report, folders[kind])
    assert {finding.rule for finding in report.findings} == rules
    assert (found.verdict, found.official_verdict) == (verdict, official)
    for finding in report.findings:
        assert len(finding.message) <= 100
        lines = (tree / finding.path).read_text().count("\n") + 1 if finding.line else 0
        assert finding.line <= lines


def test_findings_stand_where_the_value_does(tree: Path, folders: dict[str, Path]) -> None:
    member(made.CONFIG, *RUNTIME, "scheduler_random_seed", to=42)(folders["gpt offline"])
    finding = made.judged(tree).findings[0]
    assert finding.path.endswith("config.yaml")
    line = (tree / finding.path).read_text().splitlines()[finding.line - 1]
    assert line.strip() == "scheduler_random_seed: 42"


def test_published_numbers(tree: Path, folders: dict[str, Path]) -> None:
    report = made.judged(tree)

    def published(kind: str) -> tuple[float, str]:
        metric = made.result(report, folders[kind]).metrics[0]
        return metric.value, metric.unit

    assert published("gpt offline") == (20.0, "samples/s")  # issued per second of the run
    assert published("qwen interactive") == (20.5, "queries/s")
    assert published("llama server") == (26000.5, "tokens/s")
    assert published("wan stream") == (0.6, "s")


def test_data_sets_count_by_their_samples(tree: Path, folders: dict[str, Path]) -> None:
    parts = [("aime", 240, 0.8), ("gpqa", 990, 0.75), ("code", 3165, 0.87)]
    scores = [
        {"dataset_name": name, "dataset_type": "accuracy", "score": value, "total_samples": count}
        for name, count, value in parts
    ]
    performance = {"dataset_name": "performance", "dataset_type": "performance", "score": 0.1}
    folder = folders["gpt offline"]
    made.write(folder / made.ACCURACY, {"accuracy_scores": [performance, *scores]})
    report = made.judged(tree)
    mean = sum(count * value for _, count, value in parts) / 4395 * 100
    assert report.findings == ()
    assert made.result(report, folder).quality[0].value == pytest.approx(mean)


def test_benchmark_that_needs_loadgen(tree: Path) -> None:
    made.round_tree(tree)
    folder = made.add_result(tree, "whisper", "Offline", 98.0, dataset=1633)
    rules = {finding.rule for finding in made.judged(tree).findings}
    assert "EPT103" in rules
    assert made.result(made.judged(tree), folder).official_verdict is INVALID


def test_lost_logs_are_lost_logs(tree: Path) -> None:
    made.round_tree(tree)
    folder = tree / "closed/Acme/results/acme-edge-1x/resnet50/Offline"
    for log in folder.glob("*/**/mlperf_log_detail.txt"):
        if "TEST" not in str(log):
            log.unlink()
    rules = {finding.rule for finding in made.judged(tree).findings}
    assert "INF301" in rules
    assert not any(rule.startswith("EPT") for rule in rules)


def test_rounds_without_endpoints_do_not_read_them(tree: Path) -> None:
    folder = tree / "closed/Acme/results/acme-edge-1x/resnet50/Offline"
    (folder / made.CONFIG).write_text(yaml.safe_dump(made.settings("Offline")))
    assert not any(finding.rule.startswith("EPT") for finding in made.judged(tree).findings)


def test_open_results_need_neither_target_nor_audit(tree: Path) -> None:
    made.round_tree(tree)
    folder = made.wan(tree, "SingleStream")
    (folder / made.AUDIT).unlink()
    score(0.5)(folder)
    other = tree / "open/Borealis/results"
    system = next(other.iterdir())
    folder.parent.rename(system / folder.parent.name)
    (tree / "open/Borealis/src" / folder.parent.name).mkdir(exist_ok=True)
    (tree / "open/Borealis/src" / folder.parent.name / "README.md").write_text("Made up.\n")
    moved = system / folder.parent.name / folder.name
    found = made.result(made.judged(tree), moved)
    assert found.verdict is VALID
    assert found.official_verdict is INVALID  # it asks for the audit in open, too


HOSTILE: list[tuple[str, bytes]] = [
    ("empty", b""),
    ("null", b"null"),
    ("list", b"[]"),
    ("bytes", b"\xff\xfe\x00"),
    ("deep list", b"[" * 100_000),
    ("deep object", b'{"a":' * 100_000),
    ("digits", b'{"qps": ' + b"9" * 5000 + b"}"),
    ("nan", b'{"qps": NaN, "duration_ns": Infinity, "tps": 1e999, "n_samples_issued": -1}'),
    ("types", b'{"qps": [1], "duration_ns": "1", "latency": 3, "ttft": [], "accuracy_scores": 1}'),
    ("scores", b'{"accuracy_scores": [1, null, {"score": {}}, {"score": NaN}, {"score": true}]}'),
    ("counts", b'{"accuracy_scores": [{"score": 1, "total_samples": -1}, {"score": "1e400"}]}'),
    ("huge", b'{"accuracy_scores": [{"score": 1, "total_samples": 1' + b"0" * 400 + b"}]}"),
    ("surrogate", b'{"type": "\\ud800", "test": "\\ud800", "passed": "\\ud800", "tps": "\\ud800"}'),
    ("dates", b"type: 2001-13-45\nsettings: {runtime: {min_duration_ms: 2001-01-01}}"),
    ("tag", b"type: !!python/object/apply:os.system [ls]"),
    ("keys", b"? [a, b]\n: 1\n? {c: d}\n: 2\n1: 2\n"),
    ("merge", b"<<: 1\n=: 2\ntype: 0b_\n"),
    ("words", b"type: [online]\nsettings: yes\n"),
]


@pytest.mark.parametrize("content", [raw for _, raw in HOSTILE], ids=[name for name, _ in HOSTILE])
@pytest.mark.parametrize("file", [made.CONFIG, made.RUN, made.ACCURACY, made.AUDIT])
def test_hostile_documents(tree: Path, file: str, content: bytes) -> None:
    made.round_tree(tree)
    folder = made.wan(tree, "SingleStream")
    (folder / file).write_bytes(content)
    report = made.judged(tree)
    assert not [finding for finding in report.findings if finding.rule == "MLC001"]
    assert made.result(report, folder).verdict is INVALID


def test_round_is_found_by_the_settings(tree: Path) -> None:
    made.round_tree(tree)
    folder = made.add_result(tree, "qwen3-vl-235b-a22b", "Offline", 0.79, dataset=48289)
    for home in sorted((tree / "closed/Acme/results").iterdir()):
        if home.name != "acme-dc-8x":
            shutil.rmtree(home)
    shutil.rmtree(tree / "open")
    found = discover(Tree(str(tree)), None, None)
    assert (found.round, found.sure) == (made.ROUND, True)
    member(made.CONFIG, *RUNTIME, "dataloader_random_seed", to=42)(folder)
    assert not discover(Tree(str(tree)), None, None).sure


def test_loadgen_is_held_to_the_latency_of_the_folder(tree: Path) -> None:
    """LoadGen logs Interactive as Server, whose limit of this benchmark is eight times as long."""
    donor = tree / made.SYSTEM / "llama2-70b-99/Interactive"
    kept = tree.parent / "kept"
    shutil.copytree(donor, kept)
    made.round_tree(tree)
    folder = tree / made.SYSTEM / "qwen3-vl-235b-a22b/Interactive"
    shutil.copytree(kept, folder)
    report = made.judged(tree)
    late = [f for f in report.findings if f.rule == "INF316" and f.path.startswith(made.SYSTEM)]
    assert [finding.expected for finding in late] == ["<= 1500000000 ns"]
