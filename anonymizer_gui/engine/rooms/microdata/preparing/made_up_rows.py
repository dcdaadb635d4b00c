"""Made-up records among the real ones, so that nobody can be sure that a record is about anybody."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.data.tables.column_profile import column_facts
from anonymizer_gui.engine.data.tables.table import MISSING, Codes, Column, Table, smallest_codes
from anonymizer_gui.engine.rooms.microdata.preparing.contract import STEPS, Prepared
from anonymizer_gui.engine.rooms.microdata.preparing.drawing import DrawingStep, seed_param
from anonymizer_gui.engine.rooms.microdata.preparing.number_columns import Ints

_MOST_ALONE = 0.05


@STEPS.register
@dataclass(frozen=True, slots=True)
class MadeUpRows(DrawingStep):
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

    def apply(self, table: Table, decimal: str) -> Prepared:
        """Add the records at the end; a release shows rows in another order."""
        count = max(1, round(self.share * table.n_rows)) if table.n_rows else 0
        if not count:
            return Prepared(table)
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
        return Prepared(Table(tuple(columns), table.n_rows + count), added=count, origin=origin)

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
