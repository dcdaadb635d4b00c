"""A second opinion on releases that shares no code with the first: `recount` judges the bytes of a file."""

from anonymizer_gui.engine.rooms.microdata.recount.asked import (
    Columns,
    Known,
    Order,
    Population,
    Reading,
    Span,
    Tree,
)
from anonymizer_gui.engine.rooms.microdata.recount.counting import Whom
from anonymizer_gui.engine.rooms.microdata.recount.judging_sets import sets_alone_hold
from anonymizer_gui.engine.rooms.microdata.recount.reading import Rows, format_of, read_cells
from anonymizer_gui.engine.rooms.microdata.recount.recounting import recount, recount_rows
from anonymizer_gui.engine.rooms.microdata.recount.told import Recount, Verdict

__all__ = [
    "Columns",
    "Known",
    "Order",
    "Population",
    "Reading",
    "Recount",
    "Rows",
    "Span",
    "Tree",
    "Verdict",
    "Whom",
    "format_of",
    "read_cells",
    "recount",
    "recount_rows",
    "sets_alone_hold",
]
