"""Cells that hold a set of items, such as `{milk, butter}` or `milk;butter`: how they are read and written."""

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.tables.table import (
    MISSING,
    SUPPRESSED,
    Column,
    ColumnSchema,
    ColumnType,
    Role,
    smallest_codes,
)

SET_FORMATS = {
    "{,}": "{milk, butter}",
    "{;}": "{milk; butter}",
    "{|}": "{milk | butter}",
    "[,]": "[milk, butter]",
    ",": "milk, butter",
    ";": "milk;butter",
    "|": "milk|butter",
    " ": "milk butter",
}
"""How sets are written: what separates items, with braces or without; each with an example."""
FIRST_FORMAT = "{,}"
_LIKELY = 0.9
_SOME = 0.3
_LONGEST_ITEM = 60
_REPEATED = 0.5
_FORMULAS = ("=", "+", "-", "@")
"""Signs that begin a formula: in quotation marks they do not, and no cell has to be written otherwise for them."""


def read_set(text: str, form: str = FIRST_FORMAT) -> tuple[str, ...] | None:
    """Give the items of a cell, each once and in order; nothing when it is not written in this form.

    An item in quotation marks may hold anything; a quotation mark in it is doubled.

    >>> read_set('{milk, "salt, fine", milk}')
    ('milk', 'salt, fine')
    """
    form = form or FIRST_FORMAT
    text = text.strip()
    if len(form) > 1:
        if len(text) < 2 or text[0] != form[0] or text[-1] != form[-1]:
            return None
        text = text[1:-1]
    parts = _parts(form).findall(text + _separator(form))
    if sum(map(len, parts)) != len(text) + 1:
        return None
    return tuple(sorted({item for item in map(_item, parts) if item}))


def write_set(items: Sequence[str], form: str = FIRST_FORMAT) -> str:
    """Write items as a cell in this form; a set of nothing without braces is a missing cell.

    >>> write_set(["butter", 'fine "salt"', "a,b"])
    '{"a,b", butter, "fine ""salt\"""}'
    """
    form = form or FIRST_FORMAT
    sign, is_bare = _separator(form), len(form) == 1
    between = sign if is_bare and sign != "," else " | " if sign == "|" else f"{sign} "
    inside = between.join(_written(item, form) for item in sorted(set(items)))
    if len(form) > 1:
        return f"{form[0]}{inside}{form[-1]}"
    return inside or MISSING


def guess_set_format(texts: Sequence[str]) -> str:
    """Say how the sets of a column are written; nothing when its cells do not seem to be sets.

    Braces tell by themselves. Without them the same items must come again and again.
    """
    for form in SET_FORMATS if texts else ():
        if len(form) > 1 and sum(text[:1] == form[0] and text[-1:] == form[-1] for text in texts) >= _LIKELY * len(
            texts
        ):
            signs = {sign: sum(sign in text for text in texts) for sign in (",", ";", "|")}
            likely = f"{form[0]}{max(signs, key=lambda sign: signs[sign])}{form[-1]}"
            return likely if likely in SET_FORMATS else form
    return next((form for form in (";", "|") if _looks_like_sets(texts, form)), "")


def _looks_like_sets(texts: Sequence[str], form: str) -> bool:
    if sum(form in text for text in texts) < _SOME * len(texts):
        return False
    items = [item for text in texts for item in read_set(text, form) or ()]
    short = all(len(item) <= _LONGEST_ITEM for item in items)
    return bool(items) and short and len(set(items)) <= _REPEATED * len(items)


def explode_sets(column: Column, form: str) -> tuple[npt.NDArray[np.int64], Column]:
    """Give the row of every item of a column, and the items as a column; cells in another form are one item each."""
    sets = [_held(label, form) for label in column.labels]
    number = {item: at for at, item in enumerate(sorted({item for held in sets for item in held}))}
    sizes = np.array([len(held) for held in sets], dtype=np.int64)
    flat = np.array([number[item] for held in sets for item in held], dtype=np.int64)
    of_row = sizes[column.codes] if len(column) else np.empty(0, dtype=np.int64)
    rows = np.repeat(np.arange(len(column), dtype=np.int64), of_row)
    begins = (np.cumsum(sizes) - sizes)[column.codes] if len(column) else of_row
    within = np.arange(len(rows)) - np.repeat(np.cumsum(of_row) - of_row, of_row)
    codes = flat[np.repeat(begins, of_row) + within] if len(rows) else rows
    times = None if column.times is None else column.times[rows]
    return rows, Column(column.name, smallest_codes(codes, len(number)), tuple(number), times)


def hierarchy_values(column: Column, entry: ColumnSchema | None) -> Column:
    """Give the values that a hierarchy of a column is about: its cells, or the items of quasi-identifying sets."""
    is_set = entry is not None and entry.type is ColumnType.SET and entry.role is Role.QI
    return explode_sets(column, entry.format)[1] if entry is not None and is_set else column


def _held(label: str, form: str) -> tuple[str, ...]:
    if label in (MISSING, SUPPRESSED):
        return ()
    found = read_set(label, form)
    return (label,) if found is None else found


@lru_cache(maxsize=32)
def _parts(form: str) -> re.Pattern[str]:
    """Give the pattern of an item with the separator that ends it."""
    sign = re.escape(_separator(form))
    return re.compile(rf'\s*"(?:[^"]|"")*"\s*{sign}|[^"{sign}][^{sign}]*{sign}|{sign}', re.DOTALL)


def _separator(form: str) -> str:
    return form[1] if len(form) > 1 else form


def _item(part: str) -> str:
    inner = part[:-1].strip()
    return inner[1:-1].replace('""', '"').strip() if inner[:1] == '"' and inner[-1:] == '"' else inner


def _written(item: str, form: str) -> str:
    plain = item[:1] not in _FORMULAS and not any(sign in item for sign in ('"', _separator(form), "{", "}", "[", "]"))
    return item if plain and item == item.strip() else '"' + item.replace('"', '""') + '"'
