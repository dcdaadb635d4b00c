"""Questions whose answers are known, asked before an engine is trusted with a release.

An engine that takes a quoted name for a text gives the same constant for every row, and any table is k-anonymous then.
"""

from contextlib import closing
from dataclasses import dataclass

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.scale.contract import Engine, EngineFailed
from anonymizer_gui.engine.scale.counting import scalar
from anonymizer_gui.engine.scale.inputs import Input

_CELLS = ("a", "A", " a", "ä", "a\u0308", "'", '"', "`", "\\", "1", "1.0", "01", None, None)


@dataclass(frozen=True, slots=True)
class Tried:
    """What trying an engine out has shown: which it is, and how large the table is that it sees."""

    engine: str
    version: str
    rows: int = 0
    columns: int = 0


def refuse_unsound(engine: Engine, progress: Progress = SILENT) -> None:
    """Raise EngineFailed when an engine mixes up names and texts, or values that are not the same."""
    import pyarrow as pa

    engine.load("canary", pa.table({"c0": pa.array(_CELLS, pa.string())}), progress)
    for name in ("c0", engine.name("c0")):
        found: dict[str | None, int] = {}
        for batch in engine.fetch(f"SELECT {name} AS cell, count(*) AS n FROM canary GROUP BY {name}", progress):
            found.update(zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True))
        if found != {cell: _CELLS.count(cell) for cell in _CELLS}:
            raise EngineFailed(
                message("The engine at {address} does not tell names and values apart.", address=engine.address),
                "Nothing was asked of it about your table. Use another engine.",
            )


def tried(engine: Engine, source: Input | None, progress: Progress = SILENT) -> Tried:
    """Try an engine out, and look at the table with it; the engine is closed afterwards. Raises EngineFailed."""
    with closing(engine):
        refuse_unsound(engine, progress)
        told = engine.described()
        if source is None:
            return Tried(told["engine"], told["version"])
        names = engine.open(source, progress)
        rows = scalar(engine, "SELECT count(*) AS n FROM source", progress)
        return Tried(told["engine"], told["version"], rows, len(names))
