"""Reads and writes Parquet files: one text per value in, fresh texts and nothing else out."""

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import MissingExtra, UnreadableFile, UnwritableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io.contract import (
    READERS,
    WRITERS,
    TableAddress,
    TextEncoder,
    build_table,
    check_cells,
    check_column_count,
    max_cells,
    written_labels,
    written_names,
)
from anonymizer_gui.engine.data.tables.io.input_stream import checked_path
from anonymizer_gui.engine.data.tables.io.options import ReadOptions, WriteOptions
from anonymizer_gui.engine.data.tables.io.read_report import ReadReport
from anonymizer_gui.engine.data.tables.normalisation import canonical_text, repair_names
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table
from anonymizer_gui.engine.storage.safe_open import open_regular

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS_AT_ONCE = 1 << 16
_CELLS_AT_ONCE = 1 << 23
_VALUES_AT_ONCE = 1 << 12
"""Arrow makes so many Python values in one go: other threads wait so long."""
_MAGIC, _ENCRYPTED = b"PAR1", b"PARE"


def _parquet() -> ModuleType:
    try:
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra(
            "Parquet files need the package pyarrow, which is not installed.",
            message("Install it with: {command}", command="pip install 'anonymizer-gui[parquet]'"),
        ) from None
    module: ModuleType = pyarrow.parquet
    return module


@READERS.register
class ParquetReader:
    """Columns of Parquet files."""

    name: ClassVar[str] = "parquet"
    title: ClassVar[str] = "Parquet"
    summary: ClassVar[str] = "A columnar file; numbers and dates are read as their shortest exact text."
    suffixes: ClassVar[tuple[str, ...]] = (".parquet", ".pq")
    choices: ClassVar[tuple[str, ...]] = ("decimal", "missing")
    is_apart: ClassVar[bool] = True
    packages: ClassVar[tuple[str, ...]] = ("pyarrow.parquet",)

    def accepts(self, source: TableAddress, head: bytes) -> bool:
        """Know the file by its first bytes."""
        return head.startswith((_MAGIC, _ENCRYPTED))

    def parts(self, source: TableAddress) -> tuple[str, ...]:
        """Offer no choice: the file is one table."""
        return ()

    def sniff(self, source: TableAddress) -> ReadOptions:
        """Propose the plain options."""
        return ReadOptions()

    def read(
        self, source: TableAddress, options: ReadOptions, progress: Progress, limit: int | None
    ) -> tuple[Table, ReadReport]:
        """Read the table, or its first `limit` rows."""
        path = checked_path(source)
        parquet = _parquet()
        import pyarrow as pa

        try:
            with open_regular(path) as raw, parquet.ParquetFile(raw) as file:
                return self._read(file, path, options, progress, limit)
        except MemoryError:
            raise  # Arrow's own is one of damage, too
        except (pa.ArrowException, OSError, ValueError, UnicodeDecodeError, OverflowError):
            raise UnreadableFile(
                message("“{name}” is damaged, encrypted or not a Parquet file.", name=path.name),
                "Fetch it again or save it anew.",
            ) from None

    def _read(
        self, file: "pa.parquet.ParquetFile", path: Path, options: ReadOptions, progress: Progress, limit: int | None
    ) -> tuple[Table, ReadReport]:
        header = list(file.schema_arrow.names)
        check_column_count(len(header))
        coders = [TextEncoder() for _ in header]
        total, count = file.metadata.num_rows, 0
        size = min(_ROWS_AT_ONCE, _CELLS_AT_ONCE // max(len(header), 1), total if limit is None else limit)
        check_cells(total if limit is None else min(limit, total), len(header), max_cells(path.stat().st_size))
        for batch in file.iter_batches(batch_size=max(size, 1)):
            for coder, values in zip(coders, batch.columns, strict=True):
                add_values(coder, values)
                progress.check()
            count += batch.num_rows
            progress(0.9 * count / max(total, 1), message("Reading {count:row|rows}", count=count))
            if limit is not None and count >= limit:
                break
        names, renamed = repair_names(header)
        report = ReadReport(source=path.name, kind=self.name, renamed=renamed, notes=_notes(file.schema_arrow))
        return build_table(names, [coder.finish() for coder in coders], count, options, report)


def add_values(coder: TextEncoder, values: "pa.Array") -> None:
    """Make texts of the distinct values only; nested values have no distinct and are taken one by one."""
    import pyarrow as pa

    if pa.types.is_nested(values.type) or pa.types.is_null(values.type):
        coder.add([canonical_text(value) for value in _python_values(values)])
        return
    if not pa.types.is_dictionary(values.type):
        values = values.dictionary_encode()
    codes = values.indices.fill_null(len(values.dictionary)).to_numpy(zero_copy_only=False)
    coder.add_coded(codes, [*texts_of(values.dictionary), ""])


def texts_of(values: "pa.Array") -> list[str]:
    """Give the text of every value of an Arrow array."""
    import pyarrow as pa

    if pa.types.is_timestamp(values.type) and not _is_known_zone(values.type.tz):
        values = values.cast(pa.timestamp(values.type.unit, "UTC"))
    if pa.types.is_float32(values.type) or pa.types.is_float16(values.type):
        return [canonical_text(value) for value in values.to_numpy(zero_copy_only=False)]
    if pa.types.is_timestamp(values.type) and values.type.unit == "ns":
        return [_nanoseconds(text) for text in _python_values(values.cast(pa.string()))]
    return [canonical_text(value) for value in _python_values(values)]


def _is_known_zone(zone: str | None) -> bool:
    """Tell whether moments can be given in a time zone; files may name any."""
    import pyarrow as pa

    if zone is None:
        return True
    try:
        pa.scalar(0, pa.timestamp("s", zone)).as_py()
    except (pa.ArrowException, LookupError, ValueError, OSError):
        return False
    return True


def _notes(schema: "pa.Schema") -> tuple[str, ...]:
    import pyarrow as pa

    odd = [field.name for field in schema if pa.types.is_timestamp(field.type) and not _is_known_zone(field.type.tz)]
    return (
        (message("The time zone is not known, and moments were read in UTC, in: {columns}.", columns=odd),)
        if odd
        else ()
    )


def _python_values(values: "pa.Array") -> Iterator[Any]:
    for start in range(0, len(values), _VALUES_AT_ONCE):
        yield from values.slice(start, _VALUES_AT_ONCE).to_pylist()


def _nanoseconds(text: str | None) -> str:
    """Shorten the text of a moment as the other kinds of moments are written."""
    if text is None:
        return ""
    day, _, time = text.partition(" ")
    time = time.rstrip("0").rstrip(".") if "." in time and "+" not in time and "Z" not in time else time
    return day if time == "00:00:00" else f"{day} {time}"


@WRITERS.register
class ParquetWriter:
    """Parquet with texts only: no dictionary, no statistics, no metadata of any source."""

    name: ClassVar[str] = "parquet"
    title: ClassVar[str] = "Parquet"
    summary: ClassVar[str] = "A columnar file of texts; missing cells are null."
    suffixes: ClassVar[tuple[str, ...]] = (".parquet", ".pq")

    def write(self, table: Table, path: Path, options: WriteOptions, progress: Progress) -> None:
        """Write the table in row groups."""
        parquet = _parquet()
        import pyarrow as pa

        names = written_names(table, options)
        schema = pa.schema([pa.field(name, pa.string()) for name in names])
        labels = [_labels(column, options) for column in table.columns]
        try:
            with parquet.ParquetWriter(
                path, schema, use_dictionary=False, write_statistics=False, store_schema=False, compression="snappy"
            ) as writer:
                for start in range(0, table.n_rows, _ROWS_AT_ONCE):
                    rows = slice(start, min(start + _ROWS_AT_ONCE, table.n_rows))
                    arrays = [
                        pa.array(texts[c.codes[rows]], pa.string())
                        for texts, c in zip(labels, table.columns, strict=True)
                    ]
                    writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
                    progress(rows.stop / table.n_rows, message("Writing {count:row|rows}", count=rows.stop))
        except pa.ArrowException:
            raise UnwritableFile(
                message("“{name}” cannot be written as Parquet.", name=path.name), "Choose another format."
            ) from None


def _labels(column: Column, options: WriteOptions) -> "np.ndarray[tuple[int], np.dtype[np.object_]]":
    texts: list[str | None] = [*written_labels(column, options)]
    if MISSING in column.labels and not options.missing:
        texts[column.labels.index(MISSING)] = None
    return np.array([*texts, None], dtype=object)
