"""How large the classes of a release are, as a histogram people can read."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import EquivalenceClasses, Histogram, size_bins
from anonymizer_gui.engine.data.tables.table import Column, Role, Table
from anonymizer_gui.engine.hierarchy.coverage import NUMBERS_AND_DATES
from anonymizer_gui.engine.rooms.microdata.measurement import TableMeasurement, published_groups
from anonymizer_gui.engine.rooms.microdata.models.contract import SensitiveAttribute
from anonymizer_gui.engine.rooms.microdata.models.distances import distance, table_shares
from anonymizer_gui.engine.rooms.microdata.models.sensitive_attribute import distinct_values
from anonymizer_gui.engine.rooms.microdata.people import person_column
from anonymizer_gui.engine.rooms.microdata.release.release import Release, attack_views

_MOST_BARS = 24


@dataclass(frozen=True, slots=True)
class ClassSizes:
    """Ranges of sizes with the number of classes that have them."""

    labels: tuple[str, ...]
    classes: tuple[int, ...]


def class_sizes(sizes: npt.NDArray[np.int64]) -> ClassSizes:
    """Count classes by size: every size by itself where they are few, else ranges that grow with the size.

    >>> class_sizes(np.array([2, 2, 5])).labels
    ('2', '5')
    """
    held = sizes[sizes > 0]
    distinct = np.unique(held)
    edges = distinct if len(distinct) <= _MOST_BARS else _edges(int(distinct[0]), int(distinct[-1]))
    place = np.searchsorted(edges, held, side="right") - 1
    counts = np.bincount(place, minlength=len(edges))
    used = np.flatnonzero(counts)
    ends = np.append(edges[1:] - 1, distinct[-1:]) if len(distinct) > _MOST_BARS else edges
    labels = [str(a) if a == b else f"{a}-{b}" for a, b in zip(edges.tolist(), ends.tolist(), strict=True)]
    return ClassSizes(tuple(labels[i] for i in used), tuple(counts[used].tolist()))


def _edges(least: int, largest: int) -> npt.NDArray[np.int64]:
    grown = np.geomspace(least, largest + 1, _MOST_BARS // 2 + 1)[:-1]
    return np.asarray(np.unique(np.round(grown)), dtype=np.int64)


Sizes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class RecordsBySize:
    """Records before and after, over the same steps of size; people where these are counted."""

    labels: tuple[str, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    are_people: bool = False


def records_by_size(release: Release, original: Table, progress: Progress) -> RecordsBySize:
    """Count the records by the size of their class, before and after."""
    progress(0.0, "Finding equivalence classes")
    before, after = attack_views(release, original)
    return _counted(before.people, after.people, are_people=before.persons is not None)


def records_before(measured: TableMeasurement) -> RecordsBySize:
    """Count the records of a table that was measured by the size of their class; there is no after yet."""
    return _counted(measured.class_heads, measured.class_heads[:0], are_people=measured.people is not None)


def _counted(before: Sizes, after: Sizes, *, are_people: bool) -> RecordsBySize:
    sides = before, after
    steps = sorted({(low, high) for sizes in sides for low, high, _ in size_bins(sizes)})
    counted = [tuple(int(sizes[(sizes >= low) & (sizes <= high)].sum()) for low, high in steps) for sizes in sides]
    labels = tuple(f"{low:,}" if low == high else f"{low:,}–{high:,}" for low, high in steps)
    return RecordsBySize(labels, counted[0], counted[1], are_people)


Ints = npt.NDArray[np.int64]

MOST_VALUES = 9


@dataclass(frozen=True, slots=True)
class Shares:
    """Values with their share in one class and in the whole table; `others` counts the values put together last."""

    labels: tuple[str, ...]
    in_class: tuple[float, ...]
    in_whole: tuple[float, ...]
    others: int


@dataclass(frozen=True, slots=True, eq=False)
class ClassList:
    """The classes of a published table with the diversity and closeness of one sensitive column.

    `l` counts the different values of every class, `t` is its distance from the whole table; both are empty without
    a sensitive column. `rows` holds the original rows, those of one class together. `people` counts those of every
    class, None where every row counts as another person; then `l` counts people, too.
    """

    quasi: tuple[Column, ...]
    classes: EquivalenceClasses
    rows: Ints
    starts: Ints
    l: Ints  # noqa: E741
    t: npt.NDArray[np.float64]
    distance: str
    sensitive: SensitiveAttribute | None
    histogram: Histogram | None
    people: Ints | None = None

    def __len__(self) -> int:
        return len(self.classes)

    def cells(self, number: int) -> tuple[str, ...]:
        """Give the published cells that the rows of a class share."""
        row = self.classes.first_rows[number]
        return tuple(column.labels[column.codes[row]] for column in self.quasi)

    def rows_of(self, number: int) -> Ints:
        """Give the original rows of a class, in their order."""
        return self.rows[self.starts[number] : self.starts[number + 1]]

    def places_in(self, order: Ints, number: int) -> Ints:
        """Give the places at which the rows of a class stand in an order of the original rows."""
        wanted = np.zeros(int(order.max(initial=-1)) + 1, dtype=np.bool_)
        wanted[self.rows_of(number)] = True
        return np.flatnonzero(wanted[order])

    def worst_first(self, by: str) -> Ints:
        """Order the classes by "size" or "l" (least first) or "t" (largest first); ties by size."""
        sizes = self.classes.sizes if self.people is None else self.people
        keys = {"l": self.l, "t": -self.t}.get(by, sizes)
        return np.lexsort((sizes, keys)) if len(keys) == len(sizes) else np.argsort(sizes, kind="stable")

    def shares(self, number: int, most: int = MOST_VALUES) -> Shares:
        """Give the sensitive values of a class against the whole: those that differ most, in order, then the rest."""
        if self.sensitive is None or self.histogram is None:
            return Shares((), (), (), 0)
        whole = table_shares(self.sensitive)
        here = np.zeros(len(whole))
        begin, end = np.searchsorted(self.histogram.groups, [number, number + 1])
        counts = self.histogram.counts[begin:end]
        here[self.histogram.values[begin:end]] = counts / max(int(counts.sum()), 1)
        told = np.argsort(-np.abs(here - whole), kind="stable")[: most if len(whole) > most + 1 else len(whole)]
        told = told[np.argsort(self.sensitive.rank[told])]
        others = len(whole) - len(told)
        rest = ([1.0 - float(here[told].sum())], [1.0 - float(whole[told].sum())]) if others else ([], [])
        return Shares(
            tuple(self.sensitive.labels[value] for value in told.tolist()),
            (*here[told].tolist(), *(max(share, 0.0) for share in rest[0])),
            (*whole[told].tolist(), *(max(share, 0.0) for share in rest[1])),
            others,
        )


def list_classes(
    release: Release, sensitive: str = "", original: Table | None = None, progress: Progress = SILENT
) -> ClassList:
    """List the classes of a release; `sensitive` names the column whose diversity and closeness are told.

    The original says whom its rows are about, where the project has a column for that.
    """
    project = release.project
    quasi = project.schema.names(Role.QI)
    told = (sensitive,) if sensitive else ()
    person = None if original is None else person_column(original, project)
    classes, groups, whole = published_groups(
        release.table,
        quasi,
        told,
        project.hierarchies,
        project.schema,
        person=None if person is None else person.take(release.rows),
        progress=progress.sub(0.0, 0.7),
    )
    people = None if groups.persons is None else groups.people
    progress(0.7, "Sorting the rows of each class")
    rows = release.rows[np.argsort(classes.ids, kind="stable")]
    starts = np.concatenate([[0], np.cumsum(classes.sizes)])
    columns = tuple(release.table.column(name) for name in quasi)
    if not sensitive:
        return ClassList(columns, classes, rows, starts, np.empty(0, np.int64), np.empty(0), "", None, None, people)
    name = _distance_of(release, sensitive)
    histogram, about = groups.sensitive[sensitive], whole.sensitive[sensitive]
    progress(0.9, "Measuring every class")
    held = histogram if groups.persons is None else groups.persons.histogram(sensitive)
    l = distinct_values(held).astype(np.int64)  # noqa: E741
    far = distance(name, histogram, about)
    return ClassList(columns, classes, rows, starts, l, far, name, about, histogram, people)


def _distance_of(release: Release, sensitive: str) -> str:
    """Give the distance a goal names for the column, else that over the order of numbers, else over equal steps."""
    for goal in release.project.goals:
        if goal.distance and goal.looks_at(sensitive):
            return goal.distance
    ordered = release.project.schema.column(sensitive).type in NUMBERS_AND_DATES
    return "emd-ordered" if ordered else "emd-equal"
