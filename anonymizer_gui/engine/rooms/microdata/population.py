"""How many people of a population fit each published class."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import EquivalenceClasses, classes_of, group_rows
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, Schema, Table
from anonymizer_gui.engine.hierarchy.coverage import covered_leaves, domain_of, flat_domain, place_cells
from anonymizer_gui.engine.hierarchy.intervals import ForeignLabels
from anonymizer_gui.engine.hierarchy.leaf_encoding import find_leaves
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

Ints = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint8]
_PEOPLE_AT_ONCE, _BYTES_AT_ONCE = 1 << 18, 1 << 22
_ONES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1, dtype=np.uint8)


def population_per_class(
    table: Table,
    classes: EquivalenceClasses,
    population: Table,
    qis: Sequence[str],
    hierarchies: Mapping[str, Hierarchy],
    schema: Schema | None = None,
    progress: Progress = SILENT,
) -> Ints:
    """Count for every class of a published table the people of the population whose values lie in its cells.

    In a column without a hierarchy a person fits whose value is the label, or one that the label describes: `*`, a
    range or a mask, in our spelling or in that of other tools.
    """
    if not len(classes):
        return np.zeros(0, dtype=np.int64)
    people = classes_of(population, qis)
    boxes = class_boxes(table, classes, population, people, qis, hierarchies, schema, progress)
    return boxes.people_in_boxes(people.sizes, progress)


def population_outside(
    table: Table,
    classes: EquivalenceClasses,
    population: Table,
    qis: Sequence[str],
    hierarchies: Mapping[str, Hierarchy],
    schema: Schema | None = None,
    progress: Progress = SILENT,
) -> int:
    """Count the people of the population whose values lie in no published class; nobody is counted twice."""
    if not len(classes):
        return population.n_rows
    people = classes_of(population, qis)
    boxes = class_boxes(table, classes, population, people, qis, hierarchies, schema, progress)
    fitting = boxes.rows_of_people(classes.sizes, progress)
    return int(people.sizes[fitting == 0].sum())


@dataclass(frozen=True, slots=True, eq=False)
class ClassBoxes:
    """Published cells as boxes of leaves, and people as points: one array per column."""

    low: tuple[Ints, ...]
    high: tuple[Ints, ...]
    leaf: tuple[Ints, ...]

    def people_in_boxes(self, people: Ints, progress: Progress) -> Ints:
        """Count the people that fit each box; each point stands for so many."""
        sent = self._disjoint()
        if sent is not None:
            return _joined(sent, people)
        found = np.zeros(len(self.low[0]), dtype=np.int64)
        for who, here, inside in self._blocks(progress):
            found[here] += _weighed_bits(inside, _bit_planes(people[who]))
        return found

    def rows_of_people(self, rows: Ints, progress: Progress) -> Ints:
        """Count the rows that fit each point; each box stands for so many."""
        sent = self._disjoint()
        if sent is not None:
            return _joined_back(sent, rows)
        found = np.zeros(len(self.leaf[0]), dtype=np.int64)
        for who, here, inside in self._blocks(progress):
            fitting = np.unpackbits(inside, axis=1, count=len(found[who]))
            found[who] += (rows[here].astype(np.float64) @ fitting).astype(np.int64)
        return found

    def _disjoint(self) -> list[tuple[Ints, Ints]] | None:
        """Number the cells of every column and send each leaf to its cell; None when cells of a column overlap."""
        columns = [_numbered(*column) for column in zip(self.low, self.high, self.leaf, strict=True)]
        found = [column for column in columns if column is not None]
        return found if len(found) == len(columns) else None

    def _blocks(self, progress: Progress) -> Iterator[tuple[slice, slice, Bits]]:
        """Say which people are in which boxes, a bit each, some people and some boxes at a time.

        A column has far fewer cells than there are boxes: the people of each cell are found once.
        """
        n_people, n_boxes = len(self.leaf[0]), len(self.low[0])
        for begin in range(0, n_people, _PEOPLE_AT_ONCE):
            who = slice(begin, begin + _PEOPLE_AT_ONCE)
            part = progress.sub(begin / n_people, min((begin + _PEOPLE_AT_ONCE) / n_people, 1.0))
            columns = [
                _fitting(low, high, leaf[who]) for low, high, leaf in zip(self.low, self.high, self.leaf, strict=True)
            ]
            width = max(_BYTES_AT_ONCE // columns[0][1].shape[1], 1)
            for start in range(0, n_boxes, width):
                part(start / n_boxes, "Comparing people with classes")
                here = slice(start, start + width)
                inside = columns[0][1][columns[0][0][here]]
                for cell, bits in columns[1:]:
                    inside &= bits[cell[here]]
                yield who, here, inside


def class_boxes(
    table: Table,
    classes: EquivalenceClasses,
    population: Table,
    people: EquivalenceClasses,
    names: Sequence[str],
    hierarchies: Mapping[str, Hierarchy],
    schema: Schema | None = None,
    progress: Progress = SILENT,
) -> ClassBoxes:
    """Place the classes of a published table and the distinct people of another in the same leaves."""
    low, high, leaf = [], [], []
    for done, name in enumerate(names):
        progress(done / len(names), message("Placing “{name}”", name=name))
        published, raw = table.column(name), population.column(name)
        cells = _placed(published, raw, hierarchies.get(name), schema)
        shown = published.codes[classes.first_rows]
        low.append(cells[0][shown])
        high.append(cells[1][shown])
        leaf.append(cells[2][raw.codes[people.first_rows]])
    return ClassBoxes(tuple(low), tuple(high), tuple(leaf))


def _placed(
    published: Column, raw: Column, hierarchy: Hierarchy | None, schema: Schema | None
) -> tuple[Ints, Ints, Ints]:
    """Give first and last leaf of every published label, and the leaf of every raw value (-1: no place)."""
    entry = None if schema is None else schema.column(published.name)
    if hierarchy is None:
        return _by_value(published, raw, entry)
    cells = place_cells(published, domain_of(published, raw, hierarchy, entry) or hierarchy, entry)
    return cells.low, cells.high, find_leaves(raw, cells.hierarchy, entry).astype(np.int64)


def _by_value(published: Column, raw: Column, entry: ColumnSchema | None) -> tuple[Ints, Ints, Ints]:
    """Place labels among the values of the population; one that describes none of them lies behind them all."""
    domain = flat_domain(raw, entry)
    foreign, nowhere = ForeignLabels(domain, entry), (domain.n_leaves, domain.n_leaves)
    places = [covered_leaves(label, domain) or foreign.cell_range(label) or nowhere for label in published.labels]
    low, high = np.array(places, dtype=np.int64).reshape(-1, 2).T
    leaf = np.array([domain.leaf_number.get(label, -1) for label in raw.labels], dtype=np.int64)
    return low, high, leaf


def _cells(low: Ints, high: Ints) -> tuple[Ints, Ints, Ints]:
    """Number the different cells of one column in order; give the number of each box, and their first and last leaf."""
    span = int(high.max(initial=0)) + 1
    seen, keys = pd.factorize(low * span + high)
    order = np.argsort(keys)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place[seen], keys[order] // span, keys[order] % span


def _numbered(low: Ints, high: Ints, leaf: Ints) -> tuple[Ints, Ints] | None:
    """Number the cells of one column and send every leaf to its cell (-1: none); None when cells overlap."""
    cell, first, last = _cells(low, high)
    if (first[1:] <= last[:-1]).any():
        return None
    at = np.searchsorted(first, leaf, side="right") - 1
    return cell, np.where((at >= 0) & (leaf <= last[at]), at, -1)


def _fitting(low: Ints, high: Ints, leaf: Ints) -> tuple[Ints, Bits]:
    """Give the cell of each box in one column, and a bit for each person that is in a cell."""
    cell, first, last = _cells(low, high)
    return cell, np.packbits((leaf >= first[:, None]) & (leaf <= last[:, None]), axis=1)


def _bit_planes(counts: Ints) -> list[Bits]:
    """Write numbers in binary, all their ones' bits together, then all their twos' bits, and so on."""
    n_planes = int(counts.max(initial=0)).bit_length()
    return [np.packbits((counts >> plane & 1).astype(np.bool_)) for plane in range(n_planes)]


def _weighed_bits(inside: Bits, planes: Sequence[Bits]) -> Ints:
    """Add up the numbers written in bit planes over the bits set in each row."""
    found = np.zeros(len(inside), dtype=np.int64)
    for power, plane in enumerate(planes):
        found += _ONES[inside & plane].sum(axis=1, dtype=np.int64) << power
    return found


def _joined(boxes: Sequence[tuple[Ints, Ints]], people: Ints) -> Ints:
    """Every value lies in one cell of its column at most: join boxes and people on whole tuples of cells."""
    of_box, of_person, known, n_ids = _tuples(boxes)
    totals = np.bincount(of_person, weights=people[known], minlength=n_ids)
    return np.asarray(totals[of_box], dtype=np.int64)


def _joined_back(boxes: Sequence[tuple[Ints, Ints]], rows: Ints) -> Ints:
    of_box, of_person, known, n_ids = _tuples(boxes)
    found = np.zeros(len(known), dtype=np.int64)
    found[known] = np.bincount(of_box, weights=rows, minlength=n_ids)[of_person]
    return found


def _tuples(boxes: Sequence[tuple[Ints, Ints]]) -> tuple[Ints, Ints, npt.NDArray[np.bool_], int]:
    """Number the tuples of cells: those of the boxes, of the people that are in some cell, and which people are."""
    known = np.all([sent >= 0 for _, sent in boxes], axis=0)
    n_boxes = len(boxes[0][0])
    both = group_rows([np.concatenate([cell, sent[known]]) for cell, sent in boxes], n_boxes + int(known.sum()))
    return both.ids[:n_boxes], both.ids[n_boxes:], known, len(both)
