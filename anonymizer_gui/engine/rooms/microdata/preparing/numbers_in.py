"""Numbers of a column for steps that change them: read exactly, written with the decimal mark of the file."""

from collections.abc import Mapping
from decimal import Decimal

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.table import Column
from anonymizer_gui.engine.data.tables.values import parse_numbers

MOST_DIGITS = 700
"""So exactly is reckoned with the largest numbers a table may hold."""


def numbers_in(column: Column, decimal: str) -> dict[str, Decimal]:
    """Give the labels that are numbers with their exact values; raises BadParameter when there are none."""
    fits = parse_numbers(column.labels, decimal)[1]
    found = {
        label: Decimal(label.replace(decimal, "."))
        for label, fit in zip(column.labels, fits.tolist(), strict=True)
        if fit
    }
    if not found and len(column):
        raise BadParameter(message("“{name}” holds no numbers.", name=column.name), "Choose a column of numbers.")
    return found


def written(value: Decimal, decimal: str) -> str:
    """Write a number as files do: no exponent, no zeros at its end."""
    text = format(value.normalize() + 0, "f")
    return text.replace(".", decimal)


def number_from(text: str, decimal: str) -> Decimal | None:
    """Read what was typed; None for nothing. Raises BadParameter."""
    if not text.strip():
        return None
    if not parse_numbers([text.strip()], decimal)[1][0]:
        raise BadParameter(message("“{text}” is no number.", text=text[:40]), "Write a number such as 90.")
    return Decimal(text.strip().replace(decimal, "."))


def rewritten(numbers: Mapping[str, Decimal], new: Mapping[str, Decimal], decimal: str) -> dict[str, str]:
    """Give the new text of every label whose value changes, and of those that had the new value before.

    Others stay as they were written. A limit of 90 must not tell those at the limit, `90.0`, from those beyond.
    """
    reached = {new[label] for label, value in numbers.items() if new[label] != value}
    return {label: written(value, decimal) for label, value in new.items() if value in reached}
