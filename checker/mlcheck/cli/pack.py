"""``mlcheck pack``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlcheck.cli import configuring, judging

if TYPE_CHECKING:
    from mlcheck.model import Report
    from mlcheck.prepare.pack import Packed
    from mlcheck.settings.resolve import Settings

SUFFIX = ".tar.gz"


def pack(
    path: judging.Root,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE.tar.gz", help="Archive to write.")
    ],
    suite: judging.Suite = None,
    round_: judging.Round = None,
    gate: Annotated[str | None, typer.Option(help="policy, official or warning.")] = None,
    waivers: Annotated[str | None, typer.Option(metavar="FILE", help="As for verify.")] = None,
    profile: configuring.Profile = None,
    config: configuring.Config = None,
    no_config: configuring.NoConfig = False,  # noqa: FBT002
    force: Annotated[bool, typer.Option("--force", help="Pack what fails the gate.")] = False,  # noqa: FBT002
) -> None:
    """Verify a submission and pack it: the same tree gives the same bytes, whoever packs it.

    Beside the archive go FILE.tar.gz.sha256, FILE.sums (a line per file, for sha256sum -c) and
    FILE.pack.json, which says what mlcheck found. Exit code: as of verify.
    """
    from mlcheck.cli.gating import carried_out, planned
    from mlcheck.output.summary import Gate, summarise

    if not out.name.endswith(SUFFIX):
        judging.leave(f"{out}: give a name that ends with {SUFFIX}", judging.USAGE)
    judging.keep_out(path, out)
    given = {"suite": suite, "round": round_, "gate": gate, "waivers": waivers, "profile": profile}
    settings = configuring.configured(path, config, given, no_config=no_config)
    report = carried_out(planned(path, settings), None)
    code = summarise(report).exit_code(Gate(settings["gate"]))
    if code and not (force and code == 1):
        typer.echo(f"mlcheck: not packed: the gate {settings['gate']} fails", err=True)
        raise typer.Exit(code)
    packed = _packed(path, out)
    _write_beside(out, packed, report, settings)
    typer.echo(f"{out}: {len(packed.sums):,} files, {packed.size:,} bytes, sha256 {packed.sha256}")
    raise typer.Exit(code)


def _packed(path: str, out: Path) -> Packed:
    from mlcheck.prepare.pack import PackError, pack
    from mlcheck.tree import Tree

    part = out.with_name(f".{out.name}.part")
    top = out.name.removesuffix(SUFFIX)
    try:
        packed = pack(Tree(path), top, str(part))
        part.replace(out)
    except PackError as err:
        part.unlink(missing_ok=True)
        judging.leave(str(err), judging.USAGE)
    except OSError as err:
        part.unlink(missing_ok=True)
        judging.leave(f"cannot write {out}: {err.strerror}", judging.USAGE)
    except BaseException:  # also if the user interrupts
        part.unlink(missing_ok=True)
        raise
    return packed


def _write_beside(out: Path, packed: Packed, report: Report, settings: Settings) -> None:
    from mlcheck.output.write import write_whole

    top = out.name.removesuffix(SUFFIX)
    sums = "".join(f"{digest}  {top}/{file}\n" for file, digest in packed.sums.items())
    texts = {
        out.with_name(f"{out.name}.sha256"): f"{packed.sha256}  {out.name}\n",
        out.with_name(f"{top}.sums"): sums,
        out.with_name(f"{top}.pack.json"): _statement(out, packed, report, settings),
    }
    for file, text in texts.items():
        try:
            write_whole(file, text)
        except OSError as err:
            judging.leave(f"cannot write {file}: {err.strerror}", judging.USAGE)


def _statement(out: Path, packed: Packed, report: Report, settings: Settings) -> str:
    from mlcheck.output.json_report import as_document

    document = as_document(report)
    kept = ("schema_version", "tool", "summary")
    statement = {
        **{name: document[name] for name in kept},
        "rulesets": [
            {"suite": ref.suite, "round": ref.round, "sha256": ref.sha256}
            for ref in report.rulesets
        ],
        "gate": settings["gate"],
        "waivers": [
            {"rule": w.rule, "path": w.path, "why": w.words, "findings": len(w.findings)}
            for w in report.waivers
        ],
        "archive": {"name": out.name, "sha256": packed.sha256, "files": len(packed.sums)},
    }
    return json.dumps(statement, indent=1) + "\n"
