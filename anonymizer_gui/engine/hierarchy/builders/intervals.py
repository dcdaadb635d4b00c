"""The builder of intervals: 37, 35-39, 30-39."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.params import Choice, Float, Int, ListOf, param
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema
from anonymizer_gui.engine.data.tables.values import Floats, parse_texts_as_numbers
from anonymizer_gui.engine.hierarchy.builders.assembly import Level, assemble, used_values, values_of
from anonymizer_gui.engine.hierarchy.builders.builder import BUILDERS, MOST_LEVELS, Builder
from anonymizer_gui.engine.hierarchy.builders.numeric_bins import Bins, at_cuts, equal_frequency, equal_width
from anonymizer_gui.engine.hierarchy.interval_labels import Style, label_of
from anonymizer_gui.engine.hierarchy.tree import Hierarchy


@BUILDERS.register
@dataclass(frozen=True, slots=True)
class Intervals(Builder):
    """Numbers in intervals, and intervals in larger ones."""

    name: ClassVar[str] = "intervals"
    title: ClassVar[str] = "Intervals"
    summary: ClassVar[str] = "Puts numbers into intervals of equal width, equal frequency or your own, level by level."

    method: str = param(
        Choice({"width": "equal width", "frequency": "equal frequency", "cuts": "my own cut points"}),
        default="width",
        label="Intervals of",
        help="How the lowest level is cut.",
    )
    width: float = param(Float(low=0), default=0.0, label="Width", help="Of each interval; 0 chooses a round number.")
    count: int = param(Int(low=1, high=10_000), default=10, label="Number", help="Of intervals of equal frequency.")
    cuts: tuple[float, ...] = param(
        ListOf(Float()), default=(), label="Cut points", help="Rising numbers; an interval begins at each."
    )
    fan_out: tuple[int, ...] = param(
        ListOf(Int(low=2), MOST_LEVELS),
        default=(2, 2),
        label="Intervals per larger one",
        help="For each further level, how many neighbours are put together.",
    )
    style: str = param(
        Choice({"a-b": "35-39", "[a-b)": "[35-40)"}),
        default="a-b",
        label="Labels",
        help="How intervals of whole numbers are written; others always have brackets.",
    )

    def build(self, column: Column, schema: ColumnSchema, progress: Progress = SILENT) -> Hierarchy:
        """Cut the numbers; values that are no numbers come directly under the root."""
        texts = values_of(column, progress)
        progress(0.0)
        found = parse_texts_as_numbers(texts, schema)
        progress(0.0)
        order = [at for at in np.argsort(found, kind="stable").tolist() if not np.isnan(found[at])]
        if not order:
            return assemble((), (), column, progress)
        values = found[order]
        rows = dict(zip(column.labels, column.counts().tolist(), strict=True))
        bins = self._bins(values, [rows[texts[at]] for at in order])
        steps = [bins]
        for fan_out in self.fan_out:
            steps.append(steps[-1].coarser(fan_out))
        levels = (self._level(step, values) for step in steps if not step.is_everything)
        return assemble([texts[at] for at in order], levels, column, progress)

    @staticmethod
    def suits(column: Column, schema: ColumnSchema) -> bool:
        """Say whether most values are numbers."""
        texts = used_values(column)
        return bool(texts) and bool(np.mean(~np.isnan(parse_texts_as_numbers(texts, schema))) >= 0.9)

    def _bins(self, values: Floats, rows: Sequence[int]) -> Bins:
        ways: dict[str, Callable[[], Bins]] = {
            "width": lambda: equal_width(values, self.width),
            "frequency": lambda: equal_frequency(values, np.asarray(rows, dtype=np.int64), self.count),
            "cuts": lambda: at_cuts(self.cuts),
        }
        return ways[self.method]()

    def _level(self, bins: Bins, values: Floats) -> Level:
        whole = bool(np.all(values == np.round(values)))
        style: Style = "a-b" if self.style == "a-b" else "[a-b)"
        at = bins.find(values)
        used = {number: bins.interval(number) for number in np.unique(at).tolist()}
        labels = {number: label_of(interval, style, whole=whole) for number, interval in used.items()}
        groups = [labels[number] for number in at.tolist()]
        return Level(groups, {labels[number]: interval for number, interval in used.items()})
