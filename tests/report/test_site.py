"""The site as files: nothing lost, nothing let through, the same bytes each time."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mlcheck_report import ReportError, render
from mlcheck_report.build import breakable
from mlcheck_report.check import dead_links
from mlcheck_report.frames.exports import json_for_script
from mlcheck_report.links import address, sources
from mlcheck_report.pages import PAGES
from tests.report.conftest import EVIL
from tests.report.documents import Document, pages, parsed

Rows = dict[str, list[dict[str, Any]]]
Write = Callable[..., Path]
ROUND = "inference-v5.1"


def content(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_start_page_comes_first(rows: Rows, write: Write, tmp_path: Path) -> None:
    files = render(write(rows), out=tmp_path / "site")
    assert files[0] == tmp_path / "site" / "index.html"
    assert len(files) == len(set(files))
    assert f'href="{ROUND}/index.html"' in files[0].read_text(encoding="utf-8")


def test_every_kind_of_page_is_tried(site: Path) -> None:
    """What follows looks at all files; so no kind may be missing among them."""
    absent = {"changes.html", "gone.html", "feed.xml"}  # need a former build or a day
    found = {kind.template for kind in PAGES} - absent
    titles = {Document(p.read_text(encoding="utf-8")).text for p in pages(site)}
    assert len(titles) == len(pages(site))
    assert {"index.html", "about.html", "search.html", "power.html"} <= {
        p.name for p in pages(site)
    }
    folders = {path.parent.name for path in pages(site)}
    assert {"boards", "results", "systems", "submitters", "findings", "accelerators"} <= folders
    assert len(found) == 16  # devices.html needs systems with a SoC: test_devices


def test_every_result_has_a_row_a_board_and_a_page(site: Path, rows: Rows) -> None:
    count = len(rows["results"])
    whole = parsed(site / ROUND / "all.html")
    assert whole.all("tr", "data-i") == [str(place) for place in range(count)]
    boards = [parsed(path).all("tr", "data-i") for path in (site / ROUND / "boards").iterdir()]
    assert sorted(place for board in boards for place in board) == [str(n) for n in range(count)]
    results = list((site / ROUND / "results").glob("*.html"))
    assert len(results) == len(list((site / ROUND / "results").glob("*.json"))) == count
    linked = {href for href in whole.all("a", "href") if "/results/" in href}
    assert linked == {f"../{ROUND}/results/{path.name}" for path in results}


def test_every_result_is_in_the_data_files(site: Path, rows: Rows) -> None:
    ids = sorted(row["id"] for row in rows["results"])
    data = json.loads((site / ROUND / "results.json").read_bytes())
    assert sorted(row["id"] for row in data["results"]) == ids
    with (site / ROUND / "results.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert sorted(line["id"] for line in lines) == ids
    assert {"system": "'" + EVIL[4], "result": "0.001234"}.items() <= lines[-2].items()
    text = (site / ROUND / "data.js").read_text(encoding="utf-8")
    script = json.loads(text.removeprefix("mlcheck.round(").removesuffix(");\n"))
    place = 3 + script["fields"].index("id")
    assert sorted(row[place] for row in script["rows"]) == ids


def test_every_system_and_submitter_has_a_page(site: Path) -> None:
    assert len(list((site / ROUND / "systems").iterdir())) == 5  # one of them not described
    assert len(list((site / ROUND / "submitters").iterdir())) == 3
    assert len(list((site / ROUND / "findings").iterdir())) == 3


def test_numbers_of_a_result_page_are_those_of_the_tables(site: Path, rows: Rows) -> None:
    for result in rows["results"]:
        pages_ = [p for p in (site / ROUND / "results").glob("*.html") if p.stem == result["id"]]
        for page in pages_:
            own = [
                item["value"]
                for name in ("metrics", "quality", "power")
                for item in rows[name]
                if item["result_id"] == result["id"]
            ]
            primary = [
                item["value"]
                for item in rows["metrics"]
                if item["result_id"] == result["id"] and item["role"] == "primary"
            ]
            assert [float(value) for value, _ in parsed(page).data] == primary + own


def test_links_lead_somewhere_and_ids_are_unique(site: Path) -> None:
    assert dead_links(content(site)) == []
    for path in pages(site):
        ids = [attributes["id"] for _, attributes in parsed(path).tags if "id" in attributes]
        assert len(ids) == len(set(ids)), path.name


@pytest.mark.parametrize(
    ("link", "dead"),
    [
        ("b.html", True),
        ("a/b.html", False),
        ("a/b.html#x", False),
        ("a/b.html#y", True),
        ("#top", True),
        ("#q=1", False),
        ("../b.html", True),
        ("https://example.org/x", False),
        ("a/&#34;.html", True),
    ],
)
def test_dead_links_are_found(link: str, dead: bool) -> None:
    files = {"index.html": f'<a href="{link}">'.encode(), "a/b.html": b'<p id="x">'}
    assert bool(dead_links(files)) is dead


def test_a_site_with_a_dead_link_is_not_written(
    rows: Rows, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mlcheck_report.build.ASSETS", ())
    with pytest.raises(ReportError, match=r"index\.html links to assets/style\.css"):
        render(write(rows), out=tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_policy_forbids_all_but_own_files(site: Path) -> None:
    for path in pages(site):
        document = parsed(path)
        (policy,) = [tag["content"] for _, tag in document.tags if "http-equiv" in tag]
        assert policy is not None
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "unsafe" not in policy
        assert document.inline == ""
        names = [name for _, attributes in document.tags for name in attributes]
        assert not [name for name in names if name == "style" or name.startswith("on")]
        outside = [s for s in document.all("script", "src") if re.match(r"\w+:|//", s)]
        assert outside == []
        assert set(document.all("link", "href")) - {"data:,"} == {
            "../" * (len(path.relative_to(site).parts) - 1) + "assets/style.css"
        }


def test_submitted_text_makes_no_elements(site: Path) -> None:
    for path in pages(site):
        document = parsed(path)
        assert not [tag for tag, _ in document.tags if tag in ("img", "iframe", "object", "base")]
        for href in document.all("a", "href"):
            assert not re.match(r"(?!https:)\w+:", href), href


def test_submitted_text_is_shown_as_it_is(site: Path) -> None:
    text = parsed(site / ROUND / "all.html").text
    for evil in (EVIL[0], EVIL[1], EVIL[2], EVIL[4]):
        assert evil in text
    systems = [parsed(path).text for path in (site / ROUND / "systems").iterdir()]
    assert any(EVIL[5] in text for text in systems)


@pytest.mark.parametrize(
    "name",
    ["<script>alert(1)</script>", "\"'`><", "a\u202egnp.exe", "x" * 10_000, "../../x", "CON", "."],
)
def test_hostile_names(rows: Rows, write: Write, tmp_path: Path, name: str) -> None:
    for table in ("results", "systems", "submissions"):
        for row in rows[table]:
            if row["submitter"] == "acme":
                row["submitter"] = name
    for table in ("results", "systems"):
        for row in rows[table]:
            if row["system"] == "box":
                row["system"] = name
    rows["systems"][0]["system_name"] = rows["systems"][0]["accelerator"] = name
    rows["results"][0]["benchmark"] = name
    rows["findings"][0]["rule"] = name
    files = render(write(rows), out=tmp_path / "site")
    for file in files:
        relative = file.relative_to(tmp_path / "site").as_posix()
        assert re.fullmatch(r"[A-Za-z0-9._/-]{1,110}", relative)
    whole = (tmp_path / "site" / ROUND / "all.html").read_text(encoding="utf-8")
    assert len(parsed(tmp_path / "site" / ROUND / "all.html").all("tr", "data-i")) == 8
    assert "<script>alert" not in whole
    data = (tmp_path / "site" / ROUND / "data.js").read_text(encoding="utf-8")
    assert not re.search("[<>&'\u2028\u2029]", data)


def test_same_tables_same_bytes(rows: Rows, write: Write, tmp_path: Path) -> None:
    render(write(rows), out=tmp_path / "a")
    for name in ("submissions", "systems", "results", "findings", "outcomes", "offers"):
        rows[name].reverse()
    render(write(rows), out=tmp_path / "b")
    assert content(tmp_path / "a") == content(tmp_path / "b")


def test_what_a_former_build_left_is_removed(rows: Rows, write: Write, tmp_path: Path) -> None:
    out = tmp_path / "site"
    render(write(rows), out=out)
    (out / "mine.txt").write_text("stays")
    listed = (out / "files.txt").read_text()
    (out / "files.txt").write_text(f"{listed}../tables/results.parquet\n/etc/passwd\n")
    rows["results"] = rows["results"][:1]
    render(write(rows), out=out)
    names = {path.name for path in (out / ROUND / "results").iterdir()}
    assert names == {"aa01.html", "aa01.json"}
    assert (out / "mine.txt").exists()
    assert (tmp_path / "tables" / "results.parquet").exists()


def test_generated_is_shown_when_given(rows: Rows, write: Write, tmp_path: Path) -> None:
    render(write(rows), out=tmp_path / "site", generated="<on a Monday>")
    for page in pages(tmp_path / "site"):
        assert "Generated: &lt;on a Monday&gt;." in page.read_text(encoding="utf-8")


def test_pages_say_whose_they_are(site: Path) -> None:
    for page in pages(site):
        text = parsed(page).text
        assert "mlcheck is independent of MLCommons. MLPerf® is a trademark" in text
        assert "derived figures are not official MLPerf® metrics" in text


def test_tables_are_labelled(site: Path) -> None:
    for page in pages(site):
        document = parsed(page)
        tables = sum(tag == "table" for tag, _ in document.tags)
        assert sum(tag == "caption" for tag, _ in document.tags) == tables, page.name
        heads = [attributes for tag, attributes in document.tags if tag == "th"]
        assert all("scope" in attributes for attributes in heads), page.name
        assert document.all("html", "lang") == ["en"]
        assert sum(tag == "h1" for tag, _ in document.tags) == 1, page.name


def test_json_can_stand_in_a_script() -> None:
    text = "</script><!-- & ' \u2028"
    written = json_for_script([text])
    assert not re.search("[<>&'\u2028]", written)
    assert json.loads(written) == [text]


def test_breakable_escapes() -> None:
    assert breakable("a_<b>") == "a_<wbr>&lt;b&gt;"


@pytest.mark.parametrize(
    ("repository", "commit", "base"),
    [
        ("https://github.com/o/n.git", "0" * 40, f"https://github.com/o/n/blob/{'0' * 40}/"),
        ("o/n", "abcdef1", "https://github.com/o/n/blob/abcdef1/"),
        ("javascript:alert(1)//o/n", "0" * 40, None),
        ("https://evil.example/o/n", "0" * 40, None),
        ("../..", "0" * 40, None),
        ("o/n", "main", None),
        (None, None, None),
    ],
)
def test_only_pinned_repositories_are_linked(
    repository: str | None, commit: str | None, base: str | None
) -> None:
    row = {"division": "closed", "submitter": "acme"}
    row_of_table = row | {"source_repository": repository, "source_commit": commit}
    assert sources([row_of_table]).base(row) == base


@pytest.mark.parametrize(
    ("path", "line", "at"),
    [
        ("a b/c#d.txt", 3, "https://x/a%20b/c%23d.txt#L3"),
        ("a/../../b", 0, None),
        ('"><script>', 0, "https://x/%22%3E%3Cscript%3E"),
    ],
)
def test_addresses(path: str, line: int, at: str | None) -> None:
    assert address("https://x/", path, line) == at
    assert address(None, path, line) is None
