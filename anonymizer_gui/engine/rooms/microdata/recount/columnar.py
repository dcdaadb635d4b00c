"""Cells of a Parquet file, by pyarrow itself."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from anonymizer_gui.engine.core.errors import MissingExtra
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.rooms.microdata.recount.asked import Reading
from anonymizer_gui.engine.rooms.microdata.recount.file_cells import ROWS_AT_ONCE, Block, Cells, damaged, texts


@contextmanager
def opened(path: Path, reading: Reading, *, in_order: bool = True) -> Iterator[Cells]:
    """Read names and cells; a cell without a value is empty."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra(
            message("Parquet files need the package pyarrow, which is not installed."),
            message("Install it with: {command}", command="pip install 'anonymizer-gui[parquet]'"),
        ) from None
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            total = max(file.metadata.num_rows, 1)

            def blocks() -> Iterator[Block]:
                count = 0
                for batch in file.iter_batches(batch_size=ROWS_AT_ONCE):
                    count += batch.num_rows
                    yield Block([texts(column.to_pylist()) for column in batch.columns], count / total)

            yield Cells(file.schema_arrow.names, blocks())
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError):
        raise damaged(path) from None
