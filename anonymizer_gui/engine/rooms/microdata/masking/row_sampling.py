"""Rows filtered, sampled, synthetic rows added."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message, quote
from anonymizer_gui.engine.core.params import Float, Text, param
from anonymizer_gui.engine.data.tables.column_profile import column_facts
from anonymizer_gui.engine.data.tables.conditions import Clause, matching_rows, parse_condition
from anonymizer_gui.engine.data.tables.table import MISSING, Codes, Column, Table, smallest_codes
from anonymizer_gui.engine.rooms.microdata.masking.contract import (
    STEPS,
    Ints,
    RandomStep,
    Step,
    StepResult,
    column_of,
    seed_param,
)


@STEPS.register
@dataclass(frozen=True, slots=True)
class KeepRows(Step):
    """A row filter: conditions joined by “and”."""

    name: ClassVar[str] = "keep"
    title: ClassVar[str] = "Keep rows"
    summary: ClassVar[str] = "Keeps the rows that meet all conditions; the others are not part of the release."
    is_by_value: ClassVar[bool] = True

    condition: str = param(
        Text(),
        default="",
        label="Condition",
        help='Columns compared with values, such as age>=18 and "marital status"=Married; put odd names in quotes.',
    )

    def apply(self, table: Table, decimal: str) -> StepResult:
        """Keep the rows."""
        clauses = self.clauses(decimal)
        for clause in clauses:
            column_of(table, clause.column)
        kept = matching_rows(table, clauses, decimal)
        self.refuse_none(int(kept.sum()), table.n_rows)
        left = table.n_rows - int(kept.sum())
        return StepResult(table.take(kept), rows=left, origin=np.flatnonzero(kept)) if left else StepResult(table)

    def clauses(self, decimal: str) -> tuple[Clause, ...]:
        """Give the comparisons, all of which a row must meet; raises BadParameter when there is none."""
        clauses = parse_condition(self.condition, decimal)
        if not clauses:
            raise BadParameter("There is no condition.", "Write one, such as age>=18.")
        return clauses

    def refuse_none(self, kept: int, rows: int) -> None:
        """Raise BadParameter when no row is left of those there were."""
        if rows and not kept:
            raise BadParameter(
                message("No row meets the condition “{condition}”.", condition=self.condition),
                "Write another condition.",
            )

    def sentence(self) -> Message:
        """Say the condition."""
        return message("Keep the rows where {condition}", condition=self.condition)

    def without_values(self) -> Message:
        """Name the columns of the condition."""
        columns = dict.fromkeys(clause.column for clause in parse_condition(self.condition))
        return message("Rows were kept by a condition on {columns}", columns=quote(columns))


@STEPS.register
@dataclass(frozen=True, slots=True)
class TakeSample(RandomStep):
    """A simple random sample without replacement; the rows keep their order."""

    name: ClassVar[str] = "sample"
    title: ClassVar[str] = "Take a sample"
    summary: ClassVar[str] = "Takes a random share of the rows, the same for the same seed."

    share: float = param(
        Float(low=0, high=1, above=True), default=0.1, label="Share", help="How many of the rows are taken."
    )
    seed: int = seed_param()

    def apply(self, table: Table, decimal: str) -> StepResult:
        """Take the rows; at least one where there are any."""
        count = min(table.n_rows, max(1, round(self.share * table.n_rows)))
        taken = self.random().choice(table.n_rows, count, replace=False) if count else np.arange(0)
        rows = np.sort(taken)
        return StepResult(table.take(rows), rows=table.n_rows - count, origin=rows)

    def sentence(self) -> Message:
        """Say share and seed."""
        return message("Take a random sample of {share:.1%} (seed {seed})", share=self.share, seed=str(self.seed))

    def without_values(self) -> Message:
        """Say the share; the seed would tell who is in it."""
        return message("A random sample of {share:.1%} was taken", share=self.share)


_MOST_ALONE = 0.05


@STEPS.register
@dataclass(frozen=True, slots=True)
class SyntheticRows(RandomStep):
    """Each value is that of a random row which agrees in the column before: neighbours go together, people do not."""

    name: ClassVar[str] = "made-up"
    title: ClassVar[str] = "Add made-up records (not truthful)"
    summary: ClassVar[str] = (
        "Adds records that are about nobody, put together of values of the table; identifiers stay empty in them. "
        "k counts them as records. No column is fully true any more, and the release says so."
    )
    is_untruthful: ClassVar[bool] = True

    share: float = param(
        Float(low=0, high=10, above=True), default=0.1, label="Share", help="How many are added, for each real record."
    )
    seed: int = seed_param()

    def apply(self, table: Table, decimal: str) -> StepResult:
        """Add the records at the end; a release shows rows in another order."""
        count = max(1, round(self.share * table.n_rows)) if table.n_rows else 0
        if not count:
            return StepResult(table)
        random, columns = self.random(), []
        agreed: tuple[Codes, Codes] | None = None
        for column in table.columns:
            facts = column_facts(column)
            if facts.is_nearly_unique:
                columns.append(_with_missing(column, count))
                continue
            rows = random.integers(0, table.n_rows, size=count) if agreed is None else _agreeing(*agreed, random)
            columns.append(replace(column, codes=np.concatenate([column.codes, column.codes[rows]])))
            # A value that few rows have would lead back to the same person, column by column.
            agreed = (column.codes, column.codes[rows]) if facts.unique_share < _MOST_ALONE else None
        origin = np.concatenate([np.arange(table.n_rows), np.full(count, -1)])
        return StepResult(Table(tuple(columns), table.n_rows + count), added=count, origin=origin)

    def touched(self) -> None:
        """Concern every column."""
        return

    def sentence(self) -> Message:
        """Say the share."""
        return message("Add made-up records: {share:.0%} of the real ones", share=self.share)

    def without_values(self) -> Message:
        """Say the same; the seed would tell which they are."""
        return message("Made-up records were added, {share:.0%} of the real ones: not truthful", share=self.share)


def _agreeing(codes: Codes, drawn: Codes, random: np.random.Generator) -> Ints:
    """Draw for every new record a real row that has the value which was drawn in the column before."""
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    low, high = np.searchsorted(ordered, drawn, side="left"), np.searchsorted(ordered, drawn, side="right")
    return np.asarray(order[low + (random.random(len(drawn)) * (high - low)).astype(np.int64)], dtype=np.int64)


def _with_missing(column: Column, count: int) -> Column:
    labels = column.labels if MISSING in column.labels else (*column.labels, MISSING)
    codes = np.concatenate([column.codes.astype(np.int64), np.full(count, labels.index(MISSING))])
    return Column(column.name, smallest_codes(codes, len(labels)), labels)
