"""What an algorithm found: the class of every row, and the cells every class is published with."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.rooms.microdata.method import Method


@dataclass(frozen=True, slots=True)
class Try:
    """One of several algorithms that were tried: its loss, None where the goals were not reached.

    `cost` is what it costs by another objective, where results were ranked by one.
    """

    title: str
    lm: float | None
    cost: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Recoding:
    """What an algorithm decided: the class of every row (-1: suppressed) and the cell of each class and QI.

    A cell covers the leaves `low` to `high` (both included). `node` is the hierarchy node it is published as,
    or -1 where a data-driven range is published instead.
    `search` tells how the result was found, for the pages that draw it (see each algorithm).
    """

    class_of_row: npt.NDArray[np.int64]
    low: npt.NDArray[np.int32]
    high: npt.NDArray[np.int32]
    node: npt.NDArray[np.int32]
    search: object | None = None
    notes: tuple[str, ...] = ()
    tried: tuple[Try, ...] = ()
    """What was tried where that was several."""
    made_by: str = ""
    """The title of the algorithm whose result it is, where another one was asked."""
    attacks: str = ""
    """The known attacks on that algorithm."""
    told_tried: tuple[str, ...] = ()
    """The notes that say the same as `tried`."""
    method: Method | None = None
    """With what the same is found again, where the user ended the search before its time."""

    def remarks(self) -> list[str]:
        """Give the notes that say something else than what was tried."""
        return [note for note in self.notes if note not in self.told_tried]

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return len(self.low)
