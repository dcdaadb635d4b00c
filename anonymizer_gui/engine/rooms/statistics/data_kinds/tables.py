"""Tables: people are rows, or the rows that share a value of one column."""

import hmac
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import classes_of
from anonymizer_gui.engine.data.tables.io.read_write import options_of_source, read_source
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.accountant import Part
from anonymizer_gui.engine.dp.gateway import draw_lots
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit
from anonymizer_gui.engine.room import ReadFile
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import (
    DATA_KINDS,
    KIND_OPTION,
    DataKind,
    Surplus,
    keyed_hashes,
    mix_bits,
)
from anonymizer_gui.engine.storage.sources import Source

_MOST_VALUES = 40


@DATA_KINDS.register
class TableKind(DataKind):
    """A table about people."""

    name: ClassVar[str] = "table"
    title: ClassVar[str] = "Table"
    summary: ClassVar[str] = "Rows about people; somebody may have several of them."

    def accepts(self, path: Path, head: bytes) -> float:
        """Take any table, after the room that publishes tables themselves."""
        return 0.4

    def read(self, source: Source, progress: Progress) -> ReadFile:
        """Read a table with the options it was read with before."""
        kept = {name: value for name, value in source.options.items() if name != KIND_OPTION}
        table, report, found = read_source(source.path, options_of_source(replace(source, options=kept)), progress)
        return ReadFile(table, found, report.problems)

    def columns(self, data: Table) -> tuple[str, ...]:
        """Name the columns."""
        return data.names

    def rows(self, data: Table) -> int:
        """Give the number of rows."""
        return data.n_rows

    def cut(self, data: Table, unit: PrivacyUnit, surplus: Surplus) -> Table:
        """Keep at most so many rows of every person; those without a name count as one person."""
        if unit.kind is not Neighbours.PERSON:
            return data
        people = data.column(unit.column).codes
        lot = draw_lots(data.n_rows) if surplus == "sampled" else np.arange(data.n_rows, dtype=np.uint64)
        order = np.lexsort((lot, people))
        begins = np.diff(people[order].astype(np.int64), prepend=-1) != 0
        place = np.arange(data.n_rows) - np.maximum.accumulate(np.where(begins, np.arange(data.n_rows), 0))
        return data.take(np.sort(order[place < unit.rows]))

    def part(self, data: Table, part: Part) -> Table:
        """Keep the rows with a value of a column."""
        column = data.column(part[0])
        is_inside = np.array([label == part[1] for label in column.labels], dtype=np.bool_)
        return data.take(is_inside[column.codes] if len(column) else np.zeros(0, dtype=np.bool_))

    def fingerprint(self, data: Table, key: bytes, progress: Progress = SILENT) -> str:
        """Add up keyed numbers of all rows: neither the order of rows nor that of columns makes a difference."""
        rows = np.zeros((2, data.n_told), dtype=np.uint64)
        for place, column in enumerate(data.columns):
            progress(place / len(data.columns), "Recognising the data")
            marks = keyed_hashes(column.labels, column.name, key, progress)
            rows += marks[:, column.codes] if len(column) else 0
        marked = mix_bits(rows)
        summed = (marked if data.times is None else marked * data.times.astype(np.uint64)).sum(axis=1, dtype=np.uint64)
        told = repr((data.n_rows, sorted(data.names), summed.tolist())).encode()
        return hmac.digest(key, told, "sha256").hex()

    def some(self, data: Table, rows: int) -> Table:
        """Take the first rows."""
        return data.take(np.arange(min(rows, data.n_rows)))

    def neighbours(self, data: Table, unit: PrivacyUnit) -> Iterator[Table]:
        """Leave out, double or exchange one row of each kind; for people all rows they have or may have."""
        rows = np.arange(data.n_rows)
        kinds = classes_of(data, data.names).first_rows if data.n_rows else rows
        people = data.column(unit.column).codes if unit.column else rows
        for row in kinds:
            without = rows[people != people[row]]
            if unit.kind is Neighbours.CHANGE:
                yield from (data.take(np.append(without, other)) for other in kinds[:_MOST_VALUES])
            else:
                yield data.take(without)
                yield data.take(np.append(rows, [row] * unit.rows))
