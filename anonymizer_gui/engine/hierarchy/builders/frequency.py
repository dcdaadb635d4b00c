"""The builder that groups rare values and leaves frequent ones."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import Float, ListOf, Text, param
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema
from anonymizer_gui.engine.hierarchy.builders.assembly import Level, assemble, values_of
from anonymizer_gui.engine.hierarchy.builders.builder import BUILDERS, MOST_LEVELS, Builder
from anonymizer_gui.engine.hierarchy.labels import clean
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

_RARE = 0.05


@BUILDERS.register
@dataclass(frozen=True, slots=True)
class Frequency(Builder):
    """Values that few rows have form one group; the others stay by themselves."""

    name: ClassVar[str] = "frequency"
    title: ClassVar[str] = "Rare values together"
    summary: ClassVar[str] = "Puts values that few rows have into one group and leaves the frequent ones."

    shares: tuple[float, ...] = param(
        ListOf(Float(low=0, high=1), MOST_LEVELS),
        default=(0.01,),
        label="Rare below",
        help="Values with a smaller share of the rows are rare; several rising shares make several levels.",
    )
    label: str = param(Text(), default="Other", label="Name of the group", help="What rare values become.")

    def build(self, column: Column, schema: ColumnSchema, progress: Progress = SILENT) -> Hierarchy:
        """Group the rare values; a single one is no group. Raises BadParameter when the group has no name."""
        rows = dict(zip(column.labels, column.counts().tolist(), strict=True))
        values = sorted(values_of(column, progress), key=lambda value: rows[value])
        levels = []
        for share in sorted(set(self.shares)):
            progress.check()
            rare = {value for value in values if rows[value] < share * len(column)}
            if len(rare) > 1:
                levels.append(Level([self._name(share) if value in rare else value for value in values]))
        return assemble(values, levels, column, progress)

    @staticmethod
    def suits(column: Column, schema: ColumnSchema) -> bool:
        """Say whether there are at least two rare values."""
        counts = column.compact().counts()
        return int((counts < _RARE * len(column)).sum()) > 1

    def _name(self, share: float) -> str:
        label = clean(self.label)
        if not label:
            raise BadParameter("The group of rare values needs a name.", "For example Other.")
        return label if len(set(self.shares)) == 1 else f"{label} (below {share:.4g})"
