"""What is invented: devices, and how fast and exact they are at each task."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

MODES = ("performance", "accuracy")
SESSION_BREAK = timedelta(minutes=6)  # between the starts of two runs


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A task of the round, as the app sets it up.

    Attributes:
        folder: as submitters name it. ``samples``: of the full set; ``loaded``: for performance.
    """

    id: str
    name: str
    folder: str
    scenario: str
    kind: str
    full: str
    lite: str
    samples: int
    loaded: int
    model: str
    longest_ms: int = 600_000

    @property
    def offline(self) -> bool:
        """Whether all samples come at once."""
        return self.scenario == "Offline"


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What a device reaches: latency (Offline: of the whole query), and accuracy."""

    p90_ns: int
    fraction: float
    printed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """An invented phone.

    Attributes:
        flat: its logs lie as the app exports them, not in folders of tasks and scenarios.
    """

    submitter: str
    system: str
    model: str
    soc: str
    soc_id: str
    delegate: str
    runs_on: str
    begin: datetime
    flat: bool
    scores: dict[str, Score]

    def start(self, task: int, mode: str) -> datetime:
        """Return when a run began: first all of one mode, then all of the other."""
        place = MODES.index(mode) * len(TASKS) + task
        return self.begin + place * SESSION_BREAK


_IMAGENET = {
    "kind": "IMAGENET",
    "full": "Imagenet classification validation set",
    "lite": "Open images subset for classification",
    "samples": 50_000,
    "loaded": 300,
    "model": "mobilenet_v4.tflite",
    "folder": "mobilenetV4",
}
TASKS = (
    Task(
        id="image_classification_v2",
        name="Image Classification v2",
        scenario="SingleStream",
        **_IMAGENET,  # type: ignore[arg-type]
    ),
    Task(
        id="object_detection",
        name="Object Detection",
        folder="mobiledetSSD",
        scenario="SingleStream",
        kind="COCO",
        full="COCO 2017 validation set",
        lite="Open images subset for detection",
        samples=5_000,
        loaded=300,
        model="ssd_mobiledet.tflite",
    ),
    Task(
        id="image_segmentation_v2",
        name="Image Segmentation v2",
        folder="mosaic",
        scenario="SingleStream",
        kind="ADE20K",
        full="ADE20K validation set",
        lite="Open images subset for segmentation",
        samples=2_000,
        loaded=300,
        model="mosaic.tflite",
    ),
    Task(
        id="natural_language_processing",
        name="Language Understanding",
        folder="mobileBERT",
        scenario="SingleStream",
        kind="SQUAD",
        full="Squad V1.1 validation set",
        lite="Squad V1.1 mini set",
        samples=100,
        loaded=100,
        model="mobilebert.tflite",
    ),
    Task(
        id="super_resolution",
        name="Super Resolution",
        folder="EDSR",
        scenario="SingleStream",
        kind="SNUSR",
        full="SNUSR dataset for accuracy test",
        lite="SNUSR dataset for performance test",
        samples=25,
        loaded=25,
        model="edsr.tflite",
    ),
    Task(
        id="image_classification_offline_v2",
        name="Image Classification v2 (Offline)",
        scenario="Offline",
        longest_ms=0,
        **_IMAGENET,  # type: ignore[arg-type]
    ),
    Task(
        id="stable_diffusion",
        name="Stable Diffusion",
        folder="stableDiffusion",
        scenario="SingleStream",
        kind="COCOGEN",
        full="COCO validation set for Stable Diffusion",
        lite="COCO validation set for Stable Diffusion",
        samples=150,
        loaded=5_000,
        model="stable_diffusion.tflite",
        longest_ms=300_000,
    ),
)

DEVICES = (
    Device(
        submitter="Acme",
        system="acme-p1",
        model="Acme Phone 1",
        soc="Invented Mobile Chip M1",
        soc_id="IM1000",
        delegate="NNAPI",
        runs_on="NPU",
        begin=datetime.fromisoformat("2025-01-15T09:00:00"),
        flat=True,
        scores={
            "image_classification_v2": Score(p90_ns=1_210_431, fraction=0.8188, printed="81.88%"),
            "object_detection": Score(p90_ns=702_118, fraction=0.2741, printed="0.2741 mAP"),
            "image_segmentation_v2": Score(p90_ns=911_020, fraction=0.5831, printed="0.5831 mIoU"),
            "natural_language_processing": Score(
                p90_ns=2_640_905, fraction=0.941, printed="94.1000"
            ),
            "super_resolution": Score(p90_ns=8_003_441, fraction=0.3351, printed="33.51 dB"),
            "image_classification_offline_v2": Score(
                p90_ns=24_310_552_018, fraction=0.8188, printed="81.88%"
            ),
            "stable_diffusion": Score(p90_ns=251_204_117, fraction=0.261, printed="0.2610"),
        },
    ),
    Device(
        submitter="Bolt",
        system="bolt-b2",
        model="Bolt Handset 2",
        soc="Invented Mobile Chip B2",
        soc_id="IB2200",
        delegate="GPU",
        runs_on="GPU",
        begin=datetime.fromisoformat("2025-01-16T13:30:00"),
        flat=False,
        scores={
            "image_classification_v2": Score(p90_ns=3_480_277, fraction=0.8201, printed="82.01%"),
            "object_detection": Score(p90_ns=1_905_633, fraction=0.2832, printed="0.2832 mAP"),
            "image_segmentation_v2": Score(
                p90_ns=2_266_701, fraction=0.5902, printed="0.5902 mIoU"
            ),
            "natural_language_processing": Score(
                p90_ns=6_022_840, fraction=0.9023, printed="90.2300"
            ),
            "super_resolution": Score(p90_ns=19_740_112, fraction=0.3356, printed="33.56 dB"),
            "image_classification_offline_v2": Score(
                p90_ns=71_884_030_551, fraction=0.8201, printed="82.01%"
            ),
        },
    ),
)
