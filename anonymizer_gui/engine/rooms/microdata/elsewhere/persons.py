"""Whom the rows of a table beyond memory are about: everybody has a number, however the engine writes the ids.

Counted are then combinations with the person in them, so that different people are counted as in memory; their ids
stay in the engine, and no list of them is made here.
"""

from collections.abc import Sequence

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import MISSING, UnlabelledColumn
from anonymizer_gui.engine.rooms.microdata.meeting.shown import folded
from anonymizer_gui.engine.scale.contract import Engine
from anonymizer_gui.engine.scale.frequency_set import (
    DistinctValues,
    ValueRewrites,
    counted_values,
    distinct_from_arrow,
    refuse_too_many,
)

MOST_PEOPLE = 100_000_000


def numbered_people(
    engine: Engine, at: int, name: str, missing: Sequence[str], written: ValueRewrites, progress: Progress = SILENT
) -> DistinctValues:
    """Number the people of a column from 1 on, 0 being nobody: capital letters and white space make no other person."""
    import pyarrow as pa

    raws: list[pa.Array] = []
    folds: list[pa.Array] = []
    times = []
    for raw, counts in counted_values(engine, at, name, progress):
        column = written.column(distinct_from_arrow(name, raw, counts, missing))
        texts = pa.array([None if label == MISSING else folded(label) for label in column.labels], pa.string())
        raws.append(raw)
        folds.append(texts.take(pa.array(column.codes)))
        times.append(counts)
        refuse_too_many(sum(map(len, raws)), MOST_PEOPLE, name)
    # Arrow numbers texts without making an object of each.
    people = pa.chunked_array(folds, pa.string()).dictionary_encode().chunks
    codes = [piece.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64) for piece in people]
    nobody = np.empty(0, dtype=np.int64)
    column = UnlabelledColumn(name, np.concatenate([nobody, *codes]) + 1, (), np.concatenate([nobody, *times]))
    return DistinctValues(at, pa.concat_arrays(raws) if raws else pa.array([], pa.string()), column)
