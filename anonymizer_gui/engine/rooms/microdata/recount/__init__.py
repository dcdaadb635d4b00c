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
from anonymizer_gui.engine.rooms.microdata.recount.reading import format_of
from anonymizer_gui.engine.rooms.microdata.recount.recounting import recount
from anonymizer_gui.engine.rooms.microdata.recount.told import Recount, Verdict

__all__ = [
    "Columns",
    "Known",
    "Order",
    "Population",
    "Reading",
    "Recount",
    "Span",
    "Tree",
    "Verdict",
    "format_of",
    "recount",
]
