"""Prosecutor, journalist, marketer, linkage, known items, population uniques."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import Int, Json, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import classes_of
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.population import class_boxes
from anonymizer_gui.engine.rooms.microdata.risk.contract import (
    MAX_CLASSES_SHOWN,
    RISKS,
    AttackView,
    Risk,
    RiskResult,
    summarise_attack,
    threshold_param,
)
from anonymizer_gui.engine.rooms.microdata.risk.population_estimates import (
    SampleFrequencies,
    choose_model,
    estimate_all,
    expected_inverse_frequency,
    refuse_small_population,
)
from anonymizer_gui.engine.rooms.microdata.set_valued_attributes import count_itemsets
from anonymizer_gui.engine.rooms.microdata.thresholds import COMFORTABLE_RISK


@dataclass(frozen=True, slots=True)
class RiskSummary:
    """The risk of being picked out by somebody who knows that a person is in the table.

    `highest` is 1 / smallest class, `average` classes / rows (also the share a marketer hits), `unique_rows` the
    rows that are alone in their class, `rows_above` those whose risk exceeds the threshold.
    """

    highest: float
    average: float
    unique_rows: int
    unique_share: float
    rows_above: int
    threshold: float = COMFORTABLE_RISK

    def to_json(self) -> dict[str, Json]:
        """Give the numbers as JSON."""
        return {
            "highest": self.highest,
            "average": self.average,
            "unique_rows": self.unique_rows,
            "unique_share": self.unique_share,
            "rows_above": self.rows_above,
            "threshold": self.threshold,
        }


def summarise(sizes: npt.NDArray[np.int64], threshold: float = COMFORTABLE_RISK) -> RiskSummary:
    """Sum up the risk of classes of these sizes; nobody is at risk in a table without rows.

    >>> summarise(np.array([1, 4, 5])).highest
    1.0
    """
    rows = int(sizes.sum())
    if not rows:
        return RiskSummary(0.0, 0.0, 0, 0.0, 0, threshold)
    held = sizes[sizes > 0]
    unique = int((held == 1).sum())
    above = int(held[1 / held > threshold * (1 + 1e-9)].sum())
    return RiskSummary(1 / int(held.min()), len(held) / rows, unique, unique / rows, above, threshold)


@RISKS.register
@dataclass(frozen=True, slots=True)
class ProsecutorRisk(Risk):
    """The risk of a row is 1 / size of its class; hit are the rows above the threshold."""

    name: ClassVar[str] = "prosecutor"
    title: ClassVar[str] = "Prosecutor risk"
    summary: ClassVar[str] = "How likely somebody who knows that a person is in the table picks the right row."
    attacker: ClassVar[str] = "Knows all quasi-identifiers of a person, and that the person is in the table."
    formula: ClassVar[str] = "1 / |E|"
    reference: ClassVar[str] = "El Emam, Guide to the de-identification of personal health information, CRC Press 2013"

    threshold: float = threshold_param()

    def measure(self, exposure: AttackView, progress: Progress) -> RiskResult:
        """Give the highest risk; the details hold the average, the unique rows and those above the threshold."""
        progress(0.0, "Finding equivalence classes")
        sizes = exposure.people
        risk = 1.0 / sizes
        summary = summarise(sizes, self.threshold)
        return summarise_attack(exposure, summary.highest, risk, risk > self.threshold * (1 + 1e-9), summary.to_json())


@RISKS.register
@dataclass(frozen=True, slots=True)
class JournalistRisk(Risk):
    """The risk of a row is 1 / people of the population in its cells; hit are the rows above the threshold.

    With a population table the people are counted. With only its size the risk is the expected 1 / people for a class
    of f rows (Benedetti and Franconi): an estimate, and no proof of safety.
    """

    name: ClassVar[str] = "journalist"
    title: ClassVar[str] = "Journalist risk"
    summary: ClassVar[str] = (
        "How likely somebody who wants to show that anybody can be found picks the right person of the population."
    )
    attacker: ClassVar[str] = (
        "Knows all quasi-identifiers of everybody in the population, but not who of them is in the table."
    )
    formula: ClassVar[str] = "1 / people of the population that fit E"
    reference: ClassVar[str] = (
        "El Emam, Guide to the de-identification of personal health information, CRC Press 2013; Benedetti, Franconi, "
        "Statistical and technological solutions for controlled data dissemination, 1998"
    )

    threshold: float = threshold_param()

    def measure(self, exposure: AttackView, progress: Progress) -> RiskResult:
        """Give the highest risk; the details hold the average. Raises BadParameter without a population."""
        progress(0.0, "Finding equivalence classes")
        sizes = exposure.people
        risk, too_few = self._risk(exposure, progress)
        average = float((risk * sizes).sum() / max(int(sizes.sum()), 1))
        details = {
            "average": average,
            "threshold": self.threshold,
            "classes_with_too_few_people": too_few,
            "is_estimate": exposure.population is None,
        }
        above = risk > self.threshold * (1 + 1e-9)
        return summarise_attack(exposure, float(risk.max(initial=0.0)), risk, above, details)

    def _risk(self, exposure: AttackView, progress: Progress) -> tuple[npt.NDArray[np.float64], int]:
        """Give the risk of every class, and how many have fewer people in the population than rows."""
        sizes = exposure.people
        if exposure.population is not None:
            people = exposure.people_that_fit(exposure.population, progress)
            return 1.0 / np.maximum(people, sizes), int((people < sizes).sum())
        if exposure.population_size is None:
            raise BadParameter(
                "Journalist risk needs a population.", "Choose a population table, or say how many people it has."
            )
        refuse_small_population(exposure.population_size, exposure.n_people)
        return expected_inverse_frequency(sizes, exposure.n_people / max(exposure.population_size, 1)), 0


@RISKS.register
@dataclass(frozen=True, slots=True)
class MarketerRisk(Risk):
    """The share of rows that are linked rightly when everybody is linked at random within the classes."""

    name: ClassVar[str] = "marketer"
    title: ClassVar[str] = "Marketer risk"
    summary: ClassVar[str] = "Which share of the rows somebody links to the right person who links them all."
    attacker: ClassVar[str] = (
        "Knows all quasi-identifiers of everybody in the table, and is content with being right often."
    )
    formula: ClassVar[str] = "classes / rows (with a population table: Σ |E| / people that fit E, over rows)"
    reference: ClassVar[str] = "El Emam, Guide to the de-identification of personal health information, CRC Press 2013"

    def measure(self, exposure: AttackView, progress: Progress) -> RiskResult:
        """Give the expected share of right links; hit are the expected right links, rounded down."""
        progress(0.0, "Finding equivalence classes")
        sizes = exposure.people
        people = sizes
        if exposure.population is not None:
            found = exposure.people_that_fit(exposure.population, progress)
            people = np.maximum(found, sizes)
        risk = 1.0 / people
        expected = float((sizes * risk).sum())
        value = expected / max(int(sizes.sum()), 1)
        summed = summarise_attack(exposure, value, risk, np.zeros(len(sizes), dtype=np.bool_), {"expected": expected})
        return replace(summed, hit=int(expected + 1e-9))


@RISKS.register
@dataclass(frozen=True, slots=True)
class RecordLinkage(Risk):
    """Every person of the second table is looked up in the release; hit are those that fit exactly one row.

    Columns the second table does not have do not help the attacker; at least one quasi-identifier must be there.
    """

    name: ClassVar[str] = "linkage"
    title: ClassVar[str] = "Linkage with a second table"
    summary: ClassVar[str] = "How many people of a second table fit one, two, … rows of the release."
    attacker: ClassVar[str] = "Has a second table with names and some of the quasi-identifiers."
    formula: ClassVar[str] = "for each person: rows whose cells hold all the values the person has"
    reference: ClassVar[str] = "Sweeney, k-anonymity: a model for protecting privacy, IJUFKS 10(5), 2002"

    most: int = param(
        Int(low=1, high=1000), default=10, label="Up to", help="Count the people that fit up to so many rows."
    )

    def measure(self, exposure: AttackView, progress: Progress) -> RiskResult:
        """Give the share of people that fit exactly one row; the details count the people that fit 0, 1, 2, … rows
        and the rows that fit 0, 1, 2, … people.

        Raises BadParameter without a second table or without a common column.
        """
        outside = exposure.outside
        if outside is None:
            raise BadParameter(
                "Linkage needs a second table.",
                "Choose a table with names and quasi-identifiers, or name it with --outside.",
            )
        shared = tuple(name for name in exposure.qis if name in outside.names)
        if not shared:
            raise BadParameter(
                "The second table has none of the quasi-identifiers.", "Rename its columns to match, or choose another."
            )
        progress(0.0, "Linking both tables")
        rows_of_person, people_of_class = count_matches(exposure, outside, shared, progress)
        sizes = exposure.people
        by_rows = self._tally(rows_of_person, np.ones(len(rows_of_person), dtype=np.int64))
        by_people = self._tally(people_of_class, sizes)
        details = {"columns": list(shared), "people_by_rows": by_rows, "rows_by_people": by_people}
        per_class = np.where(people_of_class > 0, 1.0 / sizes, 0.0)
        unique = by_rows["1"]
        summed = summarise_attack(exposure, unique / max(outside.n_rows, 1), per_class, sizes < 0, details)
        return replace(summed, hit=unique, people=outside.n_rows)

    def _tally(self, matches: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> dict[str, int]:
        """Count by number of matches, 0 to the most asked for; the rest is “more”."""
        found = np.bincount(np.minimum(matches, self.most + 1), weights=counts, minlength=self.most + 2)
        names = [*(str(number) for number in range(self.most + 1)), "more"]
        return dict(zip(names, found.astype(np.int64).tolist(), strict=True))


def count_matches(
    exposure: AttackView, outside: Table, shared: tuple[str, ...], progress: Progress
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Count for every person of the second table the rows that fit, and for every class the people that fit it."""
    if not exposure.table.n_rows or not outside.n_rows:
        return np.zeros(outside.n_rows, dtype=np.int64), np.zeros(len(exposure.classes), dtype=np.int64)
    cells = classes_of(exposure.table, shared)
    people = classes_of(outside, shared)
    boxes = class_boxes(exposure.table, cells, outside, people, shared, exposure.hierarchies, exposure.schema, progress)
    persons = exposure.persons_in(cells)
    sizes = cells.sizes if persons is None else persons.sizes
    rows_per_tuple = boxes.rows_of_people(sizes, progress.sub(0.1, 0.6))
    people_per_cell = boxes.people_in_boxes(people.sizes, progress.sub(0.6, 1.0))
    return rows_per_tuple[people.ids], people_per_cell[cells.ids[exposure.classes.first_rows]]


@RISKS.register
@dataclass(frozen=True, slots=True)
class PopulationUniquenessRisk(Risk):
    """A unique row is dangerous when nobody else in the population looks like it.

    With a population table the uniques are counted. With only its size they are estimated: by the models of Zayatz,
    Pitman, the slide negative binomial, and Benedetti and Franconi; the rule of Dankar and others chooses among the
    first three. Models differ by large factors, and none is a proof of safety.
    """

    name: ClassVar[str] = "uniqueness"
    title: ClassVar[str] = "Population uniqueness"
    summary: ClassVar[str] = "Which share of the rows is unique in the table and in the whole population."
    attacker: ClassVar[str] = "Knows all quasi-identifiers of everybody in the population."
    formula: ClassVar[str] = "unique rows × P(population class has 1 | table class has 1) / rows"
    reference: ClassVar[str] = (
        "Zayatz, Estimation of the number of unique population elements, US Census 1991; Hoshino, Applying Pitman's "
        "sampling formula to microdata disclosure risk assessment, JOS 17(4), 2001; Chen, Keller-McNulty, Estimation "
        "of identification disclosure risk in microdata, JOS 14(1), 1998; Dankar, El Emam, Neisa, Roffey, Estimating "
        "the re-identification risk of clinical data sets, BMC Med. Inform. 12, 2012"
    )

    def measure(self, exposure: AttackView, progress: Progress) -> RiskResult:
        """Give the share of rows unique in the population; the details hold the unique rows of the table.

        Raises BadParameter without a population.
        """
        progress(0.0, "Finding unique rows")
        sizes = exposure.people
        unique = sizes == 1
        told: dict[str, float | None] = {}
        taken = ""
        if exposure.population is not None:
            people = exposure.people_that_fit(exposure.population, progress)
            chance = np.where(unique & (people <= 1), 1.0, 0.0)
        elif exposure.population_size is None:
            raise BadParameter(
                "Population uniqueness needs a population.", "Choose a population table, or say how many people it has."
            )
        else:
            refuse_small_population(exposure.population_size, exposure.n_people)
            sample = SampleFrequencies.of(sizes, max(exposure.population_size, int(sizes.sum())))
            told = estimate_all(sample)
            taken = choose_model(sample.fraction, told)
            chance = np.where(unique, (told[taken] or 0.0) / max(int(unique.sum()), 1), 0.0)
        expected = float(chance.sum())
        value = expected / max(exposure.n_people, 1)
        is_estimate = exposure.population is None
        details = {
            "unique_rows": int(unique.sum()),
            "expected": expected,
            "is_estimate": is_estimate,
            **({"estimates": told, "taken": taken} if is_estimate else {}),
        }
        return replace(summarise_attack(exposure, value, chance, sizes < 0, details), hit=int(expected + 0.5))


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

    def measure(self, exposure: AttackView, progress: Progress) -> RiskResult:
        """Give the highest risk; raises BadParameter where no quasi-identifier is a set."""
        progress(0.0, "Finding equivalence classes")
        classes = exposure.classes
        counts = count_itemsets(exposure.table, exposure.schema, classes.ids.astype(np.int64), classes.sizes)
        if counts is None:
            raise BadParameter(
                "No quasi-identifier of the table is a set of items.",
                "Mark a column of sets as a quasi-identifier, where there is one.",
            )
        risk = 1.0 / np.maximum(counts.smallest(self.m, in_classes=True, progress=progress), 1)
        few = math.ceil((1 - 1e-9) / self.threshold) if self.threshold else len(classes.ids) + 1
        hit = counts.exposed(few, self.m, progress)
        worst = np.argsort(-risk, kind="stable")[:MAX_CLASSES_SHOWN]
        details = {"threshold": self.threshold, "m": self.m}
        return RiskResult(
            float(risk.max(initial=0.0)), exposure.people_of(hit), exposure.n_people, risk, worst,
            classes.first_rows, details,
        )  # fmt: skip
