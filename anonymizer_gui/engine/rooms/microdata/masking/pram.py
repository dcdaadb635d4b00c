"""PRAM, the post-randomisation method: categories become others with known chances, given or invariant.

Gouweleeuw et al., Post randomisation for statistical disclosure control, Journal of Official Statistics 14, 1998.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Choice, Float, ListOf, Text, param
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table
from anonymizer_gui.engine.rooms.microdata.masking.contract import (
    STEPS,
    Floats,
    Ints,
    RandomStep,
    StepResult,
    column_of,
    replace_column,
    seed_param,
)

PRAM_KINDS = {"invariant": "Frequencies stay, in expectation", "given": "As given below"}
_MOST_VALUES = 500


@STEPS.register
@dataclass(frozen=True, slots=True)
class Pram(RandomStep):
    """Every cell is drawn anew from the row of its value in a matrix of chances."""

    name: ClassVar[str] = "pram"
    title: ClassVar[str] = "Exchange categories, PRAM (not truthful)"
    summary: ClassVar[str] = (
        "Lets categories become others by chance, with given chances or such that the frequencies stay in expectation. "
        "The cells are no longer true, and the release says so."
    )
    is_untruthful: ClassVar[bool] = True

    column: str = param(Text(column=True), default="", label="Column", help="The column of categories.")
    way: str = param(Choice(PRAM_KINDS), default="invariant", label="Chances", help="Where the chances come from.")
    keep: float = param(
        Float(low=0, high=1),
        default=0.8,
        label="Kept",
        help="The chance that the first of two draws leaves a value; the higher, the fewer cells change.",
        when=("way", "invariant"),
    )
    moves: tuple[str, ...] = param(
        ListOf(Text()),
        default=(),
        label="Moves",
        help="Chances such as flu>cold=0.1, separated by commas; what is left of 1 is the chance to stay.",
        when=("way", "given"),
    )
    seed: int = seed_param()

    def apply(self, table: Table, decimal: str) -> StepResult:
        """Draw every cell that is not missing."""
        column = column_of(table, self.column).compact()
        known = [at for at, label in enumerate(column.labels) if label != MISSING]
        labels = [column.labels[at] for at in known]
        if len(labels) > _MOST_VALUES:
            raise BadParameter(
                message(
                    "“{name}” has {count:,} different values, too many to exchange.",
                    name=self.column,
                    count=len(labels),
                ),
                "Merge or generalise values first.",
            )
        if not labels:
            return StepResult(table)
        counts = column.counts()[known].astype(np.float64)
        matrix = invariant_matrix(counts, self.keep) if self.way == "invariant" else parse_matrix(labels, self.moves)
        rows = np.flatnonzero(np.isin(column.codes, known))
        place = {code: at for at, code in enumerate(known)}
        now = np.array([place.get(code, 0) for code in range(len(column.labels))])[column.codes[rows]]
        chance = self.random().random(len(rows))
        drawn = _drawn(now, chance, np.cumsum(matrix, axis=1))
        codes = column.codes.astype(np.int64)
        codes[rows] = np.array(known)[drawn]
        made = Column(self.column, codes.astype(column.codes.dtype), column.labels)
        return StepResult(replace_column(table, made.compact()), cells=int(np.count_nonzero(drawn != now)))

    def touched(self) -> tuple[str, ...]:
        """Name the column."""
        return (self.column,)

    def sentence(self) -> Message:
        """Say column and chances."""
        return message(
            "Exchange categories of “{column}” by chance (PRAM, {way})",
            column=self.column,
            way=message(PRAM_KINDS[self.way]),
        )

    def without_values(self) -> Message:
        """Say the same; chances that name values stay inside."""
        return message("Categories of “{column}” were exchanged by chance (PRAM): not truthful", column=self.column)


def _drawn(now: Ints, chance: Floats, reached: Floats) -> Ints:
    """Give the category every cell becomes: the first whose summed chances exceed the number that was drawn."""
    drawn = np.empty(len(now), dtype=np.int64)
    for at, chances in enumerate(reached):
        rows = now == at
        drawn[rows] = np.searchsorted(chances, chance[rows], side="right")
    return np.minimum(drawn, reached.shape[1] - 1)


def invariant_matrix(counts: Floats, keep: float) -> Floats:
    """Give chances under which the expected frequencies are the present ones: a draw, and a draw back by Bayes.

    >>> counts = np.array([6.0, 3.0, 1.0])
    >>> np.allclose(counts @ invariant_matrix(counts, 0.7), counts)
    True
    """
    size = len(counts)
    if size == 1:
        return np.ones((1, 1))
    first = np.full((size, size), (1 - keep) / (size - 1))
    np.fill_diagonal(first, keep)
    reached = counts @ first
    back = (first * counts[:, None]).T / np.where(reached > 0, reached, 1.0)[:, None]
    return np.asarray(first @ back)


def parse_matrix(labels: list[str], moves: tuple[str, ...]) -> Floats:
    """Read chances such as flu>cold=0.1; raises BadParameter for a value that is not there or chances above 1."""
    matrix, place = np.zeros((len(labels), len(labels))), {label: at for at, label in enumerate(labels)}
    for move in moves:
        pair, _, text = move.rpartition("=")
        start, _, end = pair.partition(">")
        try:
            chance = float(text)
        except ValueError:
            chance = -1.0
        if start.strip() not in place or end.strip() not in place or not 0 <= chance <= 1:
            raise BadParameter(
                message("“{move}” is no move from one value of the column to another.", move=move[:60]),
                "Write moves as flu>cold=0.1.",
            )
        matrix[place[start.strip()], place[end.strip()]] += chance
    np.fill_diagonal(matrix, 0.0)
    left = 1 - matrix.sum(axis=1)
    if not moves or (left < -1e-9).any():
        raise BadParameter("The chances of a value add up to more than 1, or there is none.", "Lower them.")
    return np.asarray(matrix + np.diag(np.maximum(left, 0.0)))
