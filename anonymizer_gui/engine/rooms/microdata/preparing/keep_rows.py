"""Keep rows that meet conditions: the part of the table that is to be published."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message, quote
from anonymizer_gui.engine.core.params import Text, param
from anonymizer_gui.engine.data.tables.conditions import Clause, matching_rows, parse_condition
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.preparing.contract import STEPS, Prepared, Step, column_of


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

    def apply(self, table: Table, decimal: str) -> Prepared:
        """Keep the rows."""
        clauses = self.clauses(decimal)
        for clause in clauses:
            column_of(table, clause.column)
        kept = matching_rows(table, clauses, decimal)
        self.refuse_none(int(kept.sum()), table.n_rows)
        left = table.n_rows - int(kept.sum())
        return Prepared(table.take(kept), rows=left, origin=np.flatnonzero(kept)) if left else Prepared(table)

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
