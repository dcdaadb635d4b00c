"""Similarity attack: the values of a class differ but mean the same."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.privacy.histogram_numbers import TOLERANCE, distinct_values, largest
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS, Exposure, Risk, RiskResult, result
from anonymizer_gui.engine.rooms.microdata.risk.sensitive import (
    COLUMN,
    COLUMN_HELP,
    hits_most,
    is_open,
    sensitive_histogram,
)


@RISKS.register
@dataclass(frozen=True, slots=True)
class Similarity(Risk):
    """Hit are the people in classes of several values that all lie under one node of the sensitive column's hierarchy.

    Only nodes below the root count, and only those that cover at most the share of the values asked for.
    """

    name: ClassVar[str] = "similarity"
    title: ClassVar[str] = "Similarity attack"
    summary: ClassVar[str] = (
        "How many people have their kind of sensitive value disclosed although the values of their class differ."
    )
    attacker: ClassVar[str] = (
        "Finds a person's class by the quasi-identifiers, and knows which sensitive values are alike."
    )
    formula: ClassVar[str] = "all values of E lie under one node that covers at most a given share of the values"
    reference: ClassVar[str] = "Li, Li, Venkatasubramanian, t-closeness, ICDE 2007"

    column: str = param(COLUMN, default="", label="Column", help=COLUMN_HELP)
    share: float = param(
        Float(low=0, high=1, above=True),
        default=0.5,
        label="Share",
        help="Largest part of all values that still counts as alike.",
    )

    def measure(self, exposure: Exposure, progress: Progress) -> RiskResult:
        """Give the share of people hit. Raises BadParameter when the sensitive column has no hierarchy."""
        if is_open(self, exposure):
            return hits_most(self, exposure, progress)
        progress(0.0, "Looking for classes of similar values")
        histogram, sensitive = sensitive_histogram(exposure, self.column)
        if sensitive.hierarchy is None or sensitive.leaf is None:
            raise BadParameter(
                message(
                    "“{name}” has no hierarchy, so nothing says which of its values are alike.", name=sensitive.name
                ),
                "Give it a hierarchy.",
            )
        tree, leaf = sensitive.hierarchy, sensitive.leaf[histogram.values].astype(np.float64)
        low, high = -largest(histogram, -leaf), largest(histogram, leaf)
        node = tree.common_ancestors(low.astype(np.int64), high.astype(np.int64))
        covered = tree.leaf_counts[node] / tree.n_leaves
        hit = (distinct_values(histogram) > 1) & (node > 0) & (covered <= self.share + TOLERANCE)
        alike = np.where(distinct_values(histogram) > 1, 1.0 - covered, 0.0)
        kinds = sorted({tree.labels[one] for one in node[hit].tolist()})
        value = exposure.people_in(hit) / max(exposure.n_people, 1)
        return result(exposure, value, alike, hit, {"classes": int(hit.sum()), "kinds": kinds})
