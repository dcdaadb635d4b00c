"""Rank swapping: values change places with others of near rank (Moore, Controlled data-swapping techniques, 1996)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.messages import Message, message, quote
from anonymizer_gui.engine.core.params import Float, ListOf, Text, param
from anonymizer_gui.engine.data.tables.table import Column, Table
from anonymizer_gui.engine.rooms.microdata.masking.contract import (
    STEPS,
    Ints,
    RandomStep,
    StepResult,
    column_of,
    column_values,
    count_kept,
    replace_column,
    seed_param,
)


@STEPS.register
@dataclass(frozen=True, slots=True)
class SwapRanks(RandomStep):
    """Each column by itself: its values stay, who has which does not."""

    name: ClassVar[str] = "swap"
    title: ClassVar[str] = "Swap near values (not truthful)"
    summary: ClassVar[str] = (
        "Lets every number change places with another of near rank. The cells are no longer true, and the release "
        "says so."
    )
    is_untruthful: ClassVar[bool] = True

    columns: tuple[str, ...] = param(
        ListOf(Text()), default=(), label="Columns", help="Columns of numbers, separated by commas."
    )
    share: float = param(
        Float(low=0, high=1, above=True),
        default=0.05,
        label="Farthest",
        help="How far apart two ranks may be, as a share of the rows.",
    )
    seed: int = seed_param()

    def apply(self, table: Table, decimal: str) -> StepResult:
        """Swap the cells as they are written; what is no number stays."""
        values, random, changed, kept = column_values(table, self.columns, decimal), self.random(), 0, 0
        for at, name in enumerate(self.columns):
            column = column_of(table, name)
            rows = np.flatnonzero(~np.isnan(values[:, at]))
            ranked = rows[np.argsort(values[rows, at], kind="stable")]
            partner = swap_partners(len(ranked), max(1, int(self.share * len(ranked))), random)
            codes = column.codes.copy()
            codes[ranked] = column.codes[ranked[partner]]
            changed, kept = changed + int(np.count_nonzero(codes != column.codes)), kept + count_kept(column, rows)
            table = replace_column(table, Column(name, codes, column.labels))
        return StepResult(table, cells=changed, kept=kept)

    def touched(self) -> tuple[str, ...]:
        """Name the columns."""
        return self.columns

    def sentence(self) -> Message:
        """Say columns and distance."""
        return message(
            "Swap values of {columns} within {share:.1%} of the ranks", columns=quote(self.columns), share=self.share
        )

    def without_values(self) -> Message:
        """Say the same; the seed would let the swaps be undone."""
        return message(
            "Values of {columns} were swapped within {share:.1%} of the ranks: not truthful",
            columns=quote(self.columns),
            share=self.share,
        )


def swap_partners(count: int, farthest: int, random: np.random.Generator) -> Ints:
    """Give the rank every rank swaps with, at most so far away; who finds nobody left stays where it is."""
    partner = np.arange(count)
    is_free = np.ones(count, dtype=np.bool_)
    steps = random.integers(1, farthest + 1, size=count).tolist()
    for rank in range(count):
        if not is_free[rank]:
            continue
        is_free[rank] = False
        last = min(rank + farthest, count - 1)
        wanted = min(rank + steps[rank], last)
        near = np.flatnonzero(is_free[rank + 1 : last + 1]) + rank + 1
        if len(near):
            other = int(near[np.abs(near - wanted).argmin()])
            is_free[other] = False
            partner[rank], partner[other] = other, rank
    return partner
