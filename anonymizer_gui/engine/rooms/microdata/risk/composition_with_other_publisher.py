"""A release of another house: the same people, other classes, no names; what both tell of somebody together."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram, classes_of, group_rows
from anonymizer_gui.engine.data.tables.normalisation import homograph_key, merge_homographs
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.rooms.microdata.population import class_boxes
from anonymizer_gui.engine.rooms.microdata.risk.attribute_disclosure import (
    COLUMN,
    COLUMN_HELP,
    has_column_choice,
    most_exposed_column,
    sensitive_histogram,
)
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS, AttackView, Risk, RiskResult, summarise_attack

Ints = npt.NDArray[np.int64]


@RISKS.register
@dataclass(frozen=True, slots=True)
class OtherPublisher(Risk):
    """Of the values of a person's class only those are left that a row of the other release has which fits, too.

    Hit are the people with fewer values left than asked for; who has a value that no fitting row of the other release
    has cannot be in both and is not hit. Exactly what somebody can rule out who knows that one person is in both
    releases and nothing about the membership of others; whoever knows more can rule out more.
    """

    name: ClassVar[str] = "other-house"
    title: ClassVar[str] = "Release of another house"
    summary: ClassVar[str] = "How many people are left with too few sensitive values once another release is known."
    attacker: ClassVar[str] = (
        "Knows a person's quasi-identifiers, and that the person is in both releases; has no identifiers of either."
    )
    formula: ClassVar[str] = "|{s in E} ∩ {s of rows of the other release that fit the person}| < least"
    reference: ClassVar[str] = (
        "Ganta, Kasiviswanathan, Smith, Composition attacks and auxiliary information in data privacy, KDD 2008"
    )

    column: str = param(COLUMN, default="", label="Column", help=COLUMN_HELP)
    least: int = param(
        Int(low=2, high=100), default=2, label="Values left", help="Fewest values that must be left of a person."
    )

    def measure(self, exposure: AttackView, progress: Progress) -> RiskResult:
        """Give the share of people with too few values left; the details tell the fewest left and the largest share.

        Raises BadParameter without the other release, without common columns, or where it is not known who is who.
        """
        if has_column_choice(self, exposure):
            return most_exposed_column(self, exposure, progress)
        progress(0.0, "Comparing with the other release")
        other, known = _given(exposure)
        if not exposure.table.n_rows:
            return summarise_attack(exposure, 0.0, np.zeros(0), np.zeros(0, dtype=np.bool_))
        histogram, sensitive = sensitive_histogram(exposure, self.column, by_rows=True)
        if sensitive.name not in other.names:
            raise BadParameter(message("The other release has no column “{name}”.", name=sensitive.name))
        shared = tuple(name for name in exposure.qis if name in other.names)
        people = classes_of(known, shared)
        pairs = group_rows([exposure.classes.ids, people.ids], exposure.table.n_rows)
        here, who = exposure.classes.ids[pairs.first_rows], people.ids[pairs.first_rows]
        found = _Left.nothing(len(pairs), exposure.table.n_rows)
        own = merge_homographs(exposure.table.column(sensitive.name)).compact()
        mine = np.array([sensitive.labels.index(label) for label in own.labels], dtype=np.int64)[own.codes]
        for value, fitting in _fitting(exposure, other, known, shared, sensitive.labels, sensitive.name, progress):
            found.add(_counts_of(histogram, value)[here], fitting[who], mine == value, pairs.ids)
        hit = found.is_possible & (found.left < self.least)[pairs.ids]
        left = found.left[pairs.ids][found.is_possible]
        details = {
            "columns": list(shared),
            "people_in_both": exposure.people_of(found.is_possible),
            "fewest_left": int(left.min(initial=len(sensitive.labels))),
            "largest_share": float(found.shares()[pairs.ids][found.is_possible].max(initial=0.0)),
        }
        worst = np.zeros(len(exposure.classes))
        np.maximum.at(worst, exposure.classes.ids[hit], 1.0 / np.maximum(found.left[pairs.ids][hit], 1))
        found_out = exposure.people_of(hit)
        summed = summarise_attack(exposure, found_out / max(exposure.n_people, 1), worst, worst < 0, details)
        return replace(summed, hit=found_out)


@dataclass(slots=True)
class _Left:
    """Per pair of class and person: the values left, how many pairs of rows have each; per row: whether it may be."""

    left: Ints
    total: npt.NDArray[np.float64]
    most: npt.NDArray[np.float64]
    is_possible: npt.NDArray[np.bool_]

    @classmethod
    def nothing(cls, pairs: int, rows: int) -> "_Left":
        return cls(np.zeros(pairs, dtype=np.int64), np.zeros(pairs), np.zeros(pairs), np.zeros(rows, dtype=np.bool_))

    def add(self, ours: Ints, theirs: Ints, is_mine: npt.NDArray[np.bool_], pair_of_row: Ints) -> None:
        """Take one value into account: rows of the class that have it, and rows of the other release that do."""
        together = ours.astype(np.float64) * theirs
        self.left += together > 0
        self.total += together
        np.maximum(self.most, together, out=self.most)
        self.is_possible |= is_mine & (together > 0)[pair_of_row]

    def shares(self) -> npt.NDArray[np.float64]:
        """Give the share of the likeliest value, all pairs of rows with the same value being equally likely."""
        return np.divide(self.most, self.total, out=np.zeros(len(self.most)), where=self.total > 0)


def _given(exposure: AttackView) -> tuple[Table, Table]:
    if exposure.other is None:
        raise BadParameter(
            "There is no release of another house.",
            "Choose the file it was published in, or name it with --other-release.",
        )
    if exposure.known is None or (exposure.table.n_rows and exposure.known.n_rows != exposure.table.n_rows):
        raise BadParameter(
            "It is not known which row is about whom.", "Give the original table, with its rows in the same order."
        )
    if not set(exposure.qis) & set(exposure.other.names):
        raise BadParameter(
            "The other release has none of the quasi-identifiers.", "Rename its columns to match, or choose another."
        )
    return exposure.other, exposure.known


def _fitting(
    exposure: AttackView,
    other: Table,
    known: Table,
    shared: tuple[str, ...],
    labels: tuple[str, ...],
    name: str,
    progress: Progress,
) -> Iterator[tuple[int, Ints]]:
    """Give for every value both releases have the rows of the other that have it and fit, person by person."""
    cells, people = classes_of(other, shared), classes_of(known, shared)
    boxes = class_boxes(other, cells, known, people, shared, exposure.hierarchies, exposure.schema, progress)
    theirs = merge_homographs(other.column(name)).compact()
    histogram = Histogram.count(cells.ids, len(cells), theirs.codes, len(theirs.labels))
    value_of = {homograph_key(label): value for value, label in enumerate(labels) if label != MISSING}
    looks = [homograph_key(label) for label in theirs.labels]
    common = [(code, value_of[look]) for code, look in enumerate(looks) if look in value_of]
    for done, (code, value) in enumerate(common):
        progress(done / len(common), "Comparing with the other release")
        yield value, boxes.rows_of_people(_counts_of(histogram, code), progress.sub(done / len(common), 1.0))


def _counts_of(histogram: Histogram, value: int) -> Ints:
    """Count the rows of every class that have a value."""
    found = np.zeros(histogram.n_groups, dtype=np.int64)
    has = histogram.values == value
    found[histogram.groups[has]] = histogram.counts[has]
    return found
