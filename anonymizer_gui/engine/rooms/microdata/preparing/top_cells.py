"""Cells that stand for everything above them, because steps write all larger numbers as one."""

from collections.abc import Collection, Mapping

from anonymizer_gui.engine.rooms.microdata.preparing.numbers_in import written
from anonymizer_gui.engine.rooms.microdata.preparing.steps import decimal_of, steps_of
from anonymizer_gui.engine.storage.sources import Source


def top_cells(source: Source | None, cells: Mapping[str, Collection[str]]) -> dict[str, str]:
    """Give the columns, named with their published cells, that have such a cell, each with it."""
    steps, decimal, found = steps_of(source), decimal_of(source), {}
    for name, published in cells.items() if steps else ():
        limits = [limit for step in steps if (limit := step.top_of(name, decimal)) is not None]
        if limits and (cell := written(min(limits), decimal)) in published:
            found[name] = cell
    return found
