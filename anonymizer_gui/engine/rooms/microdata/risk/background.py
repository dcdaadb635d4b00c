"""Background knowledge: the attacker can rule sensitive values out."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Int, ListOf, Text, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.privacy.histogram_numbers import sums
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
class BackgroundKnowledge(Risk):
    """Hit are the people of classes in which ruling values out leaves fewer than two, for those whose value remains.

    Named values are known not to apply to the person (as heart disease is rare in Japan). Without names the attacker
    may rule out any so many values: then hit are the people of classes with at most one value more than that.
    """

    name: ClassVar[str] = "background"
    title: ClassVar[str] = "Background knowledge"
    summary: ClassVar[str] = "How many people have their value disclosed to somebody who can rule some values out."
    attacker: ClassVar[str] = (
        "Finds a person's class by the quasi-identifiers, and knows some sensitive values the person does not have."
    )
    formula: ClassVar[str] = "|{s in E} minus the values ruled out| = 1"
    reference: ClassVar[str] = "Machanavajjhala et al., l-diversity, TKDD 1(1), 2007"

    column: str = param(COLUMN, default="", label="Column", help=COLUMN_HELP)
    not_values: tuple[str, ...] = param(
        ListOf(Text()), default=(), label="Ruled out", help="Values the attacker knows the person does not have."
    )
    any_values: int = param(
        Int(low=0), default=1, label="Any values", help="Without names: how many values the attacker can rule out."
    )

    def measure(self, exposure: Exposure, progress: Progress) -> RiskResult:
        """Give the share of people whose value is disclosed. Raises BadParameter for a value the column lacks."""
        if is_open(self, exposure):
            return hits_most(self, exposure, progress)
        progress(0.0, "Ruling values out")
        histogram, sensitive = sensitive_histogram(exposure, self.column)
        unknown = [value for value in self.not_values if value not in sensitive.labels]
        if unknown:
            raise BadParameter(
                message(
                    "“{name}” does not have {count} of the values to rule out.", name=sensitive.name, count=len(unknown)
                )
            )
        possible = np.array([label not in self.not_values for label in sensitive.labels], dtype=np.bool_)
        remains = possible[histogram.values].astype(np.float64) if self.not_values else np.ones(len(histogram.values))
        left = sums(histogram, remains) - (0 if self.not_values else self.any_values)
        disclosed = left <= 1 if not self.not_values else left == 1
        people = sums(histogram, remains * histogram.counts)
        hit = min(int(people[disclosed].sum()), exposure.n_people)
        found = result(exposure, hit / max(exposure.n_people, 1), 1.0 / np.maximum(left, 1), disclosed)
        return replace(found, hit=hit, details={"classes": int(disclosed.sum())})
