"""Precision: the share of its hierarchy that each cell has not climbed."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS, Comparison, Metric, MetricResult
from anonymizer_gui.engine.rooms.microdata.utility.loss import levels_climbed


@METRICS.register
@dataclass(frozen=True, slots=True)
class Precision(Metric):
    """1 minus the mean of levels climbed / height of the hierarchy (Sweeney 2002)."""

    name: ClassVar[str] = "precision"
    title: ClassVar[str] = "Precision"
    summary: ClassVar[str] = "How far cells are from the top of their hierarchies: 1 is untouched, 0 is all suppressed."
    formula: ClassVar[str] = "Prec = 1 - (Σ_cells levels climbed / height) / (records × columns)"
    reference: ClassVar[str] = "Sweeney, Achieving k-anonymity privacy protection, IJUFKS 10(5), 2002"
    direction: ClassVar[Literal["lower", "higher"]] = "higher"
    range: ClassVar[str] = "0 to 1"
    ends: ClassVar[tuple[float, float] | None] = (1.0, 0.0)
    needs_rows: ClassVar[bool] = True

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Give the precision; the details hold that of every column."""
        columns = {}
        for done, name in enumerate(comparison.qis):
            progress(done / len(comparison.qis), message("Precision of “{name}”", name=name))
            placed = comparison.columns[name]
            climbed = levels_climbed(placed.published, placed.cells, placed.leaf, comparison.rows)
            cells = max(len(climbed) * placed.hierarchy.height, 1)
            columns[name] = 1.0 - float(climbed.sum()) / cells
        return MetricResult(float(np.mean(list(columns.values()) or [1.0])), {"columns": columns})
