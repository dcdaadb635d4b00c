"""Columns whose values were written otherwise before anything is counted, value by value, as steps of preparation do.

The rows stay as they are where the engine has them: what is counted, shown and published goes through here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from anonymizer_gui.engine.data.tables.table import Column, Table
from anonymizer_gui.engine.scale.values import Values


@dataclass(frozen=True, slots=True)
class Written:
    """How each value of some columns is written now; values that are not named stay."""

    new: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def column(self, column: Column) -> Column:
        """Give a column as it is written now."""
        new = self.new.get(column.name)
        return column if not new else column.relabelled(new)

    def values(self, values: Values) -> Values:
        """Give the distinct values of a column as they are written now."""
        return replace(values, column=self.column(values.column)) if values.name in self.new else values

    def table(self, table: Table) -> Table:
        """Give a table as it is written now."""
        return Table(tuple(self.column(column) for column in table.columns), table.n_rows)

    def then(self, before: Column, after: Column) -> "Written":
        """Write the values of a column once more; both tell the same rows, `before` as the engine has them."""
        pairs = zip(before.codes.tolist(), after.codes.tolist(), strict=True)
        changed = {before.labels[old]: after.labels[new] for old, new in set(pairs)}
        kept = {label: text for label, text in changed.items() if label != text}
        return replace(self, new={**self.new, before.name: kept})


AS_IT_IS = Written()
