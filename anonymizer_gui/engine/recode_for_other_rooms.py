"""Rows of tables made alike for a room whose data has a table beside it: asked here, done by the room of tables.

Rooms do not know each other. Whoever asks says which rows belong together, gets the table, and measures it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core import FIRST_ROOM
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Uneven
from anonymizer_gui.engine.room import room_of


@dataclass(frozen=True, slots=True, eq=False)
class RecodingRequest:
    """A table whose quasi-identifiers are to be made coarser, while one sensitive column must stay various."""

    table: Table
    schema: Schema
    hierarchies: Mapping[str, Hierarchy]
    sets: npt.NDArray[np.int64]
    """The set of each row: only rows of one set are made alike, so that what tells sets apart is known, too."""
    k: int
    l: int = 1  # noqa: E741
    method: Any = None
    """One of `row_methods`; None for the usual one."""
    uneven: Uneven = "cap"
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class RecodingResult:
    """The table with all its rows, the share of its quasi-identifiers that is lost (LM), and what is to be told."""

    table: Table
    lm: float
    notes: tuple[str, ...] = ()


@runtime_checkable
class RecodesTables(Protocol):
    """A room that makes rows of tables alike for others."""

    def row_methods(self) -> Mapping[str, type[Any]]:
        """Give the algorithms that can be asked for, by name."""

    def rows_made_alike(self, asked: RecodingRequest, progress: Progress) -> RecodingResult:
        """Make rows alike; those of a set that cannot be as asked are made all alike."""


def room_recoding_tables() -> RecodesTables:
    """Give the room that makes rows of tables alike: where tables are published there is one."""
    room = room_of(FIRST_ROOM)
    assert isinstance(room, RecodesTables)
    return room
