"""The builder that chooses: a sensible hierarchy from type, name and distribution of a column."""

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, ColumnType, Role
from anonymizer_gui.engine.data.tables.values import parse_day_ordinals, parse_texts_as_numbers
from anonymizer_gui.engine.hierarchy.builders.categories import Flat, Frequency, Ordered
from anonymizer_gui.engine.hierarchy.builders.contract import BUILDERS, Builder
from anonymizer_gui.engine.hierarchy.builders.dates import Dates
from anonymizer_gui.engine.hierarchy.builders.map_tiles import MapTiles
from anonymizer_gui.engine.hierarchy.builders.numbers import Intervals, good_width
from anonymizer_gui.engine.hierarchy.builders.ready_made import Country, Month, Weekday
from anonymizer_gui.engine.hierarchy.builders.strings import Mask, Prefix
from anonymizer_gui.engine.hierarchy.coverage import occurring_values
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

_PLACE_CODES = r"zip|postal|postcode|plz|\bcap\b|phone"
_CODE_NAMES = re.compile(rf"{_PLACE_CODES}|tel|mobile|code|\bid\b|number|nr\b", re.IGNORECASE)
_ALWAYS_CODE_NAMES = re.compile(_PLACE_CODES, re.IGNORECASE)
_WEEKDAY_NAMES = re.compile(r"week|\bday|dow\b", re.IGNORECASE)
_MONTH_NAMES = re.compile(r"month|monat|\bmois|mese\b|\bmes\b", re.IGNORECASE)
_AGE_NAMES = re.compile(r"\bage\b|alter\b|\bet[aà]\b|\bâge\b|years", re.IGNORECASE)
_FEW = 8
_TWO_GROUPS = 3
_ITEMS_TOGETHER = 5
_OLDEST = 130
_RARE_SHARES = (0.01, 0.05)
_CROWDED = 0.1


@BUILDERS.register
@dataclass(frozen=True, slots=True)
class Automatic(Builder):
    """Chooses another builder and its parameters."""

    name: ClassVar[str] = "automatic"
    title: ClassVar[str] = "Automatic"
    summary: ClassVar[str] = "Proposes a hierarchy from the type, the name and the values of the column."
    is_offered: ClassVar[bool] = False

    def build(self, column: Column, schema: ColumnSchema, progress: Progress = SILENT) -> Hierarchy:
        """Build with the builder proposed."""
        chosen = choose_builder(column, schema, progress.sub(0.0, 0.4))
        return chosen.build(column, schema, progress.sub(0.4, 1.0)).built_by(chosen)

    @staticmethod
    def suits(column: Column, schema: ColumnSchema) -> bool:
        """Say that it suits every column."""
        return True


def choose_builder(column: Column, schema: ColumnSchema, progress: Progress = SILENT) -> Builder:
    """Choose a builder with parameters: ready-made tables first, then dates, codes, numbers, words, rare values."""
    progress(0.0)
    if MapTiles.suits(column, schema):
        return MapTiles()
    if schema.type is ColumnType.SET and schema.role is Role.QI:
        return _groups_of_items(len(occurring_values(column)))
    if Country.suits(column, schema):
        return Country()
    progress(0.2)
    if _is_named(Weekday, _WEEKDAY_NAMES, column, schema):
        return Weekday()
    progress(0.4)
    if _is_named(Month, _MONTH_NAMES, column, schema):
        return Month()
    progress(0.6)
    if Dates.suits(column, schema):
        return Dates(_date_levels(column, schema))
    return _by_values(column, schema, progress.sub(0.8, 1.0))


def _groups_of_items(items: int) -> Builder:
    """Group neighbours in the alphabet until few groups are left: codes often mean something."""
    levels = 0
    while items > _ITEMS_TOGETHER:
        items, levels = -(-items // _ITEMS_TOGETHER), levels + 1
    return Ordered(fan_out=(_ITEMS_TOGETHER,) * levels) if levels else Flat()


def _by_values(column: Column, schema: ColumnSchema, progress: Progress) -> Builder:
    """Choose a builder for what is in no table and no date."""
    if len(occurring_values(column)) <= _FEW and not _speaks_for_itself(column, schema):
        return Flat()
    progress(0.0)
    if _is_code(column, schema):
        return Mask(pad="left" if schema.type is ColumnType.INTEGER else "none")
    progress(0.4)
    if Intervals.suits(column, schema):
        return _intervals(column, schema)
    progress(0.8)
    if Prefix.suits(column, schema):
        return Prefix()
    return Frequency(_RARE_SHARES) if Frequency.suits(column, schema) else Flat()


def _speaks_for_itself(column: Column, schema: ColumnSchema) -> bool:
    """Say whether even few values are known by the name of their column: ages, postal codes and phone numbers."""
    if len(occurring_values(column)) < _TWO_GROUPS:
        return False
    is_age = bool(_AGE_NAMES.search(column.name)) and Intervals.suits(column, schema)
    return is_age or (bool(_ALWAYS_CODE_NAMES.search(column.name)) and _is_code(column, schema))


def _is_named(
    builder: type[Weekday] | type[Month], names: re.Pattern[str], column: Column, schema: ColumnSchema
) -> bool:
    """Take numbers for weekdays or months only when the column is called so."""
    if not builder.suits(column, schema):
        return False
    return bool(names.search(column.name)) or not Intervals.suits(column, schema)


def _is_code(column: Column, schema: ColumnSchema) -> bool:
    """Tell codes from numbers: by the name, or by equal length with leading zeros."""
    values = occurring_values(column)
    if not Mask.suits(column, schema) or schema.type is ColumnType.DECIMAL:
        return False
    same_length = len({len(value) for value in values}) == 1
    leading_zero = any(value.startswith("0") and len(value) > 1 and "." not in value for value in values)
    if _CODE_NAMES.search(column.name):
        return True
    return same_length and (leading_zero or not Intervals.suits(column, schema))


def _date_levels(column: Column, schema: ColumnSchema) -> tuple[str, ...]:
    days = parse_day_ordinals(occurring_values(column), schema)
    days = days[~np.isnan(days)]
    finest = ("hour", "day") if bool((days != np.floor(days)).any()) else ()
    years = (days.max() - days.min()) / 365.25
    if years < 1:
        return (*finest, "month") if years > 1 / 6 else (*finest, "week")
    return (*finest, "month", "year", "decade") if years > 10 else (*finest, "month", "quarter", "year")


def _intervals(column: Column, schema: ColumnSchema) -> Intervals:
    """Choose five years for ages, equal frequency where half of the rows crowd at one end, else a round width."""
    found = parse_texts_as_numbers(column.labels, schema)
    rows = np.where(np.isnan(found), 0, column.counts())
    low, high = float(found[rows > 0].min()), float(found[rows > 0].max())
    if _AGE_NAMES.search(column.name) and low >= 0 and high <= _OLDEST:
        return Intervals(width=5.0, fan_out=(2, 2))
    middle = float(np.median(np.repeat(found, rows)))
    if min(middle / 2 - low / 2, high / 2 - middle / 2) < _CROWDED * (high / 2 - low / 2):
        return Intervals(method="frequency", count=16, fan_out=(2, 2, 2))
    return Intervals(width=good_width(found[rows > 0], 24), fan_out=(2, 5))
