"""The contract of all steps between the file and the table that is protected."""

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Protocol, Self

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.tables.table import Column, Table


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """The table after a step, with how many cells it changed and rows it left out or added."""

    table: Table
    cells: int = 0
    rows: int = 0
    added: int = 0
    kept: int = 0
    """Cells of its columns that have a value it could not change, such as a text among numbers."""
    origin: npt.NDArray[np.int64] | None = None
    """The row each row was before, -1 for those that are made up; None where all stayed."""


class Step(Protocol):
    """A frozen dataclass of declared parameters, registered in `STEPS`."""

    __slots__ = ()

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    is_untruthful: ClassVar[bool] = False
    """Whether cells are no longer true after it, coarse or not; a release with such a column says so."""

    is_by_value: ClassVar[bool] = False
    """Whether it goes by the values of columns, each wherever it stands: to know how often each occurs is enough."""

    def waits(self) -> bool:
        """Tell whether it is done within the classes of a release, so that it waits until there are some."""
        return False

    def with_secret_seed(self) -> Self:
        """Give the step with a seed nobody can guess where none was chosen; most steps draw nothing."""
        return self

    def touched(self) -> tuple[str, ...] | None:
        """Name the columns whose cells it changes; None means every column."""
        return ()

    def top_of(self, column: str, decimal: str) -> Decimal | None:
        """Give the number that every larger one of a column is written as; None where there is no such limit."""
        return None

    def apply(self, table: Table, decimal: str) -> Prepared:
        """Prepare the table, whose numbers have this decimal mark; raises BadParameter when that cannot be."""

    def apply_within(self, table: Table, decimal: str, classes: npt.NDArray[np.int64]) -> Prepared:
        """Prepare a table that is published, class by class."""
        return self.apply(table, decimal)

    def sentence(self) -> Message:
        """Say to the steward what the step does, with the values it speaks of."""

    def without_values(self) -> Message:
        """Say the same for a certificate, which names no value of the table."""


STEPS: Registry[Step] = Registry("step of preparation", __package__)


def column_of(table: Table, name: str) -> Column:
    """Give the column a step is about; raises BadParameter when there is none."""
    if name not in table.names:
        raise no_column(name)
    return table.column(name)


def no_column(name: str) -> BadParameter:
    """Say that a step is about a column that is not there."""
    return BadParameter(
        message("A step of preparation is about “{name}”, which is no column.", name=name), "Choose one of the columns."
    )
