"""Rows that an engine gives, as a table in memory."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from anonymizer_gui.engine.data.tables.io.contract import TextEncoder
from anonymizer_gui.engine.data.tables.io.parquet import add_values
from anonymizer_gui.engine.data.tables.normalisation import NormalisationCounts, normalise_column
from anonymizer_gui.engine.data.tables.table import Table

if TYPE_CHECKING:
    import pyarrow as pa


def table_of(names: Sequence[str], batches: "Iterable[pa.RecordBatch]", missing: Iterable[str] = ()) -> Table:
    """Make a table of an engine's answer, whose columns are in the order of the names."""
    coders = [TextEncoder() for _ in names]
    n_rows = 0
    for batch in batches:
        n_rows += batch.num_rows
        for coder, values in zip(coders, batch.columns, strict=True):
            add_values(coder, values)
    tokens, tally = frozenset(missing), NormalisationCounts()
    columns = [
        normalise_column(name, np.asarray(codes), labels, tokens, tally)
        for name, (codes, labels) in zip(names, (coder.finish() for coder in coders), strict=True)
    ]
    return Table(tuple(columns), n_rows)
