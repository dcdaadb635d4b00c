"""Non-uniform entropy: the bits that a cell no longer tells about the original value."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS, Comparison, Metric, MetricResult


@METRICS.register
@dataclass(frozen=True, slots=True)
class NonUniformEntropy(Metric):
    """Bits lost per cell, from how common the original value is among those its cell covers."""

    name: ClassVar[str] = "entropy"
    title: ClassVar[str] = "Non-uniform entropy"
    summary: ClassVar[str] = (
        "The share of the information in the quasi-identifiers that is lost; telling rare values apart counts more."
    )
    formula: ClassVar[str] = "Σ_cells -log₂(n(value) / n(values covered)) over the same with every cell suppressed"
    reference: ClassVar[str] = "Gionis, Tassa, k-anonymization with minimal loss of information, TKDE 21(2), 2009"
    direction: ClassVar[Literal["lower", "higher"]] = "lower"
    range: ClassVar[str] = "0 to 1"
    ends: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    needs_rows: ClassVar[bool] = True

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Give the share of the bits lost; the details hold the bits of every column."""
        bits, most = {}, 0.0
        for done, name in enumerate(comparison.qis):
            progress(done / len(comparison.qis), message("Entropy of “{name}”", name=name))
            placed = comparison.columns[name]
            counts = np.bincount(placed.leaf, minlength=placed.hierarchy.n_leaves)
            seen = np.concatenate([[0], np.cumsum(counts)])
            covered = np.full(len(placed.leaf), len(placed.leaf), dtype=np.int64)
            covered[comparison.rows] = (seen[placed.cells.high + 1] - seen[placed.cells.low])[placed.published.codes]
            own = counts[placed.leaf]
            bits[name] = float(np.log2(np.maximum(covered, own) / own).sum()) if len(own) else 0.0
            most += float(np.log2(len(own) / own).sum()) if len(own) else 0.0
        total = sum(bits.values())
        return MetricResult(total / most if most else 0.0, {"bits": total, "columns": bits})
