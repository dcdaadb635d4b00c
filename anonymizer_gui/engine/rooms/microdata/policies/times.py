"""Dates to the year, and ages over 89 as one group."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.messages import Message, join_messages, message
from anonymizer_gui.engine.core.params import Int, ListOf, Text, param
from anonymizer_gui.engine.data.tables.table import ColumnType
from anonymizer_gui.engine.rooms.microdata.policies.cell_texts import (
    LIKE_A_DATE,
    is_year_at_most,
    span_of,
)
from anonymizer_gui.engine.rooms.microdata.policies.contract import (
    AGREED,
    RULES,
    Answer,
    Rule,
    Shown,
    ShownColumn,
    passed_over,
    phrases,
    speaks_of,
    without_bad_cells,
)

_DATES = phrases(
    "date; dob; birth date; birthdate; birthday; date of birth; born; admission; admitted; discharge; discharged; "
    "death date; date of death; died; timestamp; datum; geburtsdatum; geburtstag; aufnahmedatum; entlassungsdatum; "
    "sterbedatum; tarih; dogum tarihi; yatis tarihi; taburcu tarihi"
)
_BIRTH = phrases(
    "dob; birth date; birthdate; birthday; date of birth; born; birth year; year of birth; yob; geburtsdatum; "
    "geburtstag; geburtsjahr; dogum; dogum tarihi; dogum yili"
)
_AGES = phrases("age; ages; alter; yas")
_OLDEST = 110
"""A range up to here holds everybody."""
_MOST = 0.5


@RULES.register
@dataclass(frozen=True, slots=True)
class DatesToTheYear(Rule):
    """Columns of dates show years or ranges of years, nothing finer."""

    name: ClassVar[str] = "dates"
    title: ClassVar[str] = "Dates"
    summary: ClassVar[str] = "No published date is finer than the year."

    columns: tuple[str, ...] = param(
        ListOf(Text(), most=200),
        default=(),
        label="Columns",
        help="Columns of dates beside those whose heads or cells say so, separated by commas.",
    )
    agreed: tuple[str, ...] = param(ListOf(Text(), most=200), default=(), label="Passed over", help=AGREED)

    def demand(self) -> Message:
        """Say what is left of dates."""
        return message("No date finer than the year")

    def judge(self, shown: Shown) -> Answer:
        """Look at every cell of every column that seems to hold dates."""
        return without_bad_cells(shown, self._holds_dates, lambda _, text: not is_year_at_most(text), self.agreed)

    def _holds_dates(self, column: ShownColumn, cells: Mapping[str, int]) -> bool:
        if column.name in self.columns or column.type is ColumnType.DATE or speaks_of(column.name, _DATES):
            return True
        dated = sum(1 for text in cells if LIKE_A_DATE.fullmatch(text.strip()))
        return column.type not in (ColumnType.INTEGER, ColumnType.DECIMAL) and dated > _MOST * max(len(cells), 1)


@RULES.register
@dataclass(frozen=True, slots=True)
class AgesInOneGroup(Rule):
    """Whoever is older than the limit is in one group, such as 90+; years of birth tell ages, too."""

    name: ClassVar[str] = "ages"
    title: ClassVar[str] = "High ages"
    summary: ClassVar[str] = "Ages above a limit, and years of birth that tell them, stand in one group."

    highest: int = param(Int(low=1, high=120), default=89, label="Highest age", help="Above it there is one group.")
    columns: tuple[str, ...] = param(
        ListOf(Text(), most=200),
        default=(),
        label="Columns",
        help="Columns of ages beside those whose heads say so, separated by commas.",
    )
    agreed: tuple[str, ...] = param(ListOf(Text(), most=200), default=(), label="Passed over", help=AGREED)

    def demand(self) -> Message:
        """Say the limit."""
        return message("Ages over {highest} in one group", highest=self.highest)

    def judge(self, shown: Shown) -> Answer:
        """Look at ages, then at years of birth."""
        ages = without_bad_cells(shown, self._holds_ages, self._tells_age, self.agreed)
        first = shown.year - self.highest  # whoever was born before the end of the year before it may be older
        births = without_bad_cells(shown, _holds_births, lambda _, text: _tells_birth(text, first), self.agreed)
        if ages.holds and births.holds:
            return ages if not any(_holds_births(column, {}) for column, _ in shown.published()) else births
        told = [answer.sentence for answer in (ages, births) if not answer.holds]
        return Answer(False, join_messages(*told, passed_over(self.agreed)) if len(told) > 1 else told[0])

    def _holds_ages(self, column: ShownColumn, cells: Mapping[str, int]) -> bool:
        return column.name in self.columns or speaks_of(column.name, _AGES)

    def _tells_age(self, column: ShownColumn, text: str) -> bool:
        """Tell whether a cell gives away that somebody is older than the limit, other than by the one group.

        A plain number is the group where a step of preparation wrote all larger ones as it.
        """
        span = span_of(text)
        if span is None or span[0] <= self.highest:
            return False
        is_all_of_them = span[0] <= self.highest + 1 and (span[1] >= _OLDEST or text == column.top)
        return not is_all_of_them


def _holds_births(column: ShownColumn, cells: Mapping[str, int]) -> bool:
    return speaks_of(column.name, _BIRTH)


def _tells_birth(text: str, first: int) -> bool:
    """Tell whether a cell says that somebody was born before a year; ranges that go on beyond it do not."""
    span = span_of(text)
    return span is not None and span[1] < first - math.isinf(span[0])
