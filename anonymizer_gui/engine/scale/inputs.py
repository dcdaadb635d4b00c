"""What an engine reads: Parquet files, CSV files by a pattern, a table of a DuckDB file, an address of a cluster."""

from dataclasses import dataclass, field
from pathlib import Path

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io import ReadOptions, preview, sniff
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

PARQUET, CSV, DATABASE, REMOTE = "parquet", "csv", "database", "remote"
_KINDS = {
    **dict.fromkeys(PARQUET_SUFFIXES, PARQUET),
    **dict.fromkeys(TEXT_SUFFIXES, CSV),
    **dict.fromkeys(DATABASE_SUFFIXES, DATABASE),
}
_OF_CLUSTERS = ("s3", "s3a", "s3n", "gs", "abfs", "abfss", "wasb", "wasbs", "hdfs", "viewfs", "dbfs", "oss", "table")
_KNOWN = "Name a Parquet file or a folder of them, CSV files (*.csv), or a DuckDB file."


@dataclass(frozen=True, slots=True)
class Input:
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


def input_of(place: str, options: ReadOptions | None = None) -> Input:
    """Find what a place holds: file, folder, pattern with `*`, or an address that only a cluster knows.

    Raises UnreadableFile when there is nothing an engine could read.
    """
    if is_address(place):
        return Input(place, REMOTE, options=options or ReadOptions())
    files = files_of_table(place)
    kinds = {_KINDS.get(table_suffix(file)) for file in files}
    if len(kinds) != 1 or None in kinds:
        raise UnreadableFile(message("“{name}” holds nothing an engine could read.", name=Path(place).name), _KNOWN)
    kind = str(kinds.pop())
    if kind != CSV:
        return Input(place, kind, files, options or ReadOptions())
    chosen = options or sniff(files[0])
    return Input(place, kind, files, chosen, _header(files, chosen))


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
