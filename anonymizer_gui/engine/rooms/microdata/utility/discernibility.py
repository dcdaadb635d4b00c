"""Discernibility: how many rows each row cannot be told apart from."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import classes_of
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS, Comparison, Metric, MetricResult


@METRICS.register
@dataclass(frozen=True, slots=True)
class Discernibility(Metric):
    """Every row pays the size of its class; a suppressed row pays the size of the table."""

    name: ClassVar[str] = "discernibility"
    title: ClassVar[str] = "Discernibility"
    summary: ClassVar[str] = "Large classes cost more: the sum over rows of the rows that look the same."
    formula: ClassVar[str] = "DM = Σ_classes |E|² + suppressed × records"
    reference: ClassVar[str] = "Bayardo, Agrawal, Data privacy through optimal k-anonymization, ICDE 2005"
    direction: ClassVar[Literal["lower", "higher"]] = "lower"
    range: ClassVar[str] = "records to records²"
    needs_rows: ClassVar[bool] = False

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Give the sum of the squared class sizes; the details hold it per row."""
        progress(0.0, "Finding equivalence classes")
        sizes = classes_of(comparison.published, comparison.qis).sizes
        records = comparison.published.n_rows + comparison.suppressed
        value = float(np.square(sizes, dtype=np.float64).sum()) + float(comparison.suppressed) * records
        return MetricResult(value, {"per_row": value / max(records, 1)})
