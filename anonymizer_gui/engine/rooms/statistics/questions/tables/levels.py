"""How many rows lie below each node of a hierarchy, so that the counts of parts add up to those of the whole."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json, param
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.hierarchy.leaf_encoding import NO_PLACE, find_leaves
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.statistics.consistency import consistent, counted_nodes, levels_of
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import NOISES, QUESTIONS, Noisy, Step, Told, bell
from anonymizer_gui.engine.rooms.statistics.questions.tables.of_a_column import OfColumn


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Levels(OfColumn):
    """Noisy counts of all nodes of a hierarchy, then the nearest whole numbers whose parts add up."""

    name: ClassVar[str] = "levels"
    title: ClassVar[str] = "Counts along a hierarchy"
    summary: ClassVar[str] = "How many rows lie below each node of a hierarchy; the counts of parts add up."
    verbs: ClassVar[tuple[str, ...]] = ("levels",)
    uses_hierarchies: ClassVar[bool] = True
    usage: ClassVar[str] = "levels COLUMN"
    example: ClassVar[str] = "levels education"

    noise: str = param(NOISES, default="laplace", label="Noise", help="What hides a single row.")

    def labels(self, public: Public) -> tuple[str, ...]:
        """Name the nodes, each before those below it."""
        tree = self._tree(public)
        return tuple(tree.labels[node] for node in counted_nodes(tree).tolist())

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number for each node; a row is counted at every node above its value."""
        tree = self._tree(public)
        moved = sensitivity.along_hierarchy(public.unit, levels_of(tree))
        return (Step(self.noise, moved, len(counted_nodes(tree))),)

    def counted(self, data: Table, public: Public) -> tuple[Ints, ...]:
        """Count the rows below each node; values without a place are not counted."""
        tree, column = self._tree(public), data.column(self.column)
        leaves, counts = find_leaves(column, tree), column.counts()
        is_placed = leaves != NO_PLACE
        of_leaf = np.zeros(tree.n_leaves + 1, dtype=np.int64)
        np.add.at(of_leaf[1:], leaves[is_placed], counts[is_placed])
        upto = np.cumsum(of_leaf)
        nodes = counted_nodes(tree)
        return (upto[tree.end_leaf[nodes]] - upto[tree.first_leaf[nodes]],)

    def told(self, noisy: Noisy, public: Public) -> Told:
        """Tell a number for each node; the numbers below a node add up to its own."""
        found = consistent(self._tree(public), noisy[0])
        return Told(values=tuple(zip(self.labels(public), found.tolist(), strict=True)))

    def simulated(self, public: Public, rows: int) -> tuple[Ints, ...]:
        """Let a bell of rows lie over the values."""
        tree = self._tree(public)
        upto = np.concatenate([[0], np.cumsum(bell(rows, tree.n_leaves))])
        nodes = counted_nodes(tree)
        return (upto[tree.end_leaf[nodes]] - upto[tree.first_leaf[nodes]],)

    def facts(self, public: Public) -> dict[str, Json]:
        """Tell on how many levels a row is counted."""
        return {"levels": levels_of(self._tree(public))}

    def _tree(self, public: Public) -> Hierarchy:
        if not self.column:
            raise BadParameter("The question names no column.", "Choose the column it is about.")
        tree = public.hierarchies.get(self.column)
        if tree is None:
            raise BadParameter(
                message("“{column}” has no hierarchy to count along.", column=self.column),
                "Give the column a hierarchy, or ask for a histogram.",
            )
        return tree
