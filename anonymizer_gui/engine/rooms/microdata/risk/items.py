"""A class and a few items: the attacker knows some of what stands in a person's sets, too (hybrid tables)."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS, SHOWN_CLASSES, Exposure, Risk, RiskResult
from anonymizer_gui.engine.rooms.microdata.risk.thresholds import threshold_param
from anonymizer_gui.engine.rooms.microdata.set_counts import set_counts


@RISKS.register
@dataclass(frozen=True, slots=True)
class KnownItems(Risk):
    """The risk of a row is 1 / rows of its class with the same up to m items; hit are the rows above the threshold."""

    name: ClassVar[str] = "items"
    title: ClassVar[str] = "A class and a few items"
    summary: ClassVar[str] = "How likely somebody who also knows a few items of a set picks the right row."
    attacker: ClassVar[str] = (
        "Knows all quasi-identifiers of a person, up to m items of the sets, and that the person is in the table."
    )
    formula: ClassVar[str] = "1 / |{r ∈ E : I ⊆ r}|, the most over all sets I of at most m items of the row"
    reference: ClassVar[str] = (
        "Poulis, Loukides, Gkoulalas-Divanis, Skiadopoulos, Anonymizing data with relational and transaction "
        "attributes, ECML PKDD 2013"
    )

    m: int = param(
        Int(low=1, high=4), default=2, label="m", help="So many items of a set somebody may know.", series=(1, 2, 3)
    )
    threshold: float = threshold_param()

    def measure(self, exposure: Exposure, progress: Progress) -> RiskResult:
        """Give the highest risk; raises BadParameter where no quasi-identifier is a set."""
        progress(0.0, "Finding equivalence classes")
        classes = exposure.classes
        counts = set_counts(exposure.table, exposure.schema, classes.ids.astype(np.int64), classes.sizes)
        if counts is None:
            raise BadParameter(
                "No quasi-identifier of the table is a set of items.",
                "Mark a column of sets as a quasi-identifier, where there is one.",
            )
        risk = 1.0 / np.maximum(counts.smallest(self.m, in_classes=True, progress=progress), 1)
        few = math.ceil((1 - 1e-9) / self.threshold) if self.threshold else len(classes.ids) + 1
        hit = counts.exposed(few, self.m, progress)
        worst = np.argsort(-risk, kind="stable")[:SHOWN_CLASSES]
        details = {"threshold": self.threshold, "m": self.m}
        return RiskResult(
            float(risk.max(initial=0.0)), exposure.people_of(hit), exposure.n_people, risk, worst,
            classes.first_rows, details,
        )  # fmt: skip
