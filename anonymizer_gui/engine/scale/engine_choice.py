"""Which engine answers, and whether it is sound.

An engine that takes a quoted name for a text gives the same constant for every row, and any table is k-anonymous then.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.memory import free_memory
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.scale.contract import Engine, EngineFailed, EngineInput, is_for_engines
from anonymizer_gui.engine.scale.duckdb_engine import DuckEngine, EngineLimits
from anonymizer_gui.engine.scale.frequency_set import scalar
from anonymizer_gui.engine.scale.spark_engine import SCHEME, SparkEngine
from anonymizer_gui.engine.storage.sources import is_address, is_engine_file

DUCKDB = "duckdb"

_LEAST_TO_JUDGE = 300 << 20

_PER_CELL = 24

_PER_TEXT_BYTE = 6

_MOST_UNPACKED = 64
"""What reading, anonymizing and checking a table takes in memory, measured; rounded up."""


def open_engine(address: str, allowed: Sequence[Path] = (), room: EngineLimits | None = None) -> Engine:
    """Open the engine of an address; on this machine it may read and write in the folders of these files only.

    Raises BadParameter when there is no such engine, MissingExtra, EngineFailed.
    """
    if address == DUCKDB:
        return DuckEngine(allowed, room)
    if address.startswith(SCHEME):
        return SparkEngine(address)
    raise BadParameter(
        message("There is no engine “{name}”.", name=address), "Use duckdb, or sc://host:port of a cluster."
    )


def verification_engine(room: EngineLimits) -> Callable[[Path | None], Engine]:
    """Say how the engine is opened that counts a written file: always here, where the file is.

    It has few rows to keep apart, and the recount beside it needs the memory.
    """
    small = EngineLimits(max(room.limit() // 4, _LEAST_TO_JUDGE), room.spill)
    return lambda target: DuckEngine([target.absolute()] if target else [], small)


def reason_for_engine(place: str) -> Message | None:
    """Say why a table is better left to an engine; nothing when memory is enough for it."""
    if is_address(place):
        return None
    if is_for_engines(place):
        return message("“{name}” is read by DuckDB, which needs no memory for the whole table.", name=Path(place).name)
    path, free = Path(place), free_memory()
    if free is None or not path.is_file() or not is_engine_file(path) or (needed := _needed(path, free)) <= free:
        return None
    return message(
        "“{name}” would take about {needed:,.1f} GB of memory, and {free:,.1f} GB are free: DuckDB is used.",
        name=path.name,
        needed=needed / 1e9,
        free=free / 1e9,
    )


def can_duckdb_hold(place: str) -> bool:
    """Tell whether DuckDB could hold a table instead of memory."""
    return not is_address(place) and (is_for_engines(place) or is_engine_file(Path(place)))


def _needed(path: Path, free: int) -> int:
    size = path.stat().st_size
    if path.suffix.lower() not in (".parquet", ".pq"):
        return size * _PER_TEXT_BYTE
    if size * _MOST_UNPACKED <= free:
        return 0  # a file of others is not opened here without need
    try:
        import pyarrow.parquet as parquet

        about = parquet.read_metadata(path)
    except (ImportError, OSError, ValueError):
        return 0  # whoever reads it says it better
    return int(about.num_rows * about.num_columns * _PER_CELL)


_CELLS = ("a", "A", " a", "ä", "a\u0308", "'", '"', "`", "\\", "1", "1.0", "01", None, None)


@dataclass(frozen=True, slots=True)
class EngineSelfTest:
    """What trying an engine out has shown: which it is, and how large the table is that it sees."""

    engine: str
    version: str
    rows: int = 0
    columns: int = 0


def refuse_unsound_engine(engine: Engine, progress: Progress = SILENT) -> None:
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


def self_test_engine(engine: Engine, source: EngineInput | None, progress: Progress = SILENT) -> EngineSelfTest:
    """Try an engine out, and look at the table with it; the engine is closed afterwards. Raises EngineFailed."""
    with closing(engine):
        refuse_unsound_engine(engine, progress)
        told = engine.described()
        if source is None:
            return EngineSelfTest(told["engine"], told["version"])
        names = engine.open(source, progress)
        rows = scalar(engine, "SELECT count(*) AS n FROM source", progress)
        return EngineSelfTest(told["engine"], told["version"], rows, len(names))
