"""The contract of all steps between the file and the table that is protected."""

import secrets
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, ClassVar, Protocol, Self

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table
from anonymizer_gui.engine.data.tables.values import parse_numbers


@dataclass(frozen=True, slots=True, eq=False)
class StepResult:
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

    def apply(self, table: Table, decimal: str) -> StepResult:
        """Prepare the table, whose numbers have this decimal mark; raises BadParameter when that cannot be."""

    def apply_within(self, table: Table, decimal: str, classes: npt.NDArray[np.int64]) -> StepResult:
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
        raise missing_column(name)
    return table.column(name)


def missing_column(name: str) -> BadParameter:
    """Say that a step is about a column that is not there."""
    return BadParameter(
        message("A step of preparation is about “{name}”, which is no column.", name=name), "Choose one of the columns."
    )


_MOST = (1 << 63) - 1
"""Too many to be tried one by one."""


class RandomStep(Step, Protocol):
    """A step with a parameter `seed`, in which 0 stands for one that is still to be drawn."""

    __slots__ = ()

    @property
    def seed(self) -> int:
        """What all chance of the step follows from."""

    def with_secret_seed(self) -> Self:
        """Give the step with a seed nobody can guess where none was chosen."""
        # A step is a frozen dataclass, which a protocol cannot say.
        return replace(self, seed=self.seed or 1 + secrets.randbelow(_MOST))  # type: ignore[type-var]

    def random(self) -> np.random.Generator:
        """Give the chance of the step; raises BadParameter where no seed was drawn, as everybody would know it."""
        if not self.seed:
            raise BadParameter(
                message("The step “{title}” has no seed, so anybody could undo it.", title=message(self.title)),
                "Call with_secret_seed() first.",
            )
        return np.random.default_rng(self.seed)


def seed_param() -> Any:
    """Declare the seed of a step."""
    return param(
        Int(low=0, high=_MOST),
        default=0,
        label="Seed",
        help="0 draws a secret one. Whoever knows it can undo the step: it stays in the house.",
    )


def relabel(
    table: Table, column: Column, new: Mapping[str, str], understood: Container[str] | None = None
) -> StepResult:
    """Give the table with some values of a column replaced by others, and how many cells that were.

    Values that are not among those `understood` are counted as kept; None means that all are.
    """
    kept = 0 if understood is None else _kept(column, understood)
    changed = {old: label for old, label in new.items() if old != label}
    if not changed:
        return StepResult(table, kept=kept)
    moved = np.array([label in changed for label in column.labels], dtype=np.bool_)
    other = column.relabelled(changed)
    columns = tuple(other if each.name == column.name else each for each in table.columns)
    return StepResult(Table(columns, table.n_rows), cells=int(column.counts()[moved].sum()), kept=kept)


def _kept(column: Column, understood: Container[str]) -> int:
    others = [label != MISSING and label not in understood for label in column.labels]
    return int(column.counts()[np.array(others, dtype=np.bool_)].sum())


MAX_DIGITS = 700
"""So exactly is reckoned with the largest numbers a table may hold."""


def exact_numbers(column: Column, decimal: str) -> dict[str, Decimal]:
    """Give the labels that are numbers with their exact values; raises BadParameter when there are none."""
    fits = parse_numbers(column.labels, decimal)[1]
    found = {
        label: Decimal(label.replace(decimal, "."))
        for label, fit in zip(column.labels, fits.tolist(), strict=True)
        if fit
    }
    if not found and len(column):
        raise BadParameter(message("“{name}” holds no numbers.", name=column.name), "Choose a column of numbers.")
    return found


def number_text(value: Decimal, decimal: str) -> str:
    """Write a number as files do: no exponent, no zeros at its end."""
    text = format(value.normalize() + 0, "f")
    return text.replace(".", decimal)


def parse_number(text: str, decimal: str) -> Decimal | None:
    """Read what was typed; None for nothing. Raises BadParameter."""
    if not text.strip():
        return None
    if not parse_numbers([text.strip()], decimal)[1][0]:
        raise BadParameter(message("“{text}” is no number.", text=text[:40]), "Write a number such as 90.")
    return Decimal(text.strip().replace(decimal, "."))


def rewritten_labels(numbers: Mapping[str, Decimal], new: Mapping[str, Decimal], decimal: str) -> dict[str, str]:
    """Give the new text of every label whose value changes, and of those that had the new value before.

    Others stay as they were written. A limit of 90 must not tell those at the limit, `90.0`, from those beyond.
    """
    reached = {new[label] for label, value in numbers.items() if new[label] != value}
    return {label: number_text(value, decimal) for label, value in new.items() if value in reached}


Floats = npt.NDArray[np.float64]

Ints = npt.NDArray[np.int64]

_MOST_DIGITS = 12


def column_values(table: Table, names: Sequence[str], decimal: str) -> Floats:
    """Give the numbers of some columns, NaN where a cell is none; raises BadParameter when a column has none."""
    if not names:
        raise BadParameter("There is no column to change.", "Name columns of numbers.")
    columns = [column_of(table, name) for name in names]
    values: Floats = np.stack([parse_numbers(column.labels, decimal)[0][column.codes] for column in columns], axis=1)
    for name, numbers in zip(names, values.T, strict=True):
        if np.isnan(numbers).all() and len(numbers):
            raise BadParameter(message("“{name}” holds no numbers.", name=name), "Choose a column of numbers.")
    return values


def with_values(table: Table, name: str, rows: Ints, new: Floats, decimal: str) -> tuple[Table, int]:
    """Write numbers into some rows of a column, with as many digits as it had; count the cells that are others now."""
    column = column_of(table, name)
    before, fits = parse_numbers(column.labels, decimal)
    digits = max((_digits(column.labels[at], decimal) for at in np.flatnonzero(fits).tolist()), default=0)
    texts = column.texts()
    rounded = np.round(new, digits) + 0.0
    shown = [f"{value:.{digits}f}".replace(".", decimal) for value in rounded.tolist()]
    changed = int(np.count_nonzero(~np.isclose(before[column.codes[rows]], rounded, rtol=0, atol=0.5 * 10.0**-digits)))
    texts[rows] = np.array(shown, dtype=object)
    return replace_column(table, Column.from_texts(name, texts)), changed


def count_kept(column: Column, rows: Ints) -> int:
    """Count the cells with a value in all rows but these."""
    is_value = np.array([label != MISSING for label in column.labels], dtype=np.bool_)[column.codes]
    return int(is_value.sum() - is_value[rows].sum())


def replace_column(table: Table, column: Column) -> Table:
    """Give the table with another column of the same name."""
    return Table(tuple(column if each.name == column.name else each for each in table.columns), table.n_rows)


def _digits(label: str, decimal: str) -> int:
    """Count the digits behind the decimal mark; numbers with an exponent are written with all."""
    if "e" in label.lower():
        return _MOST_DIGITS
    return min(len(label.partition(decimal)[2]), _MOST_DIGITS)
