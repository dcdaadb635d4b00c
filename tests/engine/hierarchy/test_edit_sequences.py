"""Any sequence of edits keeps a valid tree and has exactly the values it should."""

from contextlib import suppress
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema
from anonymizer_gui.engine.hierarchy import edits
from anonymizer_gui.engine.hierarchy.builders.numbers import Intervals
from anonymizer_gui.engine.hierarchy.edits import split_interval
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from tests.engine.hierarchy.trees import hierarchies, plain_labels


@st.composite
def number_trees(draw: st.DrawFn) -> Hierarchy:
    """Draw a tree of numbers in intervals, with or without the numbers themselves."""
    numbers = draw(st.lists(st.integers(0, 60), min_size=2, max_size=12, unique=True))
    column = Column.from_texts("n", [str(number) for number in numbers])
    tree = Intervals(width=5.0, fan_out=draw(st.sampled_from([(), (2,), (2, 2)]))).build(column, ColumnSchema("n"))
    if draw(st.booleans()) or tree.height < 2:
        return tree
    kept = [node for node in range(len(tree)) if not tree.is_leaf[node]]
    place = {node: at for at, node in enumerate(kept)}
    return Hierarchy(
        [tree.labels[node] for node in kept],
        [-1, *(place[int(tree.parents[node])] for node in kept[1:])],
        {place[node]: tree.intervals[node] for node in kept if node in tree.intervals},
    )


@dataclass
class Editor:
    """A tree under random edits, and the values that it must have after them."""

    tree: Hierarchy
    values: set[str]

    def node(self, draw: st.DrawFn) -> int:
        return draw(st.integers(0, len(self.tree) - 1))

    def nodes(self, draw: st.DrawFn) -> list[int]:
        return draw(st.lists(st.integers(0, len(self.tree) - 1), min_size=1, max_size=4))

    def below(self, nodes: list[int]) -> set[str]:
        tree = self.tree
        return {label for node in nodes for label in tree.leaf_labels[tree.first_leaf[node] : tree.end_leaf[node]]}

    def add(self, draw: st.DrawFn) -> None:
        label = draw(plain_labels)
        self._take(edits.add_leaf(self.tree, self.node(draw), label), self.values | {label})

    def rename(self, draw: st.DrawFn) -> None:
        node, label = self.node(draw), draw(plain_labels)
        old, is_value = self.tree.labels[node], self.tree.is_leaf[node]
        self._take(edits.rename(self.tree, node, label), self.values - {old} | {label} if is_value else self.values)

    def delete_up(self, draw: st.DrawFn) -> None:
        nodes = self.nodes(draw)
        gone = {self.tree.labels[node] for node in nodes if self.tree.is_leaf[node]}
        self._take(edits.delete(self.tree, nodes, "up"), self.values - gone)

    def delete_go(self, draw: st.DrawFn) -> None:
        nodes = self.nodes(draw)
        self._take(edits.delete(self.tree, nodes, "go"), self.values - self.below(nodes))

    def move(self, draw: st.DrawFn) -> None:
        before = draw(st.none() | st.integers(0, len(self.tree) - 1))
        self._take(edits.move(self.tree, self.nodes(draw), self.node(draw), before), self.values)

    def group(self, draw: st.DrawFn) -> None:
        self._take(edits.group(self.tree, self.nodes(draw), draw(plain_labels)), self.values)

    def ungroup(self, draw: st.DrawFn) -> None:
        self._take(edits.ungroup(self.tree, self.node(draw)), self.values)

    def merge(self, draw: st.DrawFn) -> None:
        nodes, label = self.nodes(draw), draw(plain_labels)
        leaves = {self.tree.labels[node] for node in nodes if self.tree.is_leaf[node]}
        merged = edits.merge(self.tree, nodes, label)
        made = {label} if leaves and all(self.tree.is_leaf[node] for node in nodes) else set()
        self._take(merged, self.values - leaves | made)

    def split(self, draw: st.DrawFn) -> None:
        node, cut = self.node(draw), draw(st.integers(0, 60))
        parts = split_interval(self.tree, node, [cut], ["low part", "high part"])
        is_value = self.tree.is_leaf[node]
        made = {"low part", "high part"} if is_value else set()
        self._take(parts, self.values - ({self.tree.labels[node]} if is_value else set()) | made)

    def sort(self, draw: st.DrawFn) -> None:
        by = draw(st.sampled_from(["label", "size", "interval"]))
        self._take(edits.sort(self.tree, self.node(draw), by, draw(st.booleans())), self.values)

    def insert_level(self, draw: st.DrawFn) -> None:
        self._take(edits.insert_level(self.tree, draw(st.integers(0, 4))), self.values)

    def collapse_level(self, draw: st.DrawFn) -> None:
        self._take(edits.collapse_level(self.tree, draw(st.integers(0, 4))), self.values)

    def set_missing(self, draw: st.DrawFn) -> None:
        self._take(edits.set_missing_place(self.tree, self.node(draw)), self.values | {MISSING})

    def move_up_and_down(self, draw: st.DrawFn) -> None:
        self._take(edits.move_up(self.tree, self.node(draw)), self.values)
        self._take(edits.move_down(self.tree, self.node(draw)), self.values)

    def _take(self, tree: Hierarchy, values: set[str]) -> None:
        self.tree, self.values = tree, values


EDITS = [
    name for name, value in vars(Editor).items() if not name.startswith("_") and name not in ("node", "nodes", "below")
    and callable(value)
]  # fmt: skip


@pytest.mark.parametrize("edit", EDITS)
@given(data=st.data())
def test_no_sequence_of_edits_loses_a_value_or_breaks_the_tree(edit: str, data: st.DataObject) -> None:
    tree = data.draw(st.one_of(hierarchies(), number_trees()))
    editor = Editor(tree, set(tree.leaf_labels))
    for name in [*data.draw(st.lists(st.sampled_from(EDITS), max_size=6)), edit]:
        with suppress(BadHierarchy):
            getattr(editor, name)(data.draw)
    assert set(editor.tree.leaf_labels) == editor.values
    assert Hierarchy.arranged(editor.tree.labels, editor.tree.parents.astype(int)).labels == editor.tree.labels
    for node, interval in editor.tree.intervals.items():
        above = [editor.tree.intervals[each] for each in editor.tree.path(node)[1:] if each in editor.tree.intervals]
        assert all(outer.covers(interval) for outer in above)
