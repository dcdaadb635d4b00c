"""(k, k^m)-anonymity: nobody is picked out by a class together with a few items of a set."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Int, param
from anonymizer_gui.engine.rooms.microdata.models.contract import (
    PRIVACY_MODELS,
    SIZE_UNIT,
    ClassGroups,
    Measurement,
    PrivacyModel,
    SetRequirement,
    WholeTable,
)
from anonymizer_gui.engine.rooms.microdata.models.sensitive_attribute import measurement_of

CLASSES, TABLE, APART = "classes", "table", "apart"


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class KKm(PrivacyModel):
    """Whoever knows the class and up to m items of a row is left with at least k rows (Poulis et al. 2013)."""

    name: ClassVar[str] = "k-km"
    title: ClassVar[str] = "(k, k^m)-anonymity"
    summary: ClassVar[str] = "For tables with sets: a class together with up to m items fits at least k rows."
    stops: ClassVar[str] = (
        "Linking a person to one row by the quasi-identifiers and up to m items of the sets, where sets are protected "
        "inside classes; by either of them alone, where they are protected in the whole table or leave unlinked."
    )
    leaves_open: ClassVar[str] = (
        "Whoever knows more than m items, or that somebody lacks an item. With sets protected in the whole table, "
        "classes and items together: the exposed rows say how many. Learning a sensitive value (homogeneity, "
        "background knowledge, skewness, similarity, probabilistic inference), which needs a goal of its own."
    )
    formula: ClassVar[str] = "|{r ∈ E : I ⊆ r}| = 0 or ≥ k for every class E and every set I of at most m items"
    source: ClassVar[str] = (
        "Poulis, Loukides, Gkoulalas-Divanis, Skiadopoulos, Anonymizing data with relational and transaction "
        "attributes, ECML PKDD 2013"
    )
    by_size_alone: ClassVar[bool] = True
    counts_people: ClassVar[bool] = True

    k: int = param(
        Int(low=1), default=5, label="k", help="Smallest number of rows that fit what somebody knows.", series=SIZE_UNIT
    )
    m: int = param(
        Int(low=1, high=4), default=2, label="m", help="So many items of a set somebody may know.", series=(1, 2, 3)
    )
    rows: int = param(
        Int(low=1),
        default=50,
        label="Rows per class",
        help="Smallest class: a class of k rows cannot carry varied sets; 10 to 20 times k keeps more of them.",
        series=(25, 50, 100, 200),
    )
    where: str = param(
        Choice(
            {
                CLASSES: "inside every class",
                TABLE: "in the whole table only",
                APART: "in a file of their own, unlinked",
            }
        ),
        default=CLASSES,
        label="Sets protected",
        help="Inside classes the combination is safe; otherwise rows may be exposed, or sets leave without their rows.",
    )

    @property
    def in_classes(self) -> bool:
        """Whether sets are protected together with the class."""
        return self.where == CLASSES

    def about_sets(self) -> SetRequirement:
        """Give k and m, and where they hold."""
        return SetRequirement(self.k, self.m, self.in_classes, self.where == APART)

    def least_rows(self) -> int:
        """Fewest rows a class must have."""
        return max(self.k, self.rows)

    def satisfied(self, groups: ClassGroups, whole: WholeTable) -> npt.NDArray[np.bool_]:
        """Say for every group whether it has enough rows, and its items, where they are known, enough holders."""
        return np.asarray((groups.people >= self.least_rows()) & (self._fewest(groups) >= self.k))

    def measure(self, groups: ClassGroups, whole: WholeTable) -> Measurement:
        """Give the fewest rows that fit a class with up to m items."""
        found = self._fewest(groups).astype(np.float64)
        return measurement_of(found, self.satisfied(groups, whole), groups.sizes, small_is_bad=True)

    def _fewest(self, groups: ClassGroups) -> npt.NDArray[np.int64]:
        if groups.sets is None:
            return groups.people
        return np.minimum(groups.people, groups.sets.smallest(self.m, in_classes=self.in_classes))

    def sentence(self) -> str:
        """Say the goal in words."""
        told = {"k": self.k, "m": self.m, "rows": self.least_rows()}
        if self.in_classes:
            return message(
                "every class has at least {rows:row|rows}, and together with up to {m:item|items} fits at least "
                "{k:row|rows}",
                **told,
            )
        if self.where == TABLE:
            return message(
                "every class has at least {rows:row|rows}, and apart from that up to {m:item|items} fit at least "
                "{k:row|rows} of the table",
                **told,
            )
        return message(
            "every class has at least {rows:row|rows}; sets leave in an unlinked file, in which up to {m:item|items} "
            "fit at least {k:row|rows}",
            **told,
        )
