"""LM: the share of its domain that each cell covers, averaged."""

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS, Comparison, Metric, MetricResult
from anonymizer_gui.engine.rooms.microdata.utility.loss import mean_loss, scaled_weights


@METRICS.register
@dataclass(frozen=True, slots=True)
class LossMetric(Metric):
    """(values covered - 1) / (domain - 1) per cell, weighted over columns; a suppressed record costs 1."""

    name: ClassVar[str] = "lm"
    title: ClassVar[str] = "Loss metric (LM)"
    summary: ClassVar[str] = (
        "How much of its domain the average cell covers: 0 is as detailed as the original, 1 says nothing."
    )
    formula: ClassVar[str] = "LM = (1/n) Σ_records Σ_columns w (|leaves covered| - 1) / (|leaves| - 1)"
    reference: ClassVar[str] = "Iyengar, Transforming data to satisfy privacy constraints, KDD 2002"
    direction: ClassVar[Literal["lower", "higher"]] = "lower"
    range: ClassVar[str] = "0 to 1"
    ends: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    needs_rows: ClassVar[bool] = False

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Give the loss per record; the details hold its sum and that of every column."""
        weights = scaled_weights(comparison.qis, comparison.weights)
        columns = {}
        for done, name in enumerate(comparison.qis):
            progress(done / len(comparison.qis), message("Loss of “{name}”", name=name))
            placed = comparison.columns[name]
            columns[name] = mean_loss(placed.published, placed.cells, comparison.suppressed)
        value = math.fsum(weights[name] * loss for name, loss in columns.items())
        records = comparison.published.n_rows + comparison.suppressed
        return MetricResult(value, {"total": value * records, "columns": columns})
