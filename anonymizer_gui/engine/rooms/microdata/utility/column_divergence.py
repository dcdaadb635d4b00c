"""KL of column distributions: how well the release still shows how each column is spread."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS, Comparison, Metric, MetricResult


@METRICS.register
@dataclass(frozen=True, slots=True)
class ColumnDivergence(Metric):
    """Bits between the original distribution of a column and that of the release, cells spread evenly."""

    name: ClassVar[str] = "column-kl"
    title: ClassVar[str] = "Column divergence"
    summary: ClassVar[str] = "How far the spread of each column, read off the release, is from the true one, in bits."
    formula: ClassVar[str] = (
        "mean over columns of Σ_v p(v) log₂(p(v) / p̂(v)), p̂ with every cell spread evenly over its leaves"
    )
    reference: ClassVar[str] = "Kifer, Gehrke, Injecting utility into anonymized datasets, SIGMOD 2006"
    direction: ClassVar[Literal["lower", "higher"]] = "lower"
    range: ClassVar[str] = "0 and above"
    needs_rows: ClassVar[bool] = False

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Give the mean over the quasi-identifiers; the details hold every column. Suppressed rows spread over all."""
        columns = {}
        for done, name in enumerate(comparison.qis):
            progress(done / len(comparison.qis), message("Distribution of “{name}”", name=name))
            before, after = comparison.columns[name].original_shares(), comparison.columns[name].published_shares()
            present = before > 0
            ratio = before[present] / np.maximum(after[present], np.finfo(float).tiny)
            columns[name] = max(float((before[present] * np.log2(ratio)).sum()), 0.0)
        return MetricResult(float(np.mean(list(columns.values()) or [0.0])), {"columns": columns})
