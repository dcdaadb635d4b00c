"""Which engine answers: the one that was named, or DuckDB where a table would hardly fit into memory."""

from collections.abc import Callable, Sequence
from pathlib import Path

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.memory import free_memory
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.scale.contract import Engine
from anonymizer_gui.engine.scale.duck import DuckEngine, Room
from anonymizer_gui.engine.scale.inputs import is_for_engines
from anonymizer_gui.engine.scale.spark import SCHEME, SparkEngine
from anonymizer_gui.engine.storage.sources import is_address, is_engine_file

DUCKDB = "duckdb"
_LEAST_TO_JUDGE = 300 << 20
_PER_CELL = 24
_PER_TEXT_BYTE = 6
_MOST_UNPACKED = 64
"""What reading, anonymizing and checking a table takes in memory, measured; rounded up."""


def engine_at(address: str, allowed: Sequence[Path] = (), room: Room | None = None) -> Engine:
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


def judges(room: Room) -> Callable[[Path | None], Engine]:
    """Say how the engine is opened that counts a written file: always here, where the file is.

    It has few rows to keep apart, and the recount beside it needs the memory.
    """
    small = Room(max(room.limit() // 4, _LEAST_TO_JUDGE), room.spill)
    return lambda target: DuckEngine([target.absolute()] if target else [], small)


def why_engine(place: str) -> Message | None:
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


def may_hold(place: str) -> bool:
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
