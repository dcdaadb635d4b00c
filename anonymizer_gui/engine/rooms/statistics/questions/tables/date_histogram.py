"""How many rows have a day in each day, week, month, quarter or year."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Flag, Text, param
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.data.tables.values import parse_dates
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.hierarchy.leaf_encoding import NO_PLACE
from anonymizer_gui.engine.rooms.statistics.categories import MOST_CELLS, OTHERS, counted_in
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import NOISES, QUESTIONS, Step
from anonymizer_gui.engine.rooms.statistics.questions.tables.of_a_column import OfColumn, Tally
from anonymizer_gui.engine.rooms.statistics.wording import quoted_word, unquoted

ISO = "%Y-%m-%d"
SPANS = {"day": "days", "week": "weeks", "month": "months", "quarter": "quarters", "year": "years"}
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_MONDAY = 3  # the first day of all was a Thursday
Numbers = npt.NDArray[np.int64]


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class DateHistogram(OfColumn, Tally):
    """The number of rows in each span of time between two public days."""

    name: ClassVar[str] = "date-histogram"
    title: ClassVar[str] = "Histogram of days"
    summary: ClassVar[str] = "How many rows fall on each day, week, month, quarter or year between two days."
    verbs: ClassVar[tuple[str, ...]] = ("histogram",)
    usage: ClassVar[str] = "histogram COLUMN FIRST-DAY LAST-DAY day|week|month|quarter|year"
    example: ClassVar[str] = "histogram admitted 2024-01-01 2024-12-31 month"
    only_counts: ClassVar[bool] = True

    first: str = param(Text(), default="", label="First day", help="Such as 2024-01-01.")
    last: str = param(Text(), default="", label="Last day", help="Such as 2024-12-31.")
    span: str = param(Choice(SPANS), default="month", label="Counted by", help="How long each span of time is.")
    format: str = param(Text(), default=ISO, label="Format", help="How days are written in the column.")
    others: bool = param(
        Flag(), default=False, label="Count all others", help="One more cell for missing days and those outside."
    )
    noise: str = param(NOISES, default="laplace", label="Noise", help="What hides a single row.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a column, two days and a span."""
        if len(words) != 4 or words[3] not in SPANS:
            return None
        return cls(unquoted(words[0]), words[1], words[2], words[3])

    def words(self) -> tuple[str, ...]:
        """Give column, days and span."""
        return "histogram", quoted_word(self.column), self.first, self.last, self.span

    def labels(self, public: Public) -> tuple[str, ...]:
        """Name the spans."""
        first, last = self._ends()
        spans = tuple(_label(number, self.span) for number in range(first, last + 1))
        return (*spans, *((OTHERS,) if self.others else ()))

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number for each span."""
        first, last = self._ends()
        return (Step(self.noise, sensitivity.histogram(public.unit), last - first + 1 + self.others),)

    def counted(self, data: Table, public: Public) -> tuple[Ints, ...]:
        """Count the rows of each span."""
        first, last = self._ends()
        column = data.column(self.column)
        days, fits = parse_dates(column.labels, self.format)
        numbers = _spans(days, fits, self.span)
        is_inside = fits & (numbers >= first) & (numbers <= last)
        places = np.where(is_inside, numbers - first, NO_PLACE)
        return (counted_in(column, places, last - first + 1 + self.others, others=self.others),)

    def _ends(self) -> tuple[int, int]:
        """Give the numbers of the first and the last span; raises BadParameter without days."""
        days, fits = parse_dates([self.first, self.last], ISO)
        if not self.column or not fits.all() or days[0] > days[1]:
            raise BadParameter(
                message("The first and last day of “{column}” are not public.", column=self.column),
                "Name them in the question, such as 2024-01-01 and 2024-12-31.",
            )
        first, last = _spans(days, fits, self.span).tolist()
        if last - first >= MOST_CELLS:
            raise BadParameter("There are too many spans of time.", "Count by longer ones.")
        return first, last


def _spans(days: npt.NDArray[np.datetime64], fits: npt.NDArray[np.bool_], span: str) -> Numbers:
    """Number the span of every day; what is no day gets any number."""
    known = np.where(fits, days, np.datetime64(0, "s"))
    if span in _MONTHS:
        return known.astype("datetime64[M]").astype(np.int64) // _MONTHS[span]
    numbers = known.astype("datetime64[D]").astype(np.int64)
    return (numbers + _MONDAY) // 7 if span == "week" else numbers


def _label(number: int, span: str) -> str:
    """Name a span: a week by its Monday."""
    if span in ("day", "week"):
        return str(np.datetime64(number * 7 - _MONDAY if span == "week" else number, "D"))
    month = str(np.datetime64(number * _MONTHS[span], "M"))
    year, of_year = month.split("-")
    return {"month": month, "quarter": f"{year}-Q{(int(of_year) + 2) // 3}", "year": year}[span]
