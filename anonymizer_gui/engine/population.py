"""How many people of a population fit each published class."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonymizer_gui.engine.classes import Classes, classes_of, group
from anonymizer_gui.engine.hierarchy.encode import find_leaves
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.table import SUPPRESSED, Column, Schema, Table
from anonymizer_gui.engine.utility.cells import cells_of, domain_of

Ints = npt.NDArray[np.int64]
_AT_ONCE = 1 << 24


def people_in_classes(
    table: Table,
    classes: Classes,
    population: Table,
    qis: Sequence[str],
    hierarchies: Mapping[str, Hierarchy],
    schema: Schema | None = None,
    progress: Progress = SILENT,
) -> Ints:
    """Count for every class of a published table the people of the population whose values lie in its cells.

    A column without a hierarchy fits when the label is the same or the cell is `*`.
    """
    if not len(classes):
        return np.zeros(0, dtype=np.int64)
    people = classes_of(population, qis)
    boxes = boxes_of(table, classes, population, people, qis, hierarchies, schema, progress)
    return boxes.matches(classes.sizes, people.sizes, progress)[1]


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """Published cells as boxes of leaves, and people as points: one array per column."""

    low: tuple[Ints, ...]
    high: tuple[Ints, ...]
    leaf: tuple[Ints, ...]

    def matches(self, rows: Ints, people: Ints, progress: Progress) -> tuple[Ints, Ints]:
        """Count the rows that fit each person and the people that fit each box, given how many each stands for."""
        sent = self._disjoint()
        if sent is not None:
            return _joined(sent, rows, people)
        rows_of_person, people_in_box = np.zeros(len(people), dtype=np.int64), np.zeros(len(rows), dtype=np.int64)
        for here, inside in self._blocks(progress):
            rows_of_person += rows[here] @ inside
            people_in_box[here] = inside @ people
        return rows_of_person, people_in_box

    def _disjoint(self) -> list[tuple[Ints, Ints]] | None:
        """Number the cells of every column and send each leaf to its cell; None when cells of a column overlap."""
        columns = [_numbered(*column) for column in zip(self.low, self.high, self.leaf, strict=True)]
        found = [column for column in columns if column is not None]
        return found if len(found) == len(columns) else None

    def _blocks(self, progress: Progress) -> Iterator[tuple[slice, npt.NDArray[np.bool_]]]:
        """Say which people are in which boxes, some boxes at a time."""
        n_boxes, n_people = len(self.low[0]), len(self.leaf[0])
        width = max(_AT_ONCE // max(n_people, 1), 1)
        for start in range(0, n_boxes, width):
            progress(start / n_boxes, "Comparing people with classes")
            here = slice(start, start + width)
            inside = np.ones((len(self.low[0][here]), n_people), dtype=np.bool_)
            for low, high, leaf in zip(self.low, self.high, self.leaf, strict=True):
                inside &= (leaf >= low[here, None]) & (leaf <= high[here, None])
            yield here, inside


def boxes_of(
    table: Table,
    classes: Classes,
    population: Table,
    people: Classes,
    names: Sequence[str],
    hierarchies: Mapping[str, Hierarchy],
    schema: Schema | None = None,
    progress: Progress = SILENT,
) -> Boxes:
    """Place the classes of a published table and the distinct people of another in the same leaves."""
    low, high, leaf = [], [], []
    for done, name in enumerate(names):
        progress(done / len(names), f"Placing “{name}”")
        published, raw = table.column(name), population.column(name)
        cells = _placed(published, raw, hierarchies.get(name), schema)
        shown = published.codes[classes.first_rows]
        low.append(cells[0][shown])
        high.append(cells[1][shown])
        leaf.append(cells[2][raw.codes[people.first_rows]])
    return Boxes(tuple(low), tuple(high), tuple(leaf))


def _placed(
    published: Column, raw: Column, hierarchy: Hierarchy | None, schema: Schema | None
) -> tuple[Ints, Ints, Ints]:
    """Give first and last leaf of every published label, and the leaf of every raw value (-1: no place)."""
    entry = None if schema is None else schema.column(published.name)
    if hierarchy is None:
        number = {label: at for at, label in enumerate(dict.fromkeys((*published.labels, *raw.labels)))}
        same = np.array([number[label] for label in published.labels], dtype=np.int64)
        star = np.array([label == SUPPRESSED for label in published.labels], dtype=np.bool_)
        leaf = np.array([number[label] for label in raw.labels], dtype=np.int64)
        return np.where(star, 0, same), np.where(star, len(number) - 1, same), leaf
    cells = cells_of(published, domain_of(published, raw, hierarchy, entry) or hierarchy, entry)
    return cells.low, cells.high, find_leaves(raw, cells.hierarchy, entry).astype(np.int64)


def _numbered(low: Ints, high: Ints, leaf: Ints) -> tuple[Ints, Ints] | None:
    """Number the cells of one column and send every leaf to its cell (-1: none); None when cells overlap."""
    span = int(high.max(initial=0)) + 1
    seen, keys = pd.factorize(low * span + high)
    order = np.argsort(keys)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    first, last = keys[order] // span, keys[order] % span
    if (first[1:] <= last[:-1]).any():
        return None
    at = np.searchsorted(first, leaf, side="right") - 1
    return place[seen], np.where((at >= 0) & (leaf <= last[at]), at, -1)


def _joined(boxes: Sequence[tuple[Ints, Ints]], rows: Ints, people: Ints) -> tuple[Ints, Ints]:
    """Every value lies in one cell of its column at most: join boxes and people on whole tuples of cells."""
    known = np.all([sent >= 0 for _, sent in boxes], axis=0)
    n_boxes = len(rows)
    both = group([np.concatenate([cell, sent[known]]) for cell, sent in boxes], n_boxes + int(known.sum()))
    of_box, of_person = both.ids[:n_boxes], both.ids[n_boxes:]
    rows_of_person = np.zeros(len(people), dtype=np.int64)
    rows_of_person[known] = np.bincount(of_box, weights=rows, minlength=len(both))[of_person]
    people_in_box = np.bincount(of_person, weights=people[known], minlength=len(both))[of_box]
    return rows_of_person, people_in_box.astype(np.int64)
