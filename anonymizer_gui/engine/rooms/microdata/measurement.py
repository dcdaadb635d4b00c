"""Every number about a published table, from the table alone."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import EquivalenceClasses, Histogram, classes_of, group_rows
from anonymizer_gui.engine.data.tables.normalisation import merge_homographs_in
from anonymizer_gui.engine.data.tables.table import Column, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.microdata.models.contract import (
    COMBINED,
    ClassGroups,
    Measurement,
    PrivacyModel,
    SensitiveAttribute,
    SetRequirement,
    WholeTable,
    set_requirements,
)
from anonymizer_gui.engine.rooms.microdata.models.distances import DISTANCES, distance
from anonymizer_gui.engine.rooms.microdata.models.km_anonymity import KKm
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import (
    DistinctLDiversity,
    EntropyLDiversity,
    RecursiveLDiversity,
)
from anonymizer_gui.engine.rooms.microdata.models.persons import PersonGroups
from anonymizer_gui.engine.rooms.microdata.models.reference_distribution import (
    ORDERED_DISTANCE,
    describe_sensitive_attribute,
    ordered_values,
    with_reference_distributions,
)
from anonymizer_gui.engine.rooms.microdata.models.sensitive_attribute import shares
from anonymizer_gui.engine.rooms.microdata.people import marks_of
from anonymizer_gui.engine.rooms.microdata.population import population_outside, population_per_class
from anonymizer_gui.engine.rooms.microdata.risk.reidentification import RiskSummary, summarise
from anonymizer_gui.engine.rooms.microdata.set_valued_attributes import (
    ExposedRows,
    ItemsetCounts,
    count_itemsets,
    set_losses,
)
from anonymizer_gui.engine.rooms.microdata.utility.information_loss import (
    Loss,
    count_emptied_rows,
    measure_loss,
    with_set_loss,
)


@dataclass(frozen=True, slots=True, eq=False)
class MeasurementContext:
    """All of it may be missing; then what needs it is not measured, or as if every row were another person's.

    `rows` gives the row of the original that each published one was, `person` says for every published row whom it is
    about. With `missing_counts` a missing value is one more value of every l that is told without a goal.
    """

    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    schema: Schema | None = None
    original: Table | None = None
    rows: npt.NDArray[np.int64] | None = None
    population: Table | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    suppressed: int = 0
    missing_counts: bool = False
    person: Column | None = None


NO_CONTEXT = MeasurementContext()
"""The published table is all there is."""

RECURSIVE_C = 2.0
"""The c with which recursive (c,l)-diversity is reported where no goal names another."""

_ALWAYS_L = ("distinct", "entropy", "recursive")

_ALWAYS_T = ("variational", "kl", "emd")


@dataclass(frozen=True, slots=True, eq=False)
class TableMeasurement:
    """What a published table achieves.

    `l` and `t` hold the worst value over the sensitive columns, `per_sensitive` those of each column.
    `t["emd"]` is the earth mover's distance over the order of the values where they are numbers or dates, and
    with all values equally far apart otherwise. Loss is None where no hierarchy or original tells the domain.
    `emptied` counts the published rows with nothing left in any QI, `largest_share` tells per sensitive column the
    share of the most frequent value in the class where it is largest.
    Where people have several rows, k, every l and the risk count people: `people` says how many there are,
    `class_people` how many each class has; `class_sizes` and t always count rows.
    """

    rows: int
    suppressed: int
    class_sizes: npt.NDArray[np.int64]
    k: int
    l: Mapping[str, float]  # noqa: E741
    t: Mapping[str, float]
    per_sensitive: Mapping[str, Mapping[str, Mapping[str, float]]]
    loss: Loss
    risk: RiskSummary
    goals: tuple[tuple[PrivacyModel, Measurement], ...] = ()
    missing_counts: bool = False
    emptied: int = 0
    largest_share: Mapping[str, float] = field(default_factory=dict)
    people: int | None = None
    class_people: npt.NDArray[np.int64] | None = None
    exposed: ExposedRows | None = None
    """The rows that a class together with a few items gives away; None where no quasi-identifier is a set."""

    @property
    def class_heads(self) -> npt.NDArray[np.int64]:
        """The people of every class; its rows where every row counts as another person."""
        return self.class_sizes if self.class_people is None else self.class_people

    @property
    def classes(self) -> int:
        """The number of equivalence classes."""
        return len(self.class_sizes)

    @property
    def fewest(self) -> int:
        """The fewest rows or people somebody is left with: k, or less where a few items of sets are known, too."""
        return self.k if self.exposed is None else min(self.k, self.exposed.fewest)

    @property
    def lm(self) -> float | None:
        """The loss per record, from 0 to 1."""
        return self.loss.lm

    @property
    def lm_total(self) -> float | None:
        """The loss summed over the records."""
        return self.loss.lm_total

    @property
    def md(self) -> int | None:
        """The levels climbed, summed over all cells."""
        return self.loss.md

    @property
    def discernibility(self) -> int:
        """The sum of the squared class sizes; a suppressed row pays the size of the table."""
        return int(np.square(self.class_sizes).sum()) + self.suppressed * (self.rows + self.suppressed)

    @property
    def holds(self) -> bool:
        """Whether every goal holds."""
        return all(measurement.holds for _, measurement in self.goals)

    @property
    def promises(self) -> tuple[Promise, ...]:
        """Every goal with what was measured, as certificate, report and figures tell it."""
        about_people = self.people is not None
        return tuple(
            promise_of(model, found.value, found.holds, about_people=about_people) for model, found in self.goals
        )

    def to_json(self) -> dict[str, Json]:
        """Give the numbers as the command line prints them; what is infinite or unknown is null."""
        return {
            "rows": self.rows,
            "people": self.people,
            "suppressed": self.suppressed,
            "emptied": self.emptied,
            **({} if self.exposed is None else {"exposed": self.exposed.to_json()}),
            "classes": self.classes,
            "k": self.k,
            "l": {**dict.fromkeys(_ALWAYS_L), **_plain(self.l)},
            "t": {**dict.fromkeys(_ALWAYS_T), **_plain(self.t)},
            "lm": self.lm,
            "lm_total": self.lm_total,
            "md": self.md,
            "lm_columns": dict(self.loss.lm_columns),
            "recursive_c": RECURSIVE_C,
            "missing_counts": self.missing_counts,
            "look_alikes_count_once": True,
            "average_class_size": self.rows / max(self.classes, 1),
            "discernibility": self.discernibility,
            "per_sensitive": {
                name: {kind: _plain(values) for kind, values in both.items()}
                for name, both in self.per_sensitive.items()
            },
            "largest_share": dict(self.largest_share),
            "risk": self.risk.to_json(),
            "goals": [
                {
                    "model": model.name,
                    "parameters": params_json(model),
                    "value": _finite(measurement.value),
                    "holds": measurement.holds,
                }
                for model, measurement in self.goals
            ],
        }


def promise_of(model: PrivacyModel, value: float | None, holds: bool, *, about_people: bool) -> Promise:
    """Say a goal as certificate, report and figures tell it, with the value that was found."""
    return Promise(
        name=model.name,
        title=model.title,
        sentence=model.sentence_about_people() if about_people else model.sentence(),
        holds=holds,
        value=None if value is None else _finite(value),
        parameters=params_json(model),
        stops=model.stops,
        leaves_open=model.leaves_open,
        formula=model.formula,
        reference=model.source,
        is_estimate=model.is_estimate,
    )


def published_groups(
    table: Table,
    qis: Sequence[str],
    sas: Sequence[str],
    hierarchies: Mapping[str, Hierarchy] | None = None,
    schema: Schema | None = None,
    population: Table | None = None,
    person: Column | None = None,
    progress: Progress = SILENT,
) -> tuple[EquivalenceClasses, ClassGroups, WholeTable]:
    """Group a published table by its QI cells, and count sensitive values, people and population per class.

    Raises BadParameter when a column is not there, BadHierarchy when a cell has no place.
    """
    progress(0.0, "Finding equivalence classes")
    classes = classes_of(table, qis)
    known = hierarchies or {}
    columns = {name: table.column(name).compact() for name in sas}
    sensitive = {
        name: describe_sensitive_attribute(column, known.get(name), schema) for name, column in columns.items()
    }
    counted = dict(columns)
    if len(sas) > 1:
        joint, parts = _combined(list(columns.values()), table)
        counted[COMBINED] = joint
        n_joint = len(joint.labels)
        sensitive[COMBINED] = SensitiveAttribute(
            COMBINED, joint.labels, joint.counts(), np.arange(n_joint), parts=parts
        )
    progress(0.5, "Counting sensitive values")
    histograms = {
        name: Histogram.count(classes.ids, len(classes), column.codes, len(column.labels), table.times)
        for name, column in counted.items()
    }
    people, outside = None, 0
    if population is not None:
        where = (table, classes, population, qis, known, schema)
        people = population_per_class(*where, progress.sub(0.6, 0.8))
        outside = population_outside(*where, progress.sub(0.8, 1.0))
    whole = WholeTable(table.n_rows, sensitive, outside)
    marks = marks_of(person, columns)
    persons = None if marks is None else PersonGroups.count(marks, classes.ids, len(classes))
    sets = count_itemsets(table, schema, classes.ids, classes.sizes)
    cells = np.stack([table.column(name).codes[classes.first_rows].astype(np.int64) for name in qis], axis=1)
    return classes, ClassGroups(classes.sizes, histograms, people, persons, sets=sets, cells=cells), whole


def measure_table(
    table: Table,
    qis: Sequence[str],
    sas: Sequence[str],
    goals: Sequence[PrivacyModel] = (),
    background: MeasurementContext = NO_CONTEXT,
    progress: Progress = SILENT,
) -> TableMeasurement:
    """Measure a published table with what is known beside it; where somebody has several rows, people are counted.

    Sensitive values that look alike count as one.
    Raises BadParameter when a column is not there or a goal cannot be asked, BadHierarchy when a cell has no place.
    """
    trees, schema = background.hierarchies, background.schema
    table = merge_homographs_in(table, sas)
    groups, whole = published_groups(
        table, qis, sas, trees, schema, background.population, background.person, progress.sub(0.0, 0.4)
    )[1:]
    raw = None if background.original is None else merge_homographs_in(background.original, sas)
    whole = with_reference_distributions(whole, goals, raw, trees, schema)
    per_sensitive = {}
    for done, name in enumerate(sas):
        progress(0.4 + 0.3 * done / len(sas), message("Measuring “{name}”", name=name))
        per_sensitive[name] = _numbers(groups, whole.sensitive[name], schema, background.missing_counts)
    measured = tuple((model, model.measure(groups, whole)) for model in goals)
    progress(0.7, "Measuring loss")
    loss = measure_loss(
        table, qis, trees, schema, background.original, background.rows, background.weights, background.suppressed
    )
    lost = _set_losses(table, background.original, background.rows, trees, schema)
    loss = with_set_loss(loss, lost, background.weights, table.n_rows + background.suppressed)
    return TableMeasurement(
        table.n_rows,
        background.suppressed,
        groups.sizes,
        int(groups.people.min(initial=table.n_rows)),
        _worst([both["l"] for both in per_sensitive.values()], min),
        _worst([both["t"] for both in per_sensitive.values()], max),
        per_sensitive,
        loss,
        summarise(groups.people),
        measured,
        background.missing_counts,
        count_emptied_rows(table, qis, trees, None if _leave_apart(goals) else groups.sets),
        {name: _most_alike(groups, name) for name in sas},
        None if groups.persons is None else _people(groups.persons),
        None if groups.persons is None else groups.people,
        None if groups.sets is None else _exposed(groups.sets, goals),
    )


def measure_original(
    table: Table,
    qis: Sequence[str],
    sas: Sequence[str],
    schema: Schema,
    person: str = "",
    progress: Progress = SILENT,
) -> TableMeasurement:
    """Measure a table as it is, before anything is done to it; `person` names the column of the people."""
    whom = table.column(person) if person else None
    return measure_table(table, qis, sas, background=MeasurementContext(schema=schema, person=whom), progress=progress)


def _set_losses(
    table: Table,
    original: Table | None,
    rows: npt.NDArray[np.int64] | None,
    hierarchies: Mapping[str, Hierarchy],
    schema: Schema | None,
) -> dict[str, float | None]:
    """Give what the columns of sets have lost; unknown without the rows they come from."""
    names = [name for name in schema.sets if name in table.names] if schema is not None else []
    if schema is None or original is None or rows is None:
        return dict.fromkeys(names)
    return dict(set_losses(table, original, rows, hierarchies, schema))


def _leave_apart(goals: Sequence[PrivacyModel]) -> bool:
    """Whether sets leave in a file of their own, so that the rows of the table tell nothing of them."""
    return any(asked.is_apart for asked in set_requirements(goals))


def _exposed(sets: ItemsetCounts, goals: Sequence[PrivacyModel]) -> ExposedRows:
    """Count the rows that are exposed by what the goal about sets speaks of; without one, by two items and k.

    Of several goals the worst is told: that of most rows, then the one that leaves somebody with the fewest.
    """
    k = max([*(goal.least_rows() for goal in goals), 2]) if goals else KKm().k
    asked = set_requirements(goals) or [KKm(k=k).about_sets()]
    return max((_exposed_by(sets, each) for each in asked), key=lambda found: (found.rows, -found.fewest))


def _exposed_by(sets: ItemsetCounts, asked: SetRequirement) -> ExposedRows:
    rows = sets.exposed_apart(asked.k, asked.m) if asked.is_apart else int(sets.exposed(asked.k, asked.m).sum())
    fewest = sets.smallest(asked.m, in_classes=not asked.is_apart)
    return ExposedRows(rows, len(sets.class_of_row), asked.k, asked.m, int(fewest.min()) if len(fewest) else 0)


def _combined(columns: Sequence[Column], table: Table) -> tuple[Column, dict[str, npt.NDArray[np.int64]]]:
    """Make one column of the combinations of some, and give the value of each column in every combination."""
    together = group_rows([column.codes for column in columns], table.n_told)
    labels = tuple(str(number) for number in range(len(together)))
    parts = {column.name: column.codes[together.first_rows].astype(np.int64) for column in columns}
    return Column(COMBINED, together.ids, labels, table.times), parts


def _numbers(
    groups: ClassGroups, sensitive: SensitiveAttribute, schema: Schema | None, missing_counts: bool
) -> dict[str, dict[str, float]]:
    """Give every l and every t of one sensitive column: by people where they are known, and by rows."""
    histogram = groups.sensitive[sensitive.name]
    distinct, entropy = DistinctLDiversity(missing=missing_counts), EntropyLDiversity(missing=missing_counts)
    recursive = RecursiveLDiversity(c=RECURSIVE_C, missing=missing_counts)
    held = distinct.histogram_of(groups, sensitive)
    diversity = {
        "distinct": int(_least(distinct.value_of(held, sensitive))),
        "entropy": _least(entropy.value_of(held, sensitive)),
        "recursive": int(_least(recursive.value_of(held, sensitive))),
    }
    entry = None if schema is None else schema.column(sensitive.name)
    codes = np.arange(len(sensitive.labels))
    is_ordered = ordered_values(Column(sensitive.name, codes, sensitive.labels), entry) is not None
    # The alphabet is no order: a distance along it would look small and say nothing.
    left_out = (
        set()
        if sensitive.hierarchy is not None
        else {"emd-hierarchical"} | (set() if is_ordered else {ORDERED_DISTANCE})
    )
    closeness = {
        name: float(distance(name, histogram, sensitive).max(initial=0.0)) for name in DISTANCES if name not in left_out
    }
    closeness["emd"] = closeness[ORDERED_DISTANCE if is_ordered else "emd-equal"]
    return {"l": diversity, "t": closeness}


def _most_alike(groups: ClassGroups, name: str) -> float:
    """Give the largest share that one value has of a class."""
    histogram = groups.sensitive[name] if groups.persons is None else groups.persons.histogram(name)
    return float(shares(histogram).max(initial=0.0))


def _people(persons: PersonGroups) -> int:
    """Count the different people of a table."""
    return int(persons.merged(np.zeros(persons.n_groups, dtype=np.int64), 1).sizes[0]) if persons.n_groups else 0


def _least(values: npt.NDArray[np.float64]) -> float:
    return float(values.min()) if len(values) else 0.0


def _worst(each: Sequence[Mapping[str, float]], pick: Callable[[Iterable[float]], float]) -> dict[str, float]:
    """Take the worst of each number over the sensitive columns that have it."""
    names = dict.fromkeys(name for one in each for name in one)
    return {name: pick(one[name] for one in each if name in one) for name in names}


def _plain(values: Mapping[str, float]) -> dict[str, float | None]:
    return {name.replace("-", "_"): _finite(value) for name, value in values.items()}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
