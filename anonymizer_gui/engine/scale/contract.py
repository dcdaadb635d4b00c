"""What an engine reads: Parquet files, CSV files by a pattern, a table of a DuckDB file, an address of a cluster."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from anonymizer_gui.engine.core.errors import AnonymizerError, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io import ReadOptions, preview, sniff
from anonymizer_gui.engine.data.tables.io.options import WriteOptions
from anonymizer_gui.engine.storage.saving import create_locked, lock_if_abandoned, write_error
from anonymizer_gui.engine.storage.sources import (
    DATABASE_SUFFIXES,
    PARQUET_SUFFIXES,
    TEXT_SUFFIXES,
    files_of_table,
    is_address,
    is_pattern,
    table_checksum,
    table_suffix,
)

if TYPE_CHECKING:
    import pyarrow as pa


PARQUET, CSV, DATABASE, REMOTE = "parquet", "csv", "database", "remote"

_KINDS = {
    **dict.fromkeys(PARQUET_SUFFIXES, PARQUET),
    **dict.fromkeys(TEXT_SUFFIXES, CSV),
    **dict.fromkeys(DATABASE_SUFFIXES, DATABASE),
}

_OF_CLUSTERS = ("s3", "s3a", "s3n", "gs", "abfs", "abfss", "wasb", "wasbs", "hdfs", "viewfs", "dbfs", "oss", "table")

_KNOWN = "Name a Parquet file or a folder of them, CSV files (*.csv), or a DuckDB file."


@dataclass(frozen=True, slots=True)
class EngineInput:
    """A table that stays where it is: its place as it was named, kind, files, and how text files are read."""

    place: str
    kind: str
    files: tuple[Path, ...] = ()
    options: ReadOptions = field(default_factory=ReadOptions)
    names: tuple[str, ...] = ()
    """The names in the header, of text files; others tell their names themselves."""

    @property
    def size(self) -> int:
        """The bytes of all files."""
        return sum(file.stat().st_size for file in self.files)

    def digest(self, progress: Progress = SILENT) -> str:
        """Give the SHA-256 of the one file, or of the names and checksums of several; nothing of what is elsewhere."""
        return table_checksum(self.files, progress)


def find_input(place: str, options: ReadOptions | None = None) -> EngineInput:
    """Find what a place holds: file, folder, pattern with `*`, or an address that only a cluster knows.

    Raises UnreadableFile when there is nothing an engine could read.
    """
    if is_address(place):
        return EngineInput(place, REMOTE, options=options or ReadOptions())
    files = files_of_table(place)
    kinds = {_KINDS.get(table_suffix(file)) for file in files}
    if len(kinds) != 1 or None in kinds:
        raise UnreadableFile(message("“{name}” holds nothing an engine could read.", name=Path(place).name), _KNOWN)
    kind = str(kinds.pop())
    if kind != CSV:
        return EngineInput(place, kind, files, options or ReadOptions())
    chosen = options or sniff(files[0])
    return EngineInput(place, kind, files, chosen, _header(files, chosen))


def is_for_engines(place: str) -> bool:
    """Tell whether only an engine can read a place: a folder, a pattern or a DuckDB file."""
    if is_address(place):
        return False
    return Path(place).is_dir() or _KINDS.get(table_suffix(Path(place))) == DATABASE or is_pattern(place)


def is_for_cluster(place: str) -> bool:
    """Tell whether only a cluster sees a place: a store of objects, its own file system, a table of its catalogue.

    >>> is_for_cluster("s3://bucket/people.parquet"), is_for_cluster("sqlite:///people.db")
    (True, False)
    """
    return is_address(place) and place.partition("://")[0].lower() in _OF_CLUSTERS


def _header(files: tuple[Path, ...], options: ReadOptions) -> tuple[str, ...]:
    """Give the names of the columns, which must be the same in every file."""
    names: tuple[str, ...] = ()
    for file in files:
        seen = preview(file, options, rows=1)
        if seen.error is not None and not seen.table.names:
            raise seen.error
        names = names or seen.table.names
        if seen.table.names != names:
            raise UnreadableFile(
                message("“{name}” has other columns than “{other}”.", name=file.name, other=files[0].name),
                "Choose files of one table.",
            )
    return names


class EngineFailed(AnonymizerError):
    """An engine could not do what it was asked: it ended, was cut off, or had too little room."""


class Engine(Protocol):
    """Somebody who answers SQL about tables; one at a time, and stopped by progress."""

    @property
    def address(self) -> str:
        """How it is called on the command line: duckdb, or sc://host:port."""

    def described(self) -> dict[str, str]:
        """Tell what it is and in which version, for the certificate."""

    def name(self, text: str) -> str:
        """Quote the name of a table or column."""

    def sampled(self, rows: int) -> str:
        """Give the SQL of so many rows of the source, drawn at random but the same every time."""

    def open(self, source: EngineInput, progress: Progress = SILENT) -> list[str]:
        """Give a table the names `opened` and `source` and its columns c0, c1, ...; returns the names they had."""

    def see(self, name: str, sql: str, progress: Progress = SILENT) -> None:
        """Give a query a name; it is asked anew whenever the name is used."""

    def run(self, sql: str, progress: Progress = SILENT) -> None:
        """Do something that has no answer; raises EngineFailed."""

    def keep(self, name: str, sql: str, progress: Progress = SILENT) -> None:
        """Keep the answer to a query under a name until the engine is closed."""

    def fetch(self, sql: str, progress: Progress = SILENT, *, last: bool = False) -> "Iterator[pa.RecordBatch]":
        """Give the answer to a query, some rows at a time; nothing more is asked after the `last` one."""

    def load(self, name: str, table: "pa.Table", progress: Progress = SILENT) -> None:
        """Take a table and keep it under a name."""

    def write(
        self, sql: str, names: Sequence[str], target: Path, options: WriteOptions, progress: Progress = SILENT
    ) -> None:
        """Write the answer to a query into a file of the kind its name tells, in the order it comes in.

        The query gives the texts t0, t1, ..., which get these names, and n, how often each row is written.
        """

    def read(self, name: str, target: Path, columns: int, options: WriteOptions, progress: Progress = SILENT) -> None:
        """Give a file that was written the name `name` and its columns the names c0, c1, ..."""

    def close(self) -> None:
        """End it, and take away what it has left on the disk."""


_PREFIX = "anonymizer-spill-"

_LOCK = "in-use"


class SpillFolder:
    """A folder that only its owner may read; it is gone once it is closed, or by the next one after a kill."""

    def __init__(self, place: Path | None = None) -> None:
        parent = place or Path(tempfile.gettempdir())
        sweep_spills(parent)
        try:
            self.folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
            self._lock = create_locked(self.folder / _LOCK, private=True)
        except OSError as error:
            raise write_error(parent, error) from error
        self._given = 0

    def new(self, suffix: str) -> Path:
        """Give a name nothing has yet."""
        self._given += 1
        return self.folder / f"{self._given}{suffix}"

    def close(self) -> None:
        """Remove the folder with all it holds."""
        self._lock.release()
        shutil.rmtree(self.folder, ignore_errors=True)


def sweep_spills(parent: Path) -> None:
    """Remove the folders of programs that do not run any more; it is nobody's error if that fails."""
    with contextlib.suppress(OSError):
        for folder in parent.glob(f"{_PREFIX}*"):
            if not folder.is_symlink() and folder.stat().st_uid == _own_id(folder):
                _sweep_one(folder)


def _own_id(folder: Path) -> int:
    return os.getuid() if hasattr(os, "getuid") else folder.stat().st_uid


def _sweep_one(folder: Path) -> None:
    with contextlib.suppress(OSError), lock_if_abandoned(folder / _LOCK) as is_abandoned:
        if is_abandoned:
            shutil.rmtree(folder, ignore_errors=True)
