"""Numbers of MLPerf Inference v5.1 that the logs have to show.

Sources: ``mlperf.conf`` of LoadGen 5.1, ``audit.config`` of the compliance tests, inference rules.
"""

from __future__ import annotations

from dataclasses import dataclass

QSL_SEED = 1780908523862526354
SAMPLE_SEED = 14771362308971278857
SCHEDULE_SEED = 18209322760996052031
AUDIT_SEED = 720381539243781796
AUDIT_SAME_INDEX = 3  # TEST04 issues this loaded sample again and again

MIN_DURATION_MS = 600_000
MIN_QUERIES = {"SingleStream": 100, "MultiStream": 662, "Server": 100, "Offline": 24576}
SAMPLES_PER_QUERY = {"SingleStream": 1, "MultiStream": 8, "Server": 1}
PERCENTILE = {"SingleStream": 0.9, "MultiStream": 0.99, "Server": 0.99, "Offline": 0.99}


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """One benchmark of the round as a submitter runs it."""

    folder: str  # below results/, measurements/, compliance/ and code/
    conf_name: str  # the name LoadGen looks up in its configuration files
    dataset_size: int
    loaded: int  # samples in memory at once; at least what the rules ask for
    tests: tuple[str, ...]  # compliance tests; none in the open division
    audit_samples: int = 0  # answers TEST01 keeps
    server_latency_ms: int = 0  # 0: no Server scenario here, or judged by tokens
    token_latency_ms: tuple[tuple[str, tuple[int, int]], ...] = ()  # scenario, (TTFT, TPOT)

    @property
    def counts_tokens(self) -> bool:
        """Whether LoadGen measures latencies of tokens."""
        return bool(self.token_latency_ms)


RESNET50 = Benchmark(
    folder="resnet50",
    conf_name="resnet50",
    dataset_size=50000,
    loaded=16384,
    tests=("TEST01", "TEST04"),
    audit_samples=4096,
)
TINYNET = Benchmark(
    folder="tinynet-v1",
    conf_name="resnet50",
    dataset_size=50000,
    loaded=25000,
    tests=(),
)
RETINANET = Benchmark(
    folder="retinanet",
    conf_name="retinanet",
    dataset_size=24781,
    loaded=8192,
    tests=("TEST01",),
    audit_samples=256,
    server_latency_ms=100,
)
LLAMA2 = Benchmark(
    folder="llama2-70b-99",
    conf_name="llama2-70b",
    dataset_size=24576,
    loaded=24576,
    tests=("TEST06",),
    token_latency_ms=(
        ("Offline", (2000, 200)),  # not judged there, but logged
        ("Server", (2000, 200)),
        ("Interactive", (450, 40)),
    ),
)
