"""Contingency change: how well the release shows which values of two columns occur together."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram, group_rows
from anonymizer_gui.engine.rooms.microdata.utility.binned_columns import Binned, binned
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS, Comparison, Metric, MetricResult, pairs

Floats = npt.NDArray[np.float64]


@METRICS.register
@dataclass(frozen=True, slots=True)
class ContingencyChange(Metric):
    """The mean variational distance of two-way tables, cells spread evenly; suppressed rows spread over all.

    Domains of many leaves are cut into runs of neighbouring leaves first, the same before and after.
    """

    name: ClassVar[str] = "contingency"
    title: ClassVar[str] = "Contingency change"
    summary: ClassVar[str] = (
        "How far the table of two columns against each other, read off the release, is from the true one."
    )
    formula: ClassVar[str] = "mean over pairs of ½ Σ |p(u, v) - p̂(u, v)|, p̂ with every cell spread evenly"
    reference: ClassVar[str] = "Domingo-Ferrer, Torra, Disclosure control methods and information loss, 2001"
    direction: ClassVar[Literal["lower", "higher"]] = "lower"
    range: ClassVar[str] = "0 to 1"
    ends: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    needs_rows: ClassVar[bool] = False

    bins: int = param(Int(low=2, high=1000), default=50, label="Bins", help="Most runs a domain is cut into.")

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Give the mean over all pairs of quasi-identifiers and sensitive columns; the details hold every pair."""
        cut = {name: binned(placed, self.bins) for name, placed in comparison.columns.items()}
        todo = pairs(list(cut))
        found = {}
        for done, (one, other) in enumerate(todo):
            progress(done / len(todo), message("Table of “{one}” against “{other}”", one=one, other=other))
            before, after = both_tables(cut[one], cut[other], comparison.suppressed)
            found[f"{one} × {other}"] = float(np.abs(before - after).sum() / 2)
        return MetricResult(float(np.mean(list(found.values()))) if found else float("nan"), {"pairs": found})


def both_tables(one: Binned, other: Binned, suppressed: int) -> tuple[Floats, Floats]:
    """Give the shares of two columns against each other, in the original and read off the release."""
    return _counted(one, other), _spread(one, other, suppressed)


def _counted(one: Binned, other: Binned) -> Floats:
    counts = Histogram.count(one.bin_of_row, one.n_bins, other.bin_of_row, other.n_bins).dense()
    return np.asarray(counts / max(len(one.bin_of_row), 1), dtype=np.float64)


def _spread(one: Binned, other: Binned, suppressed: int) -> Floats:
    """Add up the outer product of both cells' shares over all published rows, equal pairs of cells at once."""
    together = group_rows([one.codes, other.codes], len(one.codes))
    counts = np.zeros((len(one.share), len(other.share)))
    counts[one.codes[together.first_rows], other.codes[together.first_rows]] = together.sizes
    table = one.share.T @ counts @ other.share
    lost = suppressed * np.outer(one.everything, other.everything)
    return np.asarray((table + lost) / max(len(one.codes) + suppressed, 1), dtype=np.float64)
