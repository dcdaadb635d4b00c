"""Average class size: how much larger classes are than they had to be."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import classes_of
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS, Comparison, Metric, MetricResult


@METRICS.register
@dataclass(frozen=True, slots=True)
class AverageClassSize(Metric):
    """Rows per class, divided by the k that was asked for."""

    name: ClassVar[str] = "class-size"
    title: ClassVar[str] = "Average class size"
    summary: ClassVar[str] = "How many rows a class has on average, in multiples of the smallest size allowed."
    formula: ClassVar[str] = "C_avg = rows / classes / k"
    reference: ClassVar[str] = "LeFevre, DeWitt, Ramakrishnan, Mondrian, ICDE 2006"
    direction: ClassVar[Literal["lower", "higher"]] = "lower"
    range: ClassVar[str] = "1 / k and above"
    needs_rows: ClassVar[bool] = False

    k: int = param(Int(low=1), default=1, label="k", help="The smallest class allowed; 1 gives rows per class.")

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Give the rows per class over k; the details hold the number of classes."""
        progress(0.0, "Finding equivalence classes")
        classes = len(classes_of(comparison.published, comparison.qis))
        return MetricResult(comparison.published.n_rows / max(classes, 1) / self.k, {"classes": classes})
