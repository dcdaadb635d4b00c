"""How a hierarchy fits its column: misfits, contradictions, status, rows per node, repairs."""

import enum
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.messages import join_messages, message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.set_valued_cells import hierarchy_values
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema
from anonymizer_gui.engine.data.tables.values import parse_by_type
from anonymizer_gui.engine.hierarchy.edits import add_leaf, add_leaves, group, move, rename
from anonymizer_gui.engine.hierarchy.intervals import parse_interval
from anonymizer_gui.engine.hierarchy.leaf_encoding import NO_PLACE, find_leaves, leaf_intervals
from anonymizer_gui.engine.hierarchy.parsed_tree import Duplicate, LabelPlace
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval, Ints, Uneven, unused_label


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A value, and the label above it that speaks of others."""

    value: str
    label: str


def contradictions(hierarchy: Hierarchy) -> tuple[Contradiction, ...]:
    """List the numbers that lie outside an interval spelt by a label above them, each once.

    >>> tree = Hierarchy.from_nested({"*": {"15-19": ["19", "20"], "20-24": ["21"]}})
    >>> contradictions(tree)
    (Contradiction(value='20', label='15-19'),)
    """
    spelt = _spelt(hierarchy)
    found = []
    for leaf in hierarchy.leaves.tolist() if spelt else ():
        value = _number(hierarchy.labels[leaf])
        above = _first_wrong(hierarchy, leaf, value, spelt) if value is not None else None
        if above is not None:
            found.append(Contradiction(hierarchy.labels[leaf], hierarchy.labels[above]))
    return tuple(found)


def repair_contradictions(hierarchy: Hierarchy) -> Hierarchy:
    """Move values to the lowest groups whose labels speak of them, as far as there are such groups.

    >>> tree = Hierarchy.from_nested({"*": {"15-19": ["19", "20"], "20-24": ["21"]}})
    >>> repair_contradictions(tree).labels
    ('*', '15-19', '19', '20-24', '20', '21')
    """
    spelt = _spelt(hierarchy)
    groups = {int(hierarchy.parents[leaf]) for leaf in hierarchy.leaves.tolist()} & spelt.keys()
    wrong = {each.value for each in contradictions(hierarchy)}
    places: dict[str, str] = {}
    for value in wrong:
        number = _number(value)
        fitting = [node for node in sorted(groups) if number is not None and _holds(spelt[node], number)]
        good = [node for node in fitting if _first_wrong(hierarchy, node, number, spelt) is None]
        if good:
            places[value] = hierarchy.labels[good[0]]
    for value, group_ in places.items():
        leaf, parent = hierarchy.node_of_label[value], hierarchy.node_of_label[group_]
        hierarchy = move(hierarchy, leaf, parent, _next_larger(hierarchy, parent, value))
    return hierarchy


def _spelt(hierarchy: Hierarchy) -> dict[int, Interval]:
    return {node: found for node, label in enumerate(hierarchy.labels) if (found := parse_interval(label))}


def _first_wrong(hierarchy: Hierarchy, node: int, value: float | None, spelt: dict[int, Interval]) -> int | None:
    """Climb from a node to the first label above it that does not hold the value."""
    above = int(hierarchy.parents[node])
    while above >= 0:
        if above in spelt and value is not None and not _holds(spelt[above], value):
            return above
        above = int(hierarchy.parents[above])
    return None


def _next_larger(hierarchy: Hierarchy, parent: int, value: str) -> int | None:
    """Give the child before which a number belongs; None when it is the largest."""
    number = _number(value)
    for child in hierarchy.children(parent):
        other = _number(hierarchy.labels[child])
        if number is not None and other is not None and other > number:
            return int(child)
    return None


def _holds(interval: Interval, value: float) -> bool:
    return interval.covers(Interval(value, value, closed=True))


def _number(label: str) -> float | None:
    try:
        value = float(label)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


_MANY_PAIRS = 200_000  # beyond this, only names with the same first letter are compared


@dataclass(frozen=True, slots=True)
class Misfit:
    """A value of the data without a place, and the rows that have it."""

    value: str
    rows: int


@dataclass(frozen=True, slots=True)
class CaseVariant:
    """A value, or a leaf, that differs from another leaf only in upper and lower case."""

    value: str
    leaf: str
    rows: int


@dataclass(frozen=True, slots=True)
class Repeated:
    """A label that stood twice in the file, and the rows whose value it is or lies below it."""

    label: str
    rows: int
    places: tuple[LabelPlace, ...]

    def sentence(self) -> str:
        """Say where it stands and how many rows that concerns."""
        lines = [place.line for place in self.places]
        return message(
            "“{label}” stands in lines {lines} ({rows:row|rows}).", label=self.label, lines=lines, rows=self.rows
        )


@dataclass(frozen=True, slots=True)
class Fit:
    """What was found; values without a place are listed by their reason as well."""

    column: str
    without_place: tuple[Misfit, ...]
    without_values: tuple[str, ...]
    named_like_groups: tuple[Misfit, ...]
    case_twins: tuple[CaseVariant, ...]
    outside_intervals: tuple[Misfit, ...]
    duplicates: tuple[Repeated, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()

    @property
    def is_good(self) -> bool:
        """Whether every row has a place, none had two, and no label above a value speaks of others."""
        return not (self.without_place or self.duplicates or self.contradictions)

    @property
    def rows_without_place(self) -> int:
        """The number of rows whose value has no place."""
        return sum(misfit.rows for misfit in self.without_place)

    def sentences(self) -> tuple[str, ...]:
        """Say how the hierarchy fits; nothing when every value has a place and every place a value."""
        doubled, lacking, unused = len(self.duplicates), len(self.without_place), len(self.without_values)
        said = (
            message("{labels:label stands|labels stand} twice.", labels=doubled) if doubled else "",
            message(
                "{values:value|values} ({rows:row|rows}) {values:~has|have} no place.",
                values=lacking,
                rows=self.rows_without_place,
            )
            if lacking
            else "",
            contradiction_message(self.contradictions) if self.contradictions else "",
            message("{places:place has|places have} no value.", places=unused) if unused else "",
        )
        return tuple(filter(None, said))

    def summary(self) -> str:
        """Say all in one line."""
        return join_messages(*self.sentences())


def check_fit(
    column: Column,
    hierarchy: Hierarchy,
    schema: ColumnSchema | None = None,
    duplicates: Sequence[Duplicate] = (),
    progress: Progress = SILENT,
) -> Fit:
    """Compare the values of a column with the leaves of a hierarchy; missing cells always have a place.

    Labels that stood twice in the file of the hierarchy, before its repair, come back with the rows they concern.
    """
    progress(0.0)
    column = hierarchy_values(column, schema)
    leaf_of_label, counts = find_leaves(column, hierarchy, schema), column.counts()
    progress(0.3)
    lacking = [
        Misfit(column.labels[at], int(counts[at]))
        for at in np.flatnonzero((leaf_of_label == NO_PLACE) & (counts > 0)).tolist()
        if column.labels[at] != MISSING
    ]
    filled = np.zeros(hierarchy.n_leaves, dtype=np.bool_)
    filled[leaf_of_label[(leaf_of_label != NO_PLACE) & (counts > 0)]] = True
    groups = hierarchy.node_of_label
    progress(0.6)
    return Fit(
        column.name,
        tuple(lacking),
        tuple(hierarchy.leaf_labels[at] for at in np.flatnonzero(~filled) if hierarchy.leaf_labels[at] != MISSING),
        tuple(misfit for misfit in lacking if misfit.value in groups),
        tuple(_case_twins(lacking, hierarchy, dict(zip(column.labels, counts.tolist(), strict=True)))),
        _outside(lacking, hierarchy, schema),
        _repeated(duplicates, _rows_by_value(column, hierarchy, leaf_of_label)) if duplicates else (),
        contradictions(hierarchy),
    )


def contradiction_message(found: Sequence[Contradiction]) -> str:
    """Say that labels speak of other values than those below them."""
    return message(
        "{values:value lies|values lie} below a label that speaks of others, such as “{value}” below “{label}”.",
        values=len(found),
        value=found[0].value,
        label=found[0].label,
    )


def add_missing_values(
    hierarchy: Hierarchy, values: Iterable[str], under: int | Literal["root", "Other"] = "root"
) -> Hierarchy:
    """Add values that have no place under the root, under a group `Other` below it, or under a node.

    Values named like a group make room for themselves there (see `make_room`).

    >>> tree = Hierarchy.from_nested({"*": {"Europe": ["Italy", "Spain"]}})
    >>> add_missing_values(tree, ["Japan"], under="Other").labels
    ('*', 'Europe', 'Italy', 'Spain', 'Other', 'Japan')
    """
    lacking = [value for value in dict.fromkeys(values) if value not in hierarchy.leaf_number]
    new = [value for value in lacking if value not in hierarchy.node_of_label]
    if under == "Other":
        hierarchy = _add_under_other(hierarchy, new)
    else:
        hierarchy = add_leaves(hierarchy, dict.fromkeys(new, 0 if under == "root" else under))
    return rename_group_for_value(hierarchy, lacking)


def rename_group_for_value(hierarchy: Hierarchy, values: Iterable[str]) -> Hierarchy:
    """Give values named like a group a leaf in that group, which is renamed: `Europe` becomes `Europe (group)`."""
    for value in values:
        node = hierarchy.node_of_label.get(value)
        if node is None or value in hierarchy.leaf_number:
            continue
        name = unused_label(f"{value} (group)", set(hierarchy.labels))
        hierarchy = add_leaf(rename(hierarchy, node, name), node, value)
    return hierarchy


def suggest_places(values: Iterable[str], hierarchy: Hierarchy, progress: Progress = SILENT) -> dict[str, int]:
    """Suggest, for each value, the group of the leaf with the nearest name; the root where none is near."""
    groups: dict[str, int] = {}
    for leaf in hierarchy.leaves.tolist():
        groups.setdefault(hierarchy.labels[leaf].casefold(), max(int(hierarchy.parents[leaf]), 0))
    initials: dict[str, list[str]] = defaultdict(list)
    for name in groups:
        initials[name[:1]].append(name)
    wanted = list(values)
    few = len(wanted) * len(groups) <= _MANY_PAIRS
    places = {}
    for at, value in enumerate(wanted):
        progress(at / len(wanted), "Comparing names")
        name = value.casefold()
        near = get_close_matches(name, groups if few else initials[name[:1]], n=1)
        places[value] = groups[near[0]] if near else 0
    return places


def place_suggested(hierarchy: Hierarchy, places: Mapping[str, int]) -> Hierarchy:
    """Add values at the places suggested for them; those named like a group make room for themselves."""
    new = {value: node for value, node in places.items() if value not in hierarchy.node_of_label}
    return rename_group_for_value(add_leaves(hierarchy, new), places)


def _add_under_other(hierarchy: Hierarchy, values: list[str]) -> Hierarchy:
    if not values:
        return hierarchy
    node = hierarchy.node_of_label.get("Other")
    if node is not None and not hierarchy.is_leaf[node]:
        return add_leaves(hierarchy, dict.fromkeys(values, node))
    name = unused_label("Other", {*hierarchy.labels, *values})
    added = add_leaves(hierarchy, dict.fromkeys(values, 0))
    return group(added, [added.node_of_label[value] for value in values], name)


def _rows_by_value(column: Column, hierarchy: Hierarchy, leaf_of_label: Ints) -> dict[str, int]:
    """Count the rows of every leaf by its label; values without a place count by their own."""
    rows: dict[str, int] = defaultdict(int)
    leaves = hierarchy.leaf_labels
    for label, leaf, count in zip(column.labels, leaf_of_label.tolist(), column.counts().tolist(), strict=True):
        rows[label if leaf == NO_PLACE else leaves[leaf]] += count
    return rows


def _repeated(duplicates: Sequence[Duplicate], rows: Mapping[str, int]) -> tuple[Repeated, ...]:
    return tuple(
        Repeated(each.label, sum(rows.get(value, 0) for value in each.values), each.places) for each in duplicates
    )


def _case_twins(lacking: list[Misfit], hierarchy: Hierarchy, rows: dict[str, int]) -> Iterable[CaseVariant]:
    # One text for each leaf, not one list: many small lists keep the collector of garbage, and all threads, busy.
    leaves: dict[str, str] = {}
    others: dict[str, list[str]] = {}
    for label in hierarchy.leaf_labels:
        first = leaves.setdefault(label.casefold(), label)
        if first is not label:
            others.setdefault(first, []).append(label)
    for misfit in lacking:
        if (leaf := leaves.get(misfit.value.casefold())) is not None:
            yield CaseVariant(misfit.value, leaf, misfit.rows)
    for first in leaves.values() if others else ():
        for other in others.get(first, ()):
            yield CaseVariant(other, first, rows.get(other, 0))


def _outside(lacking: list[Misfit], hierarchy: Hierarchy, schema: ColumnSchema | None) -> tuple[Misfit, ...]:
    if not lacking or not len(leaf_intervals(hierarchy)):
        return ()
    is_reading = ~np.isnan(parse_by_type([misfit.value for misfit in lacking], schema))
    return tuple(misfit for misfit, numeric in zip(lacking, is_reading, strict=True) if numeric)


class ColumnStatus(enum.Enum):
    """The worst that is to be said of a hierarchy."""

    GOOD = "good"
    CONTRADICTED = "contradicted"
    UNPLACED = "unplaced"


def column_status(
    column: Column, hierarchy: Hierarchy, schema: ColumnSchema | None = None, progress: Progress = SILENT
) -> ColumnStatus:
    """Say whether every value has a place and every label is true of what lies below it.

    >>> tree = Hierarchy.from_nested({"*": {"Europe": ["Italy"]}})
    >>> column_status(Column.from_texts("land", ["Peru"]), tree)
    <ColumnStatus.UNPLACED: 'unplaced'>
    """
    progress(0.0)
    column = hierarchy_values(column, schema)
    try:
        leaf_of_label = find_leaves(column, hierarchy, schema)
    except BadHierarchy:  # intervals overlap: no value can be placed for sure
        return ColumnStatus.UNPLACED
    progress(0.5)
    homeless = np.flatnonzero((leaf_of_label == NO_PLACE) & (column.counts() > 0)).tolist()
    if any(column.labels[at] != MISSING for at in homeless):
        return ColumnStatus.UNPLACED
    return ColumnStatus.CONTRADICTED if contradictions(hierarchy) else ColumnStatus.GOOD


Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class LevelView:
    """A column published at one level: its labels in the order of the tree, the rows of each, and the LM."""

    level: int
    labels: tuple[str, ...]
    rows: tuple[int, ...]
    loss: float

    @property
    def smallest(self) -> int:
        """The rows of the rarest label: the k this column alone would have."""
        return min(self.rows, default=0)


@dataclass(frozen=True, slots=True, eq=False)
class Usage:
    """A hierarchy, how it fits a column, the rows under every node, and the missing cells it has no leaf for."""

    hierarchy: Hierarchy
    fit: Fit
    rows: Rows
    missing: int

    def at_level(self, level: int, uneven: Uneven = "cap") -> LevelView:
        """Show the column at a full-domain level; values without a place are left out."""
        tree = self.hierarchy
        nodes, at = np.unique(tree.level_table(uneven)[level], return_inverse=True)
        rows = np.bincount(at, weights=self.rows[tree.leaves], minlength=len(nodes)).astype(np.int64)
        if self.missing and level == tree.height:
            rows[0] += self.missing
        used = np.flatnonzero(rows)
        labels = [tree.labels[node] for node in nodes[used].tolist()]
        counts = rows[used].tolist()
        lost = float(rows @ tree.loss[nodes])
        if self.missing and level < tree.height:
            labels, counts = [*labels, MISSING], [*counts, self.missing]
        return LevelView(level, tuple(labels), tuple(counts), lost / max(sum(counts), 1))


def count_usage(
    column: Column, hierarchy: Hierarchy, schema: ColumnSchema | None = None, progress: Progress = SILENT
) -> Usage:
    """Count the rows under every node; missing cells without a leaf of their own count for the root.

    >>> tree = Hierarchy.from_nested({"*": {"Europe": ["Italy", "Spain"], "Asia": ["Japan"]}})
    >>> usage = count_usage(Column.from_texts("land", ["Spain", "Japan", "Spain"]), tree)
    >>> usage.rows.tolist()
    [3, 2, 0, 2, 1, 1]
    >>> usage.at_level(1).labels
    ('Europe', 'Asia')
    """
    progress(0.0)
    cells, column = column, hierarchy_values(column, schema)
    counts = column.counts()
    leaf_of_label = find_leaves(column, hierarchy, schema)
    progress(0.3)
    placed = leaf_of_label != NO_PLACE
    of_leaf = np.bincount(leaf_of_label[placed], weights=counts[placed], minlength=hierarchy.n_leaves)
    below = np.concatenate([[0], np.cumsum(of_leaf.astype(np.int64))])
    rows = below[hierarchy.end_leaf] - below[hierarchy.first_leaf]
    has_place = MISSING not in column.labels or MISSING in hierarchy.leaf_number
    missing = 0 if has_place else int(counts[column.labels.index(MISSING)])
    rows[0] += missing
    progress(0.5)
    fit = check_fit(cells, hierarchy, schema, progress=progress.sub(0.5, 1.0))
    return Usage(hierarchy, fit, rows, missing)
