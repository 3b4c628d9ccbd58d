"""``riverlog log dump``: what the files of a log folder hold, and whether they are sound."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from riverlog.cli.errors import UserError
from riverlog.cli.output import counted
from riverlog.cli.shell import EXIT_FAILED, examples, guarded

app = typer.Typer(name="log", help="Look into log folders, offline.", no_args_is_help=True)


@app.callback()
def log() -> None:
    """Look into log folders, offline."""


@app.command(
    epilog=examples(
        "riverlog log dump data/orders-0",
        "riverlog log dump data/orders-0/00000000000000000000.log --records",
        "riverlog log dump data/__cluster_metadata-0 --metadata",
    )
)
@guarded
def dump(
    paths: Annotated[list[Path], typer.Argument(metavar="FILE_OR_FOLDER...", help="What to look into.")],
    records: Annotated[bool, typer.Option("--records", "-r", help="Show records too.")] = False,
    metadata: Annotated[
        bool, typer.Option("--metadata", help="Decode records as those of __cluster_metadata.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """Show batches, indexes, snapshots and checkpoints. Every checksum and index entry is verified.

    The exit code is 1 if anything is wrong.
    """
    from riverlog.cli.dump import METADATA_FOLDER, dump_file, known_files

    problems = 0
    for path in paths:
        if not path.exists():
            raise UserError(f"{path}: no such file or folder")
        files = known_files(path)
        if not files:
            raise UserError(f"{path}: no files of a log folder in it")
        for file in files:
            is_metadata = metadata or file.resolve().parent.name == METADATA_FOLDER
            if not as_json:
                print(f"{file}:")
            for row in _readable(file, dump_file(file, records=records or metadata, metadata=is_metadata)):
                problems += row["row"] == "problem"
                print(json.dumps({"file": str(file), **row}) if as_json else f"  {row_text(row)}")
    if problems:
        if not as_json:
            print(f"{counted(problems, 'problem')} found")
        raise typer.Exit(EXIT_FAILED)


def _readable(file: Path, rows: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The rows; a file that cannot be read is the user's to know."""
    try:
        yield from rows
    except OSError as bad:
        raise UserError(f"{file}: {bad.strerror}") from None


def row_text(row: dict[str, Any]) -> str:
    """One row as one line."""
    match row["row"]:
        case "batch":
            return _batch_text(row)
        case "record":
            return "  " + _fields(row, skip={"row"})
        case "text":
            return str(row["text"])
        case "problem":
            where = ", ".join(f"{name} {row[name]}" for name in row if name not in ("row", "problem"))
            return f"PROBLEM {where + ': ' if where else ''}{row['problem']}"
        case kind:
            return f"{kind} {_fields(row, skip={'row'})}"


def _batch_text(row: dict[str, Any]) -> str:
    parts = [
        f"batch {row['base_offset']}-{row['last_offset']}",
        f"records {row['records']}",
        f"position {row['position']}",
        f"size {row['size']}",
        f"epoch {row['leader_epoch']}",
        row["compression"],
        f"{row['timestamp_type']} {moment(row['max_timestamp'])}",
    ]
    if row["producer_id"] >= 0:
        parts.append(f"producer {row['producer_id']} epoch {row['producer_epoch']}")
        parts.append(f"sequence {row['base_sequence']}-{row['last_sequence']}")
    parts += row["flags"]
    parts.append(f"crc {row['crc']} {'ok' if row['valid'] else 'WRONG'}")
    return ", ".join(parts)


def _fields(row: dict[str, Any], *, skip: set[str]) -> str:
    shown = []
    for name, value in row.items():
        if name in skip or (name == "headers" and not value):
            continue
        text = (
            moment(value) if name == "timestamp" else value if isinstance(value, str) else json.dumps(value)
        )
        shown.append(f"{name} {text if text.isprintable() else json.dumps(text)}")
    return ", ".join(shown)


def moment(timestamp: int) -> str:
    """Milliseconds as a date, or as they are where they are none."""
    try:
        whole = datetime.fromtimestamp(timestamp // 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return str(timestamp)
    if timestamp < 0:
        return str(timestamp)
    return f"{whole:%Y-%m-%dT%H:%M:%S}.{timestamp % 1000:03d}Z"
