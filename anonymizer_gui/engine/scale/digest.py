"""One checksum of what a release says, whatever order its rows have: SHA-256 over distinct rows, sorted, with counts.

Same rows, same checksum, whichever engine wrote them into whichever kind of file; an empty cell is a missing one.
"""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.scale.contract import Engine

if TYPE_CHECKING:
    import pyarrow as pa


def canonical_digest(engine: Engine, rows: str, columns: Sequence[str], progress: Progress = SILENT) -> str:
    """Give the canonical SHA-256 of some rows of texts; `rows` names them, `n` is their count."""
    cells = [f"coalesce({name}, '') AS t{at}" for at, name in enumerate(columns)]
    listed = ", ".join(f"t{at}" for at in range(len(columns)))
    sql = (
        f"SELECT {listed}, CAST(sum(n) AS BIGINT) AS times FROM (SELECT {', '.join([*cells, 'n'])} FROM {rows}) r "
        f"GROUP BY {listed} ORDER BY {listed}"
    )
    digest = hashlib.sha256()
    for batch in engine.fetch(sql, progress):
        digest.update(_lines(batch))
    return digest.hexdigest()


def _lines(batch: "pa.RecordBatch") -> bytes:
    """Write rows as lines of cells with tabs between; what could be taken for either is written otherwise."""
    import pyarrow as pa
    import pyarrow.compute as pc

    cells = []
    for column in batch.columns:
        texts = column.cast(pa.string())
        for sign, written in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n")):
            if pc.any(pc.match_substring(texts, sign)).as_py():
                texts = pc.replace_substring(texts, sign, written)
        cells.append(texts)
    lines = pc.binary_join_element_wise(*cells, "\t")
    ended = pc.binary_join_element_wise(lines, pa.scalar(""), "\n")
    return b"".join(piece.encode() for piece in ended.to_pylist())
