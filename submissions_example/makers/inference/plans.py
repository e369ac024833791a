"""What is submitted: made-up machines, what each of them ran and how fast it was."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from makers.inference.round_facts import LLAMA2, RESNET50, RETINANET, TINYNET, Benchmark


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """One made-up machine with the software that ran on it."""

    name: str
    division: str
    submitter: str
    implementation: str
    sut_name: str
    qsl_name: str
    first_run: datetime

    @property
    def home(self) -> str:
        """The submitter's folder."""
        return f"{self.division}/{self.submitter}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One measured scenario.

    ``target`` is what ``user.conf`` asks for: latency in ms for SingleStream and MultiStream,
    samples per second otherwise. ``reached`` is what the machine does, about: mean latency in ms,
    for Offline samples per second; 0 where it follows from ``token_ms``.
    """

    system: System
    benchmark: Benchmark
    scenario: str
    target: float
    reached: float
    accuracy: str  # the line of accuracy.txt; for Llama 2 its scores without the counts
    token_ms: tuple[float, float] = (0.0, 0.0)  # mean TTFT and TPOT
    copied_to: tuple[str, ...] = ()  # scenarios inferred from this one
    watts: float = 0.0  # under load, where the example of power measures it; 0: it does not

    @property
    def loadgen_scenario(self) -> str:
        """The scenario as LoadGen calls it; Interactive is Server with tighter limits."""
        return "Server" if self.scenario == "Interactive" else self.scenario

    @property
    def place(self) -> str:
        """System, benchmark and scenario as a path."""
        return f"{self.system.name}/{self.benchmark.folder}/{self.scenario}"


EDGE = System(
    name="acme-edge-1x",
    division="closed",
    submitter="Acme",
    implementation="acmert",
    sut_name="AcmeRT_SUT",
    qsl_name="AcmeRT_QSL",
    first_run=datetime(2025, 7, 30, 15, 4, tzinfo=UTC),
)
DATACENTER = System(
    name="acme-dc-8x",
    division="closed",
    submitter="Acme",
    implementation="acmert",
    sut_name="AcmeRT_Pool",
    qsl_name="AcmeRT_QSL",
    first_run=datetime(2025, 7, 31, 5, 12, tzinfo=UTC),
)
MINI = System(
    name="borealis-mini",
    division="open",
    submitter="Borealis",
    implementation="tinyrun",
    sut_name="TinyRun",
    qsl_name="TinyRunSamples",
    first_run=datetime(2025, 7, 31, 9, 31, tzinfo=UTC),
)
SYSTEMS = (EDGE, DATACENTER, MINI)

PLANS = (
    Plan(
        system=EDGE,
        benchmark=RESNET50,
        scenario="SingleStream",
        target=0.65,
        reached=0.623,
        accuracy="accuracy=76.122%, good=38061, total=50000",
        watts=46.0,
    ),
    Plan(
        system=EDGE,
        benchmark=RESNET50,
        scenario="MultiStream",
        target=2.2,
        reached=2.071,
        accuracy="accuracy=76.122%, good=38061, total=50000",
    ),
    Plan(
        system=EDGE,
        benchmark=RESNET50,
        scenario="Offline",
        target=5400,
        reached=5310,
        accuracy="accuracy=76.108%, good=38054, total=50000",
    ),
    Plan(
        system=DATACENTER,
        benchmark=LLAMA2,
        scenario="Offline",
        target=90,
        reached=88.6,
        accuracy="'rouge1': 44.4207, 'rouge2': 22.0213, 'rougeL': 28.5987, 'rougeLsum': 41.9874",
    ),
    Plan(
        system=DATACENTER,
        benchmark=LLAMA2,
        scenario="Server",
        target=78,
        reached=0,
        accuracy="'rouge1': 44.4169, 'rouge2': 22.0247, 'rougeL': 28.6021, 'rougeLsum': 41.9913",
        token_ms=(620, 126),
    ),
    Plan(
        system=DATACENTER,
        benchmark=LLAMA2,
        scenario="Interactive",
        target=33.5,
        reached=0,
        accuracy="'rouge1': 44.4251, 'rouge2': 22.0198, 'rougeL': 28.5944, 'rougeLsum': 41.9802",
        token_ms=(168, 28.7),
    ),
    Plan(
        system=DATACENTER,
        benchmark=RETINANET,
        scenario="Offline",
        target=7100,
        reached=6980,
        accuracy="mAP=37.352%",
        watts=2870.0,
    ),
    Plan(
        system=DATACENTER,
        benchmark=RETINANET,
        scenario="Server",
        target=6400,
        reached=57.0,
        accuracy="mAP=37.346%",
    ),
    Plan(
        system=MINI,
        benchmark=TINYNET,
        scenario="SingleStream",
        target=3.3,
        reached=3.142,
        accuracy="accuracy=68.412%, good=34206, total=50000",
        copied_to=("MultiStream", "Offline"),
    ),
)


def plan_of(benchmark: Benchmark, scenario: str) -> Plan:
    """Return the plan of a benchmark's scenario."""
    return next(p for p in PLANS if p.benchmark is benchmark and p.scenario == scenario)
