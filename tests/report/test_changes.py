"""Changes between two builds of a site: cells, and results that came, went and came back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mlcheck_report import ReportError, render
from tests.report.conftest import Rows, Write, result
from tests.report.documents import parsed

ROUND = "inference-v5.1"


def row_of(rows: Rows, name: str, **facts: Any) -> dict[str, Any]:
    return next(row for row in rows[name] if facts.items() <= row.items())


def test_changed_cells(rows: Rows, write: Write, tmp_path: Path) -> None:
    out = tmp_path / "site"
    render(write(rows), out=out)
    row_of(rows, "metrics", result_id="aa01", role="primary")["value"] = 900.0
    gone = rows["results"].pop(1)
    rows["results"].append(result("cc01", rows["systems"][0], "resnet", "Server"))
    render(write(rows), out=out, former=out)
    text = parsed(out / "changes.html").text
    assert "1 result came, 1 result went, 1 result differ in a cell" in text
    assert (
        "Before After acme: box server, resnet Offline, closed, inference v5.1 1000.0 900.0" in text
    )
    tombstone = parsed(out / ROUND / "results" / f"{gone['id']}.html").text
    assert "No longer published" in tombstone
    assert "the former build had 4.0 ms" in tombstone
    render(write(rows), out=out, former=out)  # its address is kept further on
    assert (out / ROUND / "results" / f"{gone['id']}.html").exists()
    assert "0 results came, 0 results went, 0 results differ" in parsed(out / "changes.html").text


def test_result_that_comes_back_is_no_longer_retired(
    rows: Rows, write: Write, tmp_path: Path
) -> None:
    out = tmp_path / "site"
    render(write(rows), out=out)
    back = rows["results"].pop(1)
    render(write(rows), out=out, former=out)
    rows["results"].append(back)
    render(write(rows), out=out, former=out)
    assert "1 result came" in parsed(out / "changes.html").text
    assert "rank 2 of 2" in parsed(out / ROUND / "results" / "aa02.html").text


@pytest.mark.parametrize(
    "content", ["", "{}", "[]", '{"results": [1]}', '{"results": [{"id": 1}]}']
)
def test_former_site_that_is_none(rows: Rows, write: Write, tmp_path: Path, content: str) -> None:
    former = tmp_path / "former"
    with pytest.raises(ReportError, match="holds no site"):
        render(write(rows), out=tmp_path / "site", former=former)
    (former / "x").mkdir(parents=True)
    (former / "x" / "results.json").write_text(content)
    with pytest.raises(ReportError, match=r"results\.json is not the data of a site"):
        render(write(rows), out=tmp_path / "site", former=former)


def test_former_site_that_leads_out(rows: Rows, write: Write, tmp_path: Path) -> None:
    out = tmp_path / "site"
    render(write(rows), out=out)
    file = out / ROUND / "results.json"
    data = json.loads(file.read_bytes())
    data["results"][0] |= {"id": "../../../evil", "round": "../../x"}
    file.write_text(json.dumps(data))
    with pytest.raises(ReportError, match="do not make a file name"):
        render(write(rows), out=tmp_path / "new", former=out)
