"""Values that a reader takes for the same although their texts differ: case, full width, 1 and 1.0 and 01."""

import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from anonymizer_gui.engine.shapes.tables.io.normalise import normalised
from anonymizer_gui.engine.shapes.tables.table import MISSING, Column, Table, smallest_codes

_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]*)?")
_DISARMED = ("'=", "'+", "'-", "'@")  # as formulas are written
_MOST_DIGITS = 40
_MOST_LABELS = 20_000
"""Columns of more values are names, numbers or free text, in which nobody tells look-alikes apart anyway."""


def look_of(label: str) -> str:
    """Give what a label looks like; equal for two labels that a reader takes for the same.

    >>> {look_of(label) for label in ("HIV", "hiv", "ＨＩＶ")}, {look_of(label) for label in ("1", "1.0", "01", "+1")}
    ({'hiv'}, {'1'})
    """
    if label == MISSING:
        return label
    bare = normalised(label[1:] if label.startswith(_DISARMED) else label)
    folded = bare.casefold() if bare.isascii() else _folded(bare)
    if folded == MISSING:
        return f" {folded}"  # a text somebody wrote is not the absence of one
    if len(folded) <= _MOST_DIGITS and _NUMBER.fullmatch(folded):
        plain = format(Decimal(folded).normalize() + 0, "f")
        return "0" if plain == "-0" else plain
    return folded


def look_alikes(labels: Sequence[str]) -> list[tuple[str, ...]]:
    """List the values that look like others, group by group; nothing where a column has too many values."""
    if len(labels) > _MOST_LABELS:
        return []
    groups: dict[str, list[str]] = {}
    for label in labels:
        groups.setdefault(look_of(label), []).append(label)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def merged(column: Column) -> Column:
    """Give a column in which look-alikes are one value, named by the first of them in the order of texts."""
    used = column.compact()
    looks = [look_of(label) for label in used.labels]
    if len(set(looks)) == len(looks):
        return column
    first: dict[str, str] = {}
    for look, label in zip(looks, used.labels, strict=True):
        first[look] = min(first.get(look, label), label)
    labels = tuple(sorted(first.values()))
    place = {label: code for code, label in enumerate(labels)}
    codes = np.array([place[first[look]] for look in looks], dtype=np.int64)[used.codes]
    return Column(column.name, smallest_codes(codes, len(labels)), labels, column.times)


def with_merged(table: Table, names: Sequence[str]) -> Table:
    """Give a table in which the look-alikes of some columns are one value."""
    return Table(tuple(merged(c) if c.name in names else c for c in table.columns), table.n_rows)


def _folded(text: str) -> str:
    once = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", once)
