"""Noise on numbers: each column by itself, or correlated as the columns are (Kim, A method for limiting disclosure in
microdata based on random noise and transformation, 1986)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message, quote
from anonymizer_gui.engine.core.params import Choice, Float, ListOf, Text, param
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.masking.contract import (
    STEPS,
    Floats,
    RandomStep,
    StepResult,
    column_of,
    column_values,
    count_kept,
    seed_param,
    with_values,
)

NOISE_KINDS = {"independent": "Each column by itself", "correlated": "Correlated as the columns are"}


@STEPS.register
@dataclass(frozen=True, slots=True)
class AddNoise(RandomStep):
    """Normal noise with mean 0 and a share of the standard deviation, or of the covariance of all columns."""

    name: ClassVar[str] = "noise"
    title: ClassVar[str] = "Add noise (not truthful)"
    summary: ClassVar[str] = (
        "Adds random noise to numbers: a share of their standard deviation. The cells are no longer true, and the "
        "release says so."
    )
    is_untruthful: ClassVar[bool] = True

    columns: tuple[str, ...] = param(
        ListOf(Text()), default=(), label="Columns", help="Columns of numbers, separated by commas."
    )
    amount: float = param(
        Float(low=0, high=10, above=True),
        default=0.1,
        label="Amount",
        help="The standard deviation of the noise, as a share of that of the column.",
    )
    way: str = param(Choice(NOISE_KINDS), default="independent", label="Noise", help="Whether the columns share it.")
    seed: int = seed_param()

    def apply(self, table: Table, decimal: str) -> StepResult:
        """Add the noise; where columns share it, rows without a number in one of them stay as they are."""
        values, random = column_values(table, self.columns, decimal), self.random()
        every = range(len(self.columns))
        changed = kept = 0
        for part in [slice(None)] if self.way == "correlated" else [slice(at, at + 1) for at in every]:
            rows = np.flatnonzero(~np.isnan(values[:, part]).any(axis=1))
            if len(rows) < 2:
                raise BadParameter("Fewer than two rows have numbers in these columns.", "Choose other columns.")
            new = values[rows, part] + self.noise(values[rows, part], random)
            for name, numbers in zip(self.columns[part], new.T, strict=True):
                kept += count_kept(column_of(table, name), rows)
                table, cells = with_values(table, name, rows, numbers, decimal)
                changed += cells
        return StepResult(table, cells=changed, kept=kept)

    def noise(self, values: Floats, random: np.random.Generator) -> Floats:
        """Draw noise for some rows: its covariance is the wanted share of that of the columns, or of its diagonal."""
        drawn = random.standard_normal(values.shape)
        spread = values.std(axis=0, ddof=1)
        if self.way == "independent" or values.shape[1] == 1:
            return np.asarray(self.amount * spread * drawn)
        size, directions = np.linalg.eigh(np.cov(values, rowvar=False))
        root = directions * np.sqrt(np.maximum(size, 0.0))
        return np.asarray(self.amount * drawn @ root.T)

    def touched(self) -> tuple[str, ...]:
        """Name the columns."""
        return self.columns

    def sentence(self) -> Message:
        """Say columns and amount."""
        return message(
            "Add noise to {columns}: {amount:.0%} of their standard deviation ({way})",
            columns=quote(self.columns),
            amount=self.amount,
            way=message(NOISE_KINDS[self.way]),
        )

    def without_values(self) -> Message:
        """Say the same; the seed would let the noise be taken off again."""
        return message(
            "{columns} got random noise of {amount:.0%} of their standard deviation ({way}): not truthful",
            columns=quote(self.columns),
            amount=self.amount,
            way=message(NOISE_KINDS[self.way]),
        )
