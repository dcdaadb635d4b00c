"""Labels of hierarchies: one form for the same text, and an order in which numbers count."""

import re

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.data.tables.normalisation import normalise_text

_DIGITS = re.compile(r"(?<!\d)(?<!\d\.)\d+")  # not the digits after a decimal point


def clean(text: str) -> str:
    """Normalise a label as tables are normalised at reading."""
    return normalise_text(text)


def checked_label(text: str) -> str:
    """Normalise a label somebody typed; raises BadHierarchy when nothing is left."""
    label = clean(text)
    if not label:
        raise BadHierarchy("A label cannot be empty.")
    return label


def natural_key(label: str) -> str:
    """Sort key in which numbers inside labels count as numbers, and upper and lower case are the same.

    >>> sorted(["week 10", "week 9", "[5-10)", "[10-15)"], key=natural_key)
    ['[5-10)', '[10-15)', 'week 9', 'week 10']
    """
    return _DIGITS.sub(lambda found: found[0].zfill(20), label.casefold())


def free_label(wanted: str, taken: set[str]) -> str:
    """Give the label itself, or with the first number that makes it new."""
    label, number = wanted, 2
    while label in taken:
        label, number = f"{wanted} ({number})", number + 1
    return label
