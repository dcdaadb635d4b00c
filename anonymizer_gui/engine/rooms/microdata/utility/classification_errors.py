"""Classification metric: rows whose target is not the commonest of their class, and rows that are left out."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Text, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram, classes_of
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS, Comparison, Metric, MetricResult


@METRICS.register
@dataclass(frozen=True, slots=True)
class ClassificationErrors(Metric):
    """The share of rows that whoever guesses the commonest target of their class gets wrong (Iyengar 2002)."""

    name: ClassVar[str] = "classification"
    title: ClassVar[str] = "Classification metric"
    summary: ClassVar[str] = (
        "How often the target is told wrongly by the commonest value of the class; a suppressed row counts as wrong."
    )
    formula: ClassVar[str] = "CM = (Σ_classes rows without the commonest target + suppressed) / records"
    reference: ClassVar[str] = "Iyengar, Transforming data to satisfy privacy constraints, KDD 2002"
    direction: ClassVar[Literal["lower", "higher"]] = "lower"
    range: ClassVar[str] = "0 to 1"
    needs_rows: ClassVar[bool] = True

    target: str = param(
        Text(column=True, empty="the first sensitive column"),
        default="",
        label="Target",
        help="The column that is to be told from the quasi-identifiers; empty: the first sensitive one.",
    )

    def measure(self, comparison: Comparison, progress: Progress) -> MetricResult:
        """Give the share of errors; the details hold the target, and the share when nothing but its commonest is known.

        Raises BadParameter without a target.
        """
        progress(0.0, "Finding equivalence classes")
        target = self.target or next(iter(comparison.sas), "")
        if target not in comparison.original.names:
            raise BadParameter(
                message("There is no column “{name}” to be told from the others.", name=target)
                if target
                else "The classification metric needs a target.",
                "Choose the column that is to be told from the others.",
            )
        column = comparison.original.column(target)
        classes = classes_of(comparison.published, comparison.qis)
        values = column.codes.astype(np.int64)
        held = Histogram.count(classes.ids, len(classes), values[comparison.rows], len(column.labels))
        right = np.zeros(len(classes))
        np.maximum.at(right, held.groups, held.counts)
        records = max(comparison.original.n_rows, 1)
        most = np.bincount(values, minlength=1).max()
        details = {"target": target, "without_the_others": 1 - float(most) / records}
        return MetricResult(1 - float(right.sum()) / records, details)
