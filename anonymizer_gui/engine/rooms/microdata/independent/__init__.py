"""A second opinion on releases that shares no code with the first: `recount` judges the bytes of a file."""

from anonymizer_gui.engine.rooms.microdata.independent.counting import PersonRows
from anonymizer_gui.engine.rooms.microdata.independent.interface import (
    ColumnRoles,
    FileFormat,
    GoalVerdict,
    KnownFacts,
    Order,
    Population,
    RecountResult,
    Span,
    Tree,
)
from anonymizer_gui.engine.rooms.microdata.independent.reading import Rows, format_by_name, read_cells
from anonymizer_gui.engine.rooms.microdata.independent.recount import recount, recount_rows
from anonymizer_gui.engine.rooms.microdata.independent.sets import sets_file_holds

__all__ = [
    "ColumnRoles",
    "FileFormat",
    "GoalVerdict",
    "KnownFacts",
    "Order",
    "PersonRows",
    "Population",
    "RecountResult",
    "Rows",
    "Span",
    "Tree",
    "format_by_name",
    "read_cells",
    "recount",
    "recount_rows",
    "sets_file_holds",
]
