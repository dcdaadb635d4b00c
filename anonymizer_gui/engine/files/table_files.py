"""The files a table lies in: one, those of a folder, or those a pattern with `*` names; and one checksum of all."""

import glob
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.files.source import checksum

PARQUET_SUFFIXES = (".parquet", ".pq")
TEXT_SUFFIXES = (".csv", ".tsv", ".tab", ".txt")
DATABASE_SUFFIXES = (".duckdb", ".ddb")
_READABLE = (*PARQUET_SUFFIXES, *TEXT_SUFFIXES, *DATABASE_SUFFIXES)


def files_of(place: str) -> tuple[Path, ...]:
    """Find the files of a table; raises UnreadableFile when there is nothing."""
    path = Path(place)
    if path.is_file():
        return (path.resolve(),)
    if path.is_dir():
        inside = [file for file in sorted(path.rglob("*")) if file.is_file() and not _is_hidden(file, path)]
        return tuple(file.resolve() for file in inside if is_readable(file))
    found = [Path(file) for file in sorted(glob.glob(place, recursive=True))] if is_pattern(place) else []
    files = tuple(file.resolve() for file in found if file.is_file())
    if not files:
        raise UnreadableFile(
            message("There is nothing called “{name}”.", name=path.name), "Check the name and the folder."
        )
    return files


def digest_of(files: Sequence[Path], progress: Progress = SILENT) -> str:
    """Give the SHA-256 of the one file, or of the names and checksums of several; nothing where there is none."""
    if len(files) == 1:
        return checksum(files[0], progress)
    if not files:
        return ""
    each = [[file.name, checksum(file)] for file in files]
    return hashlib.sha256(json.dumps(each).encode()).hexdigest()


def is_pattern(place: str) -> bool:
    """Tell whether a place names files by a pattern."""
    return any(sign in place for sign in "*?[") and not Path(place).exists()


def is_readable(path: Path) -> bool:
    """Tell whether a file is of a kind that engines read."""
    return suffix_of(path) in _READABLE


def is_table_folder(folder: Path) -> bool:
    """Tell whether there are files in a folder that an engine may take for a table."""
    return any(is_readable(file) and not _is_hidden(file, folder) for file in folder.rglob("*"))


def suffix_of(path: Path) -> str:
    """Give what tells the kind of a file; packed text is text."""
    return path.with_suffix("").suffix.lower() if path.suffix.lower() == ".gz" else path.suffix.lower()


def _is_hidden(file: Path, folder: Path) -> bool:
    """Leave out what programs keep beside their data, such as _SUCCESS and half-written files."""
    return any(part.startswith((".", "_")) for part in file.relative_to(folder).parts)
