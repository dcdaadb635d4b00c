"""Rows that an engine has counted, written on this machine as often as they occur."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io.options import WriteOptions

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS_AT_ONCE = 1 << 17


def write_rows(
    batches: "Iterable[pa.RecordBatch]",
    names: Sequence[str],
    target: Path,
    options: WriteOptions,
    progress: Progress = SILENT,
) -> None:
    """Write rows of texts, whose last column says how often each occurs, as Parquet or delimited text."""
    if target.suffix.lower() in (".parquet", ".pq"):
        _write_parquet(_repeated(batches, progress), names, target)
    else:
        _write_text(_repeated(batches, progress), names, target, options)


def _repeated(batches: "Iterable[pa.RecordBatch]", progress: Progress) -> "Iterator[pa.RecordBatch]":
    """Tell every row as often as it occurs, some at a time however often that is."""
    import pyarrow as pa

    for batch in batches:
        left = batch.column(batch.num_columns - 1).to_numpy(zero_copy_only=False).astype(np.int64)
        ends = np.cumsum(left)
        total = int(ends[-1]) if len(ends) else 0
        for start in range(0, total, _ROWS_AT_ONCE):
            progress.check()
            rows = np.searchsorted(ends, np.arange(start, min(start + _ROWS_AT_ONCE, total)), side="right")
            yield pa.RecordBatch.from_arrays(
                [column.take(pa.array(rows)) for column in batch.columns[:-1]], names=batch.schema.names[:-1]
            )


def _write_parquet(batches: "Iterable[pa.RecordBatch]", names: Sequence[str], target: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet

    schema = pa.schema([pa.field(name, pa.string()) for name in names])
    with pyarrow.parquet.ParquetWriter(
        target, schema, use_dictionary=True, write_statistics=False, store_schema=False, compression="snappy"
    ) as writer:
        for batch in batches:
            columns = [column.cast(pa.string()) for column in batch.columns]
            writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=schema))


def _write_text(batches: "Iterable[pa.RecordBatch]", names: Sequence[str], target: Path, options: WriteOptions) -> None:
    is_tabbed = target.suffix.lower() in (".tsv", ".tab") and options.delimiter == ","
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t" if is_tabbed else options.delimiter, lineterminator="\n")
        writer.writerow(names)
        for batch in batches:
            columns = [["" if cell is None else cell for cell in column.to_pylist()] for column in batch.columns]
            writer.writerows(zip(*columns, strict=True))
