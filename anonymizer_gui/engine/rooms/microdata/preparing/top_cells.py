"""Cells that stand for everything above them, because steps write all larger numbers as one."""

from anonymizer_gui.engine.files.source import Source
from anonymizer_gui.engine.rooms.microdata.preparing.numbers_in import written
from anonymizer_gui.engine.rooms.microdata.preparing.steps import decimal_of, steps_of
from anonymizer_gui.engine.shapes.tables.table import Table


def top_cells(source: Source | None, table: Table) -> dict[str, str]:
    """Give the columns of a published table that have such a cell, each with it."""
    steps, decimal, found = steps_of(source), decimal_of(source), {}
    for name in table.names if steps else ():
        limits = [limit for step in steps if (limit := step.top_of(name, decimal)) is not None]
        if limits and (cell := written(min(limits), decimal)) in table.column(name).labels:
            found[name] = cell
    return found
