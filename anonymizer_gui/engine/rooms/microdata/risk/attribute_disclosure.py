"""Homogeneity, background knowledge, similarity, skewness."""

from dataclasses import dataclass, replace
from typing import ClassVar, Protocol

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, Int, ListOf, Text, param, replace_params
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.data.tables.normalisation import merge_homographs
from anonymizer_gui.engine.rooms.microdata.models.contract import SensitiveAttribute
from anonymizer_gui.engine.rooms.microdata.models.distances import table_shares
from anonymizer_gui.engine.rooms.microdata.models.likeness import relative_gain
from anonymizer_gui.engine.rooms.microdata.models.reference_distribution import describe_sensitive_attribute
from anonymizer_gui.engine.rooms.microdata.models.sensitive_attribute import (
    TOLERANCE,
    distinct_values,
    largest_per_group,
    shares,
    sums,
)
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS, AttackView, Risk, RiskResult, summarise_attack

COLUMN = Text(column=True, empty="the sensitive column it hits most")

COLUMN_HELP = "The sensitive column the attacker is after; empty: the one in which most people are hit."


class SensitiveAttack(Protocol):
    """An attack on one sensitive column, or with an empty name on whichever it hits most."""

    @property
    def column(self) -> str:
        """The column it is after."""

    def measure(self, exposure: AttackView, progress: Progress) -> RiskResult:
        """Run the attack on one table."""


def has_column_choice(attack: SensitiveAttack, exposure: AttackView) -> bool:
    """Tell whether the attack may choose among several sensitive columns."""
    return not attack.column and len(exposure.sas) > 1


def most_exposed_column(attack: SensitiveAttack, exposure: AttackView, progress: Progress) -> RiskResult:
    """Run the attack on every sensitive column and give the result with most people hit; the details name its column.

    Columns the attack cannot be run on do not count; raises their BadParameter when there is no other.
    """
    found: list[RiskResult] = []
    refused: BadParameter | None = None
    for done, name in enumerate(exposure.sas):
        part = progress.sub(done / len(exposure.sas), (done + 1) / len(exposure.sas))
        aimed = replace_params(attack, column=name)
        try:
            result = aimed.measure(exposure, part)
        except BadParameter as error:
            refused = error
            continue
        found.append(replace(result, details={**result.details, "column": name}))
    if not found and refused is not None:
        raise refused
    return max(found, key=lambda result: (result.hit, result.value))


def sensitive_histogram(
    exposure: AttackView, column: str, *, by_rows: bool = False
) -> tuple[Histogram, SensitiveAttribute]:
    """Count the values of a sensitive column in every class, by people where somebody has several rows.

    Raises BadParameter when there is no such column.
    """
    name = column or next(iter(exposure.sas), "")
    if name not in exposure.sas:
        known = list(exposure.sas) or message("none")
        raise BadParameter("The attack needs a sensitive column.", message("Sensitive are: {names}.", names=known))
    values = merge_homographs(exposure.table.column(name)).compact()
    classes = exposure.classes
    if exposure.persons is None or by_rows:
        histogram = Histogram.count(classes.ids, len(classes), values.codes, len(values.labels), exposure.table.times)
    else:
        histogram = exposure.persons.histogram(name)
    return histogram, describe_sensitive_attribute(values, exposure.hierarchies.get(name), exposure.schema)


@RISKS.register
@dataclass(frozen=True, slots=True)
class Homogeneity(Risk):
    """Hit are the people in classes where one value reaches the share asked for; 1 means all rows agree."""

    name: ClassVar[str] = "homogeneity"
    title: ClassVar[str] = "Homogeneity attack"
    summary: ClassVar[str] = (
        "How many people have their sensitive value disclosed because their class (nearly) agrees in it."
    )
    attacker: ClassVar[str] = "Finds a person's class by the quasi-identifiers."
    formula: ClassVar[str] = "max_s p_E(s) ≥ share"
    reference: ClassVar[str] = "Machanavajjhala et al., l-diversity, TKDD 1(1), 2007"

    column: str = param(COLUMN, default="", label="Column", help=COLUMN_HELP)
    share: float = param(
        Float(low=0, high=1, above=True), default=1.0, label="Share", help="From which share on it counts."
    )

    def measure(self, exposure: AttackView, progress: Progress) -> RiskResult:
        """Give the share of people whose value is disclosed."""
        if has_column_choice(self, exposure):
            return most_exposed_column(self, exposure, progress)
        progress(0.0, "Looking for classes that agree")
        histogram, _ = sensitive_histogram(exposure, self.column)
        top = largest_per_group(histogram, shares(histogram))
        hit = top >= self.share - TOLERANCE
        return summarise_attack(
            exposure, exposure.people_in(hit) / max(exposure.n_people, 1), top, hit, {"classes": int(hit.sum())}
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

    def measure(self, exposure: AttackView, progress: Progress) -> RiskResult:
        """Give the share of people whose value is disclosed. Raises BadParameter for a value the column lacks."""
        if has_column_choice(self, exposure):
            return most_exposed_column(self, exposure, progress)
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
        found = summarise_attack(exposure, hit / max(exposure.n_people, 1), 1.0 / np.maximum(left, 1), disclosed)
        return replace(found, hit=hit, details={"classes": int(disclosed.sum())})


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

    def measure(self, exposure: AttackView, progress: Progress) -> RiskResult:
        """Give the share of people hit. Raises BadParameter when the sensitive column has no hierarchy."""
        if has_column_choice(self, exposure):
            return most_exposed_column(self, exposure, progress)
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
        low, high = -largest_per_group(histogram, -leaf), largest_per_group(histogram, leaf)
        node = tree.common_ancestors(low.astype(np.int64), high.astype(np.int64))
        covered = tree.leaf_counts[node] / tree.n_leaves
        hit = (distinct_values(histogram) > 1) & (node > 0) & (covered <= self.share + TOLERANCE)
        alike = np.where(distinct_values(histogram) > 1, 1.0 - covered, 0.0)
        kinds = sorted({tree.labels[one] for one in node[hit].tolist()})
        value = exposure.people_in(hit) / max(exposure.n_people, 1)
        return summarise_attack(exposure, value, alike, hit, {"classes": int(hit.sum()), "kinds": kinds})


@RISKS.register
@dataclass(frozen=True, slots=True)
class Skewness(Risk):
    """Hit are the people in classes where some value is at least so many times as likely as in the whole table."""

    name: ClassVar[str] = "skewness"
    title: ClassVar[str] = "Skewness attack"
    summary: ClassVar[str] = "How many people become much likelier to have a sensitive value than anybody in the table."
    attacker: ClassVar[str] = (
        "Finds a person's class by the quasi-identifiers, and knows how common each value is in the whole table."
    )
    formula: ClassVar[str] = "max_s p_E(s) / p(s) ≥ factor"
    reference: ClassVar[str] = "Li, Li, Venkatasubramanian, t-closeness, ICDE 2007"

    column: str = param(COLUMN, default="", label="Column", help=COLUMN_HELP)
    factor: float = param(Float(low=1), default=2.0, label="Factor", help="From which factor on it counts.")

    def measure(self, exposure: AttackView, progress: Progress) -> RiskResult:
        """Give the largest factor of any class; the details name the value that grows most."""
        if has_column_choice(self, exposure):
            return most_exposed_column(self, exposure, progress)
        progress(0.0, "Comparing classes with the whole table")
        histogram, sensitive = sensitive_histogram(exposure, self.column, by_rows=True)
        factors = relative_gain(histogram, table_shares(sensitive)) + 1.0
        top = largest_per_group(histogram, factors)
        worst = sensitive.labels[int(histogram.values[int(factors.argmax())])] if len(factors) else ""
        return summarise_attack(
            exposure, float(top.max(initial=0.0)), top, top >= self.factor - TOLERANCE, {"value": worst}
        )
