"""Categories that are public: named in the question, or the leaves of a hierarchy; never read off the data."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.table import Column
from anonymizer_gui.engine.data.tables.values import parse_numbers
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.hierarchy.leaf_encoding import NO_PLACE, find_leaves
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.statistics.public import Public

OTHERS = "(others)"
MOST_CELLS = 1_000_000
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Categories:
    """The labels of cells, and where a value belongs: by its text, or below a node of the hierarchy."""

    labels: tuple[str, ...]
    hierarchy: Hierarchy | None = None

    def places(self, column: Column) -> Places:
        """Give the cell of every label of a column, -1 for one that belongs nowhere."""
        at = {label: place for place, label in enumerate(self.labels)}
        found = np.array([at.get(label, NO_PLACE) for label in column.labels], dtype=np.int64)
        if self.hierarchy is None:
            return found
        leaves = find_leaves(column, self.hierarchy)
        below = np.append(self._of_leaves(self.hierarchy), NO_PLACE)[leaves]
        return np.where(found == NO_PLACE, below, found)

    def _of_leaves(self, tree: Hierarchy) -> Places:
        cells = np.full(tree.n_leaves, NO_PLACE, dtype=np.int64)
        for place, label in enumerate(self.labels):
            if (node := tree.node_of_label.get(label)) is not None:
                cells[tree.first_leaf[node] : tree.end_leaf[node]] = place
        return cells


def categories_of(column: str, named: Sequence[str], public: Public, *, others: bool = False) -> Categories:
    """Give the public categories of a column; raises BadParameter with the way out when there are none."""
    _refuse_nameless(column)
    tree = public.hierarchies.get(column)
    labels = tuple(named) or (tree.leaf_labels if tree is not None else ())
    if not labels:
        raise BadParameter(
            message("The categories of “{column}” are not public.", column=column),
            "Name them in the question, such as Female,Male, or give the column a hierarchy.",
        )
    if len(set(labels)) < len(labels) or (tree is not None and _overlap(tree, labels)):
        raise BadParameter(
            message("Categories of “{column}” overlap: a row would be counted twice.", column=column),
            "Name each category once, and none together with one below it.",
        )
    return Categories((*labels, OTHERS) if others else labels, tree)


def _overlap(tree: Hierarchy, labels: Sequence[str]) -> bool:
    nodes = [tree.node_of_label[label] for label in labels if label in tree.node_of_label]
    return sum(int(tree.leaf_counts[node]) for node in nodes) > len(
        {leaf for node in nodes for leaf in range(tree.first_leaf[node], tree.end_leaf[node])}
    )


def _refuse_nameless(column: str) -> None:
    if not column:
        raise BadParameter("The question names no column.", "Choose the column it is about.")


def counted_in(column: Column, places: Places, cells: int, *, others: bool = False) -> Ints:
    """Count the rows of every cell; with `others` the last cell takes what belongs nowhere."""
    if others:
        places = np.where(places == NO_PLACE, cells - 1, places)
    counts, known = column.counts(), places != NO_PLACE
    found = np.zeros(cells, dtype=np.int64)
    np.add.at(found, places[known], counts[known])
    return found


def placed_rows(column: Column, places: Places) -> Places:
    """Give the cell of every row."""
    return places[column.codes] if len(column) else np.empty(0, dtype=np.int64)


def counted_pairs(first: Places, second: Places, shape: tuple[int, int], times: Places | None = None) -> Ints:
    """Count rows by two cells each; one without a place in either is not counted. `times` is how often each occurs."""
    known = (first != NO_PLACE) & (second != NO_PLACE)
    both = first[known] * shape[1] + second[known]
    weights = None if times is None else times[known]
    return np.bincount(both, weights=weights, minlength=shape[0] * shape[1]).astype(np.int64)


def numbers_in(column: Column, public: Public) -> npt.NDArray[np.float64]:
    """Read the labels of a column as numbers; what is none is NaN."""
    return parse_numbers(column.labels, public.decimal)[0]
