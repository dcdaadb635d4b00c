"""Micro-aggregation as ARX does it, one value of a column for every class, as the step that does the same."""

from xml.etree.ElementTree import Element

import numpy as np

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.data.tables.table import MISSING, Column
from anonymizer_gui.engine.data.tables.values import parse_numbers
from anonymizer_gui.engine.rooms.microdata.preparing.microaggregate import CENTRES, ONE_VALUE, Microaggregate

_ELEMENT = "microaggregationfunction"
_CENTRES = {"arithmetic mean": "mean", "median": "median", "mode": "mode"}


def function_of(entry: Element) -> str:
    """Give the function that ARX names for a column; nothing when it names none."""
    found = [(each.text or "").strip() for each in entry if each.tag.casefold() == _ELEMENT]
    return found[0] if found else ""


def step_for(function: str, column: Column, decimal: str) -> Microaggregate | None:
    """Give the step that does the same; None where there is none."""
    centre = _CENTRES.get(function.casefold())
    return (
        Microaggregate((column.name,), way=ONE_VALUE, centre=centre) if centre and _numeric(column, decimal) else None
    )


def taken_over(step: Microaggregate) -> Message:
    """Say what became of the micro-aggregation of a column."""
    return message(
        "“{name}” is micro-aggregated: every class gets one value ({centre}), as in ARX. Only ARX can read whether the "
        "column helped to form the classes; here it does not, and has no role.",
        name=step.columns[0],
        centre=message(CENTRES[step.centre]),
    )


def not_taken_over(function: str, column: Column, decimal: str) -> Message:
    """Say why there is no step that does the same."""
    if function.casefold() in _CENTRES and not _numeric(column, decimal):
        return message(
            "the micro-aggregation of “{name}” ({function}), which is no column of numbers",
            name=column.name,
            function=function,
        )
    return message(
        "the micro-aggregation of “{name}” ({function}): classes get the mean, the median or the most frequent value",
        name=column.name,
        function=function,
    )


def _numeric(column: Column, decimal: str) -> bool:
    labels = [label for label in column.compact().labels if label != MISSING]
    return bool(labels) and not bool(np.isnan(parse_numbers(labels, decimal)[0]).any())
