"""Risk in a survey: every row stands for the people of its sampling weight, and households are found together."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema, ColumnType
from anonymizer_gui.engine.data.tables.values import parse_by_type
from anonymizer_gui.engine.rooms.microdata.risk.contract import (
    RISKS,
    AttackView,
    Risk,
    RiskResult,
    summarise_attack,
    threshold_param,
)
from anonymizer_gui.engine.rooms.microdata.risk.population_estimates import (
    Floats,
    individual_risk,
    individual_risk_approximation,
)

RISK_FORMULAS = {"exact": "Exactly", "approximate": "Approximately, as sdcMicro does"}


@RISKS.register
@dataclass(frozen=True, slots=True)
class IndividualRisk(Risk):
    """The expected 1 / people of the population like a row, from the sampling weights of its class.

    A class of f rows whose weights add up to F people has p = f / F, and the risk of each row is E(1/F | f), people
    being negative binomial. Hit are the rows above the threshold. An estimate, as good as the weights.
    """

    name: ClassVar[str] = "individual"
    title: ClassVar[str] = "Individual risk (survey weights)"
    summary: ClassVar[str] = "How likely somebody of a survey is found in the population, by the sampling weights."
    attacker: ClassVar[str] = (
        "Knows all quasi-identifiers of everybody in the population, but not who of them was asked."
    )
    formula: ClassVar[str] = "E(1/F | f) = (p / f) ₂F₁(1, 1; f + 1; 1 - p) with p = f / Σ weights of the class"
    reference: ClassVar[str] = (
        "Benedetti, Franconi, Statistical and technological solutions for controlled data dissemination, 1998; "
        "Capobianchi, Polettini, Lucarelli, Strategy for the implementation of individual risk methodology, 2001"
    )
    by_weight: ClassVar[bool] = True

    threshold: float = threshold_param()
    way: str = param(
        Choice(RISK_FORMULAS),
        default="exact",
        label="Computed",
        help=(
            "By the hypergeometric function itself, or for three rows and more by its approximation p / (f - (1 - p))."
        ),
    )

    def measure(self, exposure: AttackView, progress: Progress) -> RiskResult:
        """Give the highest risk; the details hold the average and the expected right links.

        Raises BadParameter without a column of sampling weights.
        """
        progress(0.0, "Adding up sampling weights")
        risk = _risk(exposure, self.way)
        expected = float((risk * exposure.people).sum())
        details = {
            "average": expected / max(int(exposure.people.sum()), 1),
            "expected": expected,
            "threshold": self.threshold,
            "is_estimate": True,
        }
        above = risk > self.threshold * (1 + 1e-9)
        return summarise_attack(exposure, float(risk.max(initial=0.0)), risk, above, details)


@RISKS.register
@dataclass(frozen=True, slots=True)
class HouseholdRisk(Risk):
    """The risk that anybody of a household is found: with one of them the others are known, too.

    It is 1 - Π (1 - risk of a member), for every row of the household. Without sampling weights a member's risk is
    1 / rows of the class. A row without a household is one of its own.
    """

    name: ClassVar[str] = "household"
    title: ClassVar[str] = "Household risk"
    summary: ClassVar[str] = "How likely somebody of a household is found, which gives away all who live there."
    attacker: ClassVar[str] = "As for the individual risk, and knows who lives together."
    formula: ClassVar[str] = "1 - Π (1 - risk of each member)"
    reference: ClassVar[str] = (
        "Templ, Kowarik, Meindl, Statistical disclosure control for micro-data using the R package sdcMicro, "
        "JSS 67(4), 2015, section 3.3"
    )
    by_weight: ClassVar[bool] = True

    threshold: float = threshold_param()

    def measure(self, exposure: AttackView, progress: Progress) -> RiskResult:
        """Give the highest risk; the details hold the average and the households above the threshold.

        Raises BadParameter without a household column.
        """
        progress(0.0, "Gathering households")
        if exposure.household is None:
            raise BadParameter(
                "Household risk needs a household column.",
                "Mark the column on the page Data, or name it with --household.",
            )
        member = _risk(exposure, "exact") if exposure.weight is not None else 1.0 / np.maximum(exposure.people, 1)
        of_row = member[exposure.classes.ids]
        home, n_homes = _homes(exposure.household)
        safe = np.zeros(n_homes)
        np.add.at(safe, home, np.log1p(-np.minimum(of_row, 1 - 1e-15)))
        risk = np.where(np.bincount(home, of_row >= 1, n_homes) > 0, 1.0, -np.expm1(safe))
        per_row = risk[home]
        worst = np.zeros(len(exposure.classes))
        np.maximum.at(worst, exposure.classes.ids, per_row)
        above = per_row > self.threshold * (1 + 1e-9)
        details = {
            "average": float(per_row.mean()) if len(per_row) else 0.0,
            "households": n_homes,
            "households_above": int((risk > self.threshold * (1 + 1e-9)).sum()),
            "threshold": self.threshold,
            "is_estimate": exposure.weight is not None,
        }
        found = summarise_attack(exposure, float(risk.max(initial=0.0)), worst, worst < 0, details)
        return _with_hit(found, exposure, above)


def _with_hit(found: RiskResult, exposure: AttackView, rows: npt.NDArray[np.bool_]) -> RiskResult:
    return RiskResult(
        found.value,
        exposure.people_of(rows),
        found.people,
        found.per_class,
        found.worst,
        found.first_rows,
        found.details,
    )


def _risk(exposure: AttackView, way: str) -> Floats:
    """Give the individual risk of every class; people with several rows count once, with their mean weight."""
    if exposure.weight is None:
        raise BadParameter(
            "Individual risk needs sampling weights.",
            "Mark their column on the page Data, or name it with --sampling-weight.",
        )
    weights = sampling_weights(exposure.weight)
    classes, sizes = exposure.classes, exposure.people
    people = np.bincount(classes.ids, weights, len(classes)) * sizes / np.maximum(classes.sizes, 1)
    people = np.maximum(people, sizes)
    return individual_risk_approximation(sizes, people) if way == "approximate" else individual_risk(sizes, people)


def sampling_weights(column: Column) -> Floats:
    """Read the sampling weight of every row; raises BadParameter when one is no positive number."""
    entry = ColumnSchema(column.name, ColumnType.DECIMAL)
    used = column.compact()
    values = parse_by_type(used.labels, entry) if used.labels else np.zeros(0)
    if np.isnan(values).any() or (values <= 0).any():
        bad = int(np.count_nonzero(np.isnan(values) | ~(values > 0)))
        raise BadParameter(
            message(
                "“{name}” is no sampling weight: {bad:value is|values are} no positive number.",
                name=column.name,
                bad=bad,
            ),
            "Choose another column, or mend it first.",
        )
    return np.asarray(values[used.codes], dtype=np.float64)


def refuse_no_weights(column: Column) -> None:
    """Raise BadParameter when no value is a positive number: it is another column then, and not one with gaps."""
    used = column.compact()
    values = parse_by_type(used.labels, ColumnSchema(column.name, ColumnType.DECIMAL)) if used.labels else np.ones(1)
    if not (values > 0).any():
        sampling_weights(column)


def _homes(column: Column) -> tuple[npt.NDArray[np.int64], int]:
    """Number the household of every row; rows without one get one each."""
    used = column.compact()
    home = used.codes.astype(np.int64)
    if MISSING not in used.labels:
        return home, len(used.labels)
    alone = home == used.labels.index(MISSING)
    home[alone] = len(used.labels) + np.arange(int(alone.sum()))
    numbers, again = np.unique(home, return_inverse=True)
    return again.reshape(-1).astype(np.int64), len(numbers)
