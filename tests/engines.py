"""Engines that tests share: starting one takes longer than most tests, so each answers many."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io.contract import written_labels
from anonymizer_gui.engine.data.tables.io.options import WriteOptions
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table
from anonymizer_gui.engine.scale.contract import Engine
from anonymizer_gui.engine.scale.duckdb_engine import DuckEngine, EngineLimits


class _Kept:
    """An engine that goes on when it is closed."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def __getattr__(self, name: str) -> object:
        return getattr(self._engine, name)

    def fetch(self, sql: str, progress: Progress = SILENT, *, last: bool = False) -> "Iterator[pa.RecordBatch]":
        """Answer; the last question of one test is not that of all."""
        return self._engine.fetch(sql, progress)

    def close(self) -> None:
        """Leave it to the next test."""


@dataclass
class Engines:
    """Gives the same two engines again and again: one that works, a second that judges."""

    start: Callable[[], Engine]
    _two: list[Engine] = field(default_factory=list)
    _given: int = 0

    def new(self, _target: Path | None = None) -> Engine:
        """Give an engine."""
        while len(self._two) < 2:
            self._two.append(self.start())
        self._given += 1
        return _Kept(self._two[self._given % 2])  # type: ignore[return-value]

    def close(self) -> None:
        """End both."""
        for engine in self._two:
            engine.close()


@contextmanager
def duck_engines(folder: Path) -> Iterator[Engines]:
    """Share DuckDB over the files of a folder."""
    engines = Engines(lambda: DuckEngine([folder], EngineLimits(memory=400 << 20)))
    try:
        yield engines
    finally:
        engines.close()


def digest_of(table: Table, options: WriteOptions) -> str:
    """Give the canonical checksum of a table in memory, in code of its own."""
    columns = [_texts(column, options) for column in table.columns]
    rows = Counter(zip(*columns, strict=True))
    digest = hashlib.sha256()
    for row in sorted(rows, key=lambda cells: [cell.encode() for cell in cells]):
        digest.update(("\t".join([*map(_escaped, row), str(rows[row])]) + "\n").encode())
    return digest.hexdigest()


def _texts(column: Column, options: WriteOptions) -> Sequence[str]:
    labels = ["" if label == MISSING and not options.missing else label for label in column.labels]
    written = written_labels(Column(column.name, column.codes, column.labels), options)
    texts = [text if label else "" for label, text in zip(labels, written, strict=True)]
    return [texts[code] for code in column.codes.tolist()]


def _escaped(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")
