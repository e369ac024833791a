"""From tables to the rows of a leaderboard: joins, ranks, shares, margins. Pure functions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from mlcheck_report.accelerators import read
from mlcheck_report.tables import KEYS

Frames = Mapping[str, pd.DataFrame]
Record = dict[str, Any]

SYSTEM = [*KEYS, "system"]
_LOCATED = {"path": "system_path", "sha256": "system_sha256"}  # `results` has a path of its own
CEILINGS = ("<=", "<")  # operators of targets that a value has to stay below
_GROUP = ["division_order", "division", "label", "scenario", "ranking", "unit", "better"]
_DIVISIONS = ["closed", "network"]  # come first; what else there is follows by name


def records(frame: pd.DataFrame) -> list[Record]:
    """Return the rows as plain Python values, None where something is missing."""
    plain = frame.astype(object)
    rows: list[Record] = plain.where(frame.notna(), None).to_dict("records")  # type: ignore[assignment]  # keys are column names, hence str
    return rows


def by_result(frame: pd.DataFrame) -> dict[str, list[Record]]:
    """Index rows by the result they belong to, in their order; infinite values are missing."""
    floats = frame.select_dtypes("float").columns
    frame = frame.assign(
        **{name: frame[name].replace([np.inf, -np.inf], np.nan) for name in floats}
    )
    index: defaultdict[str, list[Record]] = defaultdict(list)
    for row in records(frame):
        index[row["result_id"]].append(row)
    return dict(index)


def ranked(frames: Frames) -> pd.DataFrame:
    """Join all results with what their row shows and rank them.

    Returns:
        One row per row of `results`, in the order of the page. `section` counts from 0: rows of one
        section are of one division and share comparability key, unit and direction, and only these
        are ranked against each other. `rank` is missing for invalid rows and for those that are
        entered for their power alone; ties share a rank.
    """
    frame = _joined(frames)
    frame["per"] = _per_accelerator(frame)
    frame["ranking"] = _ranking(frame)
    for column in ("unit", "better", "metric"):  # a row without a value stands with its like
        firsts = frame.groupby(["division", "ranking"])[column].transform("first")
        frame[column] = frame[column].fillna(firsts)
    frame["division_order"] = frame["division"].map(_division_order)
    frame["goodness"] = frame["value"].where(frame["better"].ne("lower"), -frame["value"])
    group = frame.groupby(_GROUP, dropna=False, sort=False).ngroup()
    ranks = frame["verdict"].eq("valid") & ~(frame["power_only"] & frame["average_w"].notna())
    valid = frame["goodness"].where(ranks)
    frame["rank"] = valid.groupby(group).rank("min", ascending=False)
    frame["share"] = _share(frame, "value", group)
    return _ordered(frame)


def _joined(frames: Frames) -> pd.DataFrame:
    primary = frames["metrics"][frames["metrics"]["role"].eq("primary")].sort_values("name")
    primary = primary.rename(columns={"name": "metric"}).drop(columns="role")
    power = _power(frames["power"])
    systems = frames["systems"].rename(columns=_LOCATED)
    frame = frames["results"].merge(systems, on=SYSTEM, how="left", validate="many_to_one")
    for table in (primary, power, quality_of_results(frames["quality"])):
        one = table.drop_duplicates("result_id").rename(columns={"result_id": "id"})
        frame = frame.merge(one, on="id", how="left", validate="one_to_one")
    floats = frame.select_dtypes("float").columns
    frame[floats] = frame[floats].replace([np.inf, -np.inf], np.nan)
    frame["label"] = frame["benchmark"].fillna(frame["benchmark_raw"])
    frame["name"] = frame["system_name"].fillna(frame["system"])
    return frame


def _power(table: pd.DataFrame) -> pd.DataFrame:
    """Return the figures of power measurements; `energy_j` where they are energies of a run."""
    energy = table["value"].where(table["unit"].eq("J"))
    return table[["result_id", "average_w", "efficiency"]].assign(
        energy_j=energy, power_accepted=table["valid"].astype("boolean")
    )


def _per_accelerator(frame: pd.DataFrame) -> pd.Series[float]:
    """Divide rates by the number of accelerators; where they are of several kinds, by nothing."""
    count = frame["accelerators_total"].astype("float64")
    written = frame["accelerator_raw"].fillna(frame["accelerator"])
    mixed = [_mixed(*names) for names in zip(written, frame["accelerators"], strict=True)]
    one_kind = ~pd.Series(mixed, index=frame.index, dtype=bool)
    return (frame["value"] / count).where(frame["better"].eq("higher") & count.gt(0) & one_kind)


def _mixed(written: object, reviewed: object) -> bool:
    """Tell whether a system has several kinds of accelerators, by its text or by reviewed names."""
    several = isinstance(reviewed, Sequence | np.ndarray) and len(reviewed) > 1
    return several or (isinstance(written, str) and read(written).mixed)


def _ranking(frame: pd.DataFrame) -> pd.Series[str]:
    """Return the comparability key; for a row without a value the key of its neighbours."""
    own = frame["comparability_key"].where(frame["value"].notna())
    task = [frame[column].fillna("") for column in ("division", "category", "label", "scenario")]
    neighbours = own.groupby(task).transform("first")
    return own.fillna(neighbours).fillna(frame["comparability_key"])


def _division_order(division: str) -> int:
    return _DIVISIONS.index(division) if division in _DIVISIONS else len(_DIVISIONS)


def _share(frame: pd.DataFrame, column: str, group: pd.Series[int]) -> pd.Series[float]:
    """Return each valid value as a part of the best of its section; 1 is the best."""
    value = frame[column].where(frame["verdict"].eq("valid") & frame[column].gt(0))
    of_group = value.groupby(group)
    lower = frame["better"].eq("lower")
    return (value / of_group.transform("max")).where(~lower, of_group.transform("min") / value)


def _ordered(frame: pd.DataFrame) -> pd.DataFrame:
    keys = [*_GROUP, "rank", "goodness", "submitter", "name", "id"]
    ascending = [key != "goodness" for key in keys]
    frame = frame.sort_values(keys, ascending=ascending, ignore_index=True)
    frame["section"] = frame.groupby(_GROUP, dropna=False, sort=False).ngroup()
    frame["rank"] = frame["rank"].astype("Int64")
    return frame


def with_margin(quality: pd.DataFrame) -> pd.DataFrame:
    """Add `margin`: percent of the target by which a value is on the right side of it."""
    above = 100 * (quality["value"] - quality["target"]) / quality["target"].abs()
    signed = above.where(~quality["op"].isin(CEILINGS), -above)
    return quality.assign(margin=signed.replace([np.inf, -np.inf], np.nan))


def quality_of_results(quality: pd.DataFrame) -> pd.DataFrame:
    """Return per result the smallest `margin` and `quality_ok`: whether all targets are met."""
    groups = with_margin(quality).groupby("result_id", as_index=False)
    return groups.agg(margin=("margin", "min"), quality_ok=("ok", "min"))
