"""Sets made k^m-anonymous inside the classes that an algorithm found: items become groups, or are deleted (AA-R)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message, quote
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import classes_of
from anonymizer_gui.engine.data.tables.set_valued_cells import explode_sets, write_set
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Role, Table
from anonymizer_gui.engine.hierarchy.coverage import flat_domain
from anonymizer_gui.engine.hierarchy.leaf_encoding import encode_column
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.models.contract import set_requirements
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.set_valued_attributes import refuse_weighted_rows
from anonymizer_gui.engine.sets.apriori import anonymise_without_root
from anonymizer_gui.engine.sets.encoding import DELETED, EncodedTransactions, ItemRecoding, ItemsetDemands

_BUDGETS = (0.0, 0.05, 0.2, 1.0)
"""Shares of deletions that are tried in each class; the least loss is kept."""
_SIGN = "\x1f"
"""Between the name of a column and a label, where the trees of several columns stand under one root."""


@dataclass(frozen=True, slots=True, eq=False)
class _Items:
    """The items of all sets, as leaves of one tree, and how the nodes of that tree are published."""

    tree: Hierarchy
    row_of: npt.NDArray[np.int64]
    leaves: npt.NDArray[np.int32]
    column_of: npt.NDArray[np.int64]
    """The column of every node."""
    labels: tuple[str, ...]


def refuse_unprotected_sets(project: Project) -> None:
    """Raise BadParameter when sets are quasi-identifiers and no goal protects them, or one forgets them.

    Goals about risk count how many share a class; whoever knows items of a set, too, runs a larger risk.
    """
    if not project.schema.sets:
        return
    for goal in project.goals:
        if goal.of_table or goal.needs_population or goal.is_estimate:
            raise BadParameter(
                message(
                    "“{goal}” looks at classes alone, but items of sets may be known, too.", goal=message(goal.title)
                ),
                "Remove the goal: (k, k^m)-anonymity bounds the risk.",
            )
    if not set_requirements(project.goals):
        raise BadParameter(
            message("No goal protects the sets of {columns}.", columns=quote(project.schema.sets)),
            "Add (k, k^m)-anonymity, or give the column another role.",
        )


def refuse_repeated_persons(project: Project, *, is_about_people: bool) -> None:
    """Raise BadParameter where somebody has several rows: sets are counted by rows."""
    if project.schema.sets and is_about_people:
        raise BadParameter(
            "Sets are protected by rows, and some people have several rows.",
            "Put the items of each person into one row first.",
        )


def protect_sets(table: Table, project: Project, progress: Progress) -> tuple[Table, tuple[Message, ...]]:
    """Give a published table with its sets made k^m-anonymous, inside its classes or as one, and what was done.

    Raises BadHierarchy when an item has no place in the hierarchy of its column.
    """
    asked = set_requirements(project.goals)
    names = [name for name in project.schema.sets if name in table.names]
    if not names or not asked:
        return table, ()
    refuse_weighted_rows(table)
    wanted = ItemsetDemands(k=max(each.k for each in asked), m=max(each.m for each in asked))
    items = _items(table, project, names)
    ids = np.zeros(table.n_rows, dtype=np.int64)
    if any(each.in_classes for each in asked):
        ids = classes_of(table, project.schema.names(Role.QI)).ids.astype(np.int64)
    became = _became(items, ids, wanted, progress)
    columns = {name: _published(table.column(name), items, became, at, project) for at, name in enumerate(names)}
    deleted = int(np.count_nonzero(became == DELETED))
    grouped = int(np.count_nonzero(~items.tree.is_leaf[became[became != DELETED]]))
    note = message(
        "Of {items:item|items} in sets {deleted:,} ({share:.1%}) were deleted and {grouped:,} became groups.",
        items=len(became),
        deleted=deleted,
        share=deleted / max(len(became), 1),
        grouped=grouped,
    )
    return Table(tuple(columns.get(column.name, column) for column in table.columns), table.n_rows), (note,)


def _items(table: Table, project: Project, names: Sequence[str]) -> _Items:
    """Place every item; several columns are put under one root, so that m items may be of any of them."""
    trees, rows, leaves = [], [], []
    for name in names:
        row_of, column = explode_sets(table.column(name), project.schema.column(name).format)
        placed = encode_column(column, project.hierarchies.get(name) or flat_domain(column))
        trees.append(placed.hierarchy)
        rows.append(row_of)
        leaves.append(placed.codes)
    tree = trees[0] if len(trees) == 1 else _joined(trees)
    first = np.cumsum([0, *(each.n_leaves for each in trees[:-1])])
    sizes = [len(each) for each in trees]
    column_of = np.repeat(np.arange(len(trees)), sizes)
    labels = tuple(label for each in trees for label in each.labels)
    if len(trees) > 1:
        column_of, labels = np.concatenate([[-1], column_of]), ("*", *labels)
    codes = np.concatenate([codes + at for codes, at in zip(leaves, first, strict=True)])
    return _Items(tree, np.concatenate(rows), codes.astype(np.int32), column_of, labels)


def _joined(trees: Sequence[Hierarchy]) -> Hierarchy:
    labels, parents = [_SIGN], [-1]
    for at, tree in enumerate(trees):
        begin = len(labels)
        labels += [f"{at}{_SIGN}{label}" for label in tree.labels]
        parents += [0 if parent < 0 else parent + begin for parent in tree.parents.tolist()]
    return Hierarchy(labels, parents)


def _became(
    items: _Items, ids: npt.NDArray[np.int64], wanted: ItemsetDemands, progress: Progress
) -> npt.NDArray[np.int32]:
    """Say for every item which node it is published as, class by class."""
    became = np.full(len(items.row_of), DELETED, dtype=np.int32)
    class_of = ids[items.row_of]
    order = np.argsort(class_of, kind="stable")
    found, starts = np.unique(class_of[order], return_index=True)
    ends = [*starts[1:].tolist(), len(order)][: len(found)]
    sizes = np.bincount(ids, minlength=int(ids.max(initial=0)) + 1)
    for done, (number, low, high) in enumerate(zip(found.tolist(), starts.tolist(), ends, strict=True)):
        part = progress.sub(done / len(found), (done + 1) / len(found))
        part(0.0, "Protecting the sets")
        if sizes[number] < wanted.k:
            continue
        at = order[low:high]
        _, baskets = np.unique(items.row_of[at], return_inverse=True)
        data = EncodedTransactions(items.tree, int(baskets.max()) + 1, baskets.astype(np.int64), items.leaves[at], at)
        became[at] = _cheapest(data, wanted, part).became
    return became


def _cheapest(data: EncodedTransactions, wanted: ItemsetDemands, progress: Progress) -> ItemRecoding:
    """Try several budgets of deletions and keep what loses least; all items may go."""
    tried = [
        found.recoding
        for at, budget in enumerate(_BUDGETS)
        if (
            found := anonymise_without_root(
                data, wanted, budget, progress.sub(at / len(_BUDGETS), (at + 1) / len(_BUDGETS))
            )
        ).recoding
    ]
    return min((each for each in tried if each is not None), key=lambda each: each.loss(data))


def _published(column: Column, items: _Items, became: npt.NDArray[np.int32], at: int, project: Project) -> Column:
    """Write the sets of one column; a missing cell stays missing."""
    form = project.schema.column(column.name).format
    kept = (became != DELETED) & (items.column_of[became] == at)
    pairs = np.unique(items.row_of[kept] * len(items.tree) + became[kept])
    rows, nodes = pairs // len(items.tree), pairs % len(items.tree)
    ends = np.searchsorted(rows, np.arange(len(column) + 1))
    was_missing = np.array([label == MISSING for label in column.labels], dtype=np.bool_)[column.codes]
    texts = []
    for row, (low, high) in enumerate(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)):
        if low == high and was_missing[row]:
            texts.append(MISSING)
        else:
            texts.append(write_set([items.labels[node] for node in nodes[low:high].tolist()], form))
    return Column.from_texts(column.name, texts)
