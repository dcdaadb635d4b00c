"""The builder of calendar levels: day, month, quarter, year, decade."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, ListOf, param
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema
from anonymizer_gui.engine.data.tables.values import Floats, parse_day_ordinals
from anonymizer_gui.engine.hierarchy.builders.contract import BUILDERS, Builder
from anonymizer_gui.engine.hierarchy.coverage import LevelGroups, occurring_values, ordered_values, tree_from_levels
from anonymizer_gui.engine.hierarchy.intervals import UNITS, unit_interval, unit_label, unit_numbers
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

_COARSENESS = list(UNITS)


@BUILDERS.register
@dataclass(frozen=True, slots=True)
class Dates(Builder):
    """Dates and times in the units chosen, from fine to coarse."""

    name: ClassVar[str] = "dates"
    title: ClassVar[str] = "Dates and times"
    summary: ClassVar[str] = "Puts dates into days, weeks, months, quarters, years, decades, as chosen."

    levels: tuple[str, ...] = param(
        ListOf(Choice(UNITS)),
        default=("month", "quarter", "year", "decade"),
        label="Levels",
        help="The units, from fine to coarse. Weeks cannot be followed by months or years: they cross their ends.",
    )

    def build(self, column: Column, schema: ColumnSchema, progress: Progress = SILENT) -> Hierarchy:
        """Put the dates into their units; values that are no dates come directly under the root."""
        _refuse_disorder(self.levels)
        texts = ordered_values(column, progress)
        progress(0.0)
        found = parse_day_ordinals(texts, schema)
        progress(0.0)
        order = [at for at in np.argsort(found, kind="stable").tolist() if not np.isnan(found[at])]
        days = found[order]
        levels = (_level(days, unit) for unit in self.levels)
        return tree_from_levels([texts[at] for at in order], levels, column, progress)

    @staticmethod
    def suits(column: Column, schema: ColumnSchema) -> bool:
        """Say whether most values are dates."""
        texts = occurring_values(column)
        return bool(texts) and bool(np.mean(~np.isnan(parse_day_ordinals(texts, schema))) >= 0.9)


def _level(days: Floats, unit: str) -> LevelGroups:
    numbers, at = np.unique(unit_numbers(days, unit), return_inverse=True)
    labels = [unit_label(number, unit) for number in numbers.tolist()]
    intervals = {label: unit_interval(number, unit) for label, number in zip(labels, numbers.tolist(), strict=True)}
    return LevelGroups([labels[number] for number in at.tolist()], intervals)


def _refuse_disorder(levels: Sequence[str]) -> None:
    ranks = [_COARSENESS.index(unit) for unit in levels]
    if ranks != sorted(set(ranks)):
        raise BadParameter(
            "The levels must go from fine to coarse, each once.",
            message("The order is {units}.", units=[message(unit) for unit in UNITS]),
        )
    if "week" in levels and levels[-1] != "week":
        raise BadParameter(
            "Weeks cross the ends of months and years.", "Let weeks be the last level, or leave them out."
        )
