"""Bounds for a column nobody knows bounds of: where its values lie, up to a factor of two."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.hierarchy.leaf_encoding import NO_PLACE
from anonymizer_gui.engine.rooms.statistics.bounds import plain
from anonymizer_gui.engine.rooms.statistics.categories import counted_in, numbers_in
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS, Noisy, Step, Told
from anonymizer_gui.engine.rooms.statistics.questions.tables.of_a_column import OfColumn

_SMALLEST, _LARGEST = -10, 40
_SURE = 0.99


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class FindBounds(OfColumn):
    """Counts rows by the magnitude of their numbers, with noise, and takes the magnitudes that stand out of it."""

    name: ClassVar[str] = "bounds"
    title: ClassVar[str] = "Bounds of a column"
    summary: ClassVar[str] = "Finds bounds for sums, means and bins where nobody knows any; this costs budget, too."
    verbs: ClassVar[tuple[str, ...]] = ("bounds",)
    usage: ClassVar[str] = "bounds COLUMN"
    example: ClassVar[str] = "bounds income"
    has_interval: ClassVar[bool] = False
    why_careful: ClassVar[str] = (
        "It spends its share of the budget, and the bounds are rough: powers of two, without values that are rare. "
        "Bounds you know from elsewhere cost nothing."
    )

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number for each magnitude."""
        if not self.column:
            raise BadParameter("The question names no column.", "Choose the column it is about.")
        return (Step("laplace", sensitivity.histogram(public.unit), len(_edges()) - 1),)

    def counted(self, data: Table, public: Public) -> tuple[Ints, ...]:
        """Count the rows of each magnitude; numbers beyond all of them are not counted."""
        column, edges = data.column(self.column), _edges()
        numbers = numbers_in(column, public)
        places = np.searchsorted(edges, numbers, side="right") - 1
        is_inside = (numbers >= edges[0]) & (numbers < edges[-1])
        return (counted_in(column, np.where(is_inside, places, NO_PLACE), len(edges) - 1),)

    def told(self, noisy: Noisy, public: Public) -> Told:
        """Tell the outer edges of the magnitudes with more rows than noise makes of none."""
        edges, least = _edges(), noisy.mechanisms[0].error(len(_edges()) - 1, _SURE)
        found = np.flatnonzero(noisy[0] > least)
        if not len(found):
            return Told(notes=(message("No magnitude of “{column}” stands out of the noise.", column=self.column),))
        low, high = float(edges[found[0]]), float(edges[found[-1] + 1])
        smallest = 2.0**_SMALLEST
        low, high = (0.0 if low == -smallest else low), (0.0 if high == smallest else high)
        note = message("The bounds of “{column}” were bought; use them as they are.", column=self.column)
        return Told(values=(("low", plain(low)), ("high", plain(high))), notes=(note,))


def _edges() -> npt.NDArray[np.float64]:
    """Give the powers of two on both sides of 0, which lies in a cell of its own."""
    powers = 2.0 ** np.arange(_SMALLEST, _LARGEST + 1)
    return np.concatenate([-powers[::-1], powers])
