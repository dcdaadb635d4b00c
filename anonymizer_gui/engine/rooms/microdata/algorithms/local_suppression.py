"""The cells of every tuple while some of them are emptied: as they are, or at the most general level allowed.

Rows that are alike in all columns but those of a pattern, and together satisfy the goals, need no further cell emptied.
Whatever fits none in the end is emptied altogether, with as many of the others as it takes.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter, Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, PerColumn, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import group_rows
from anonymizer_gui.engine.rooms.microdata.algorithms.class_merging import is_about_population, merge_for_population
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm, EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.feasibility import explain_infeasible
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import most_general_groups, recoding_of_nodes
from anonymizer_gui.engine.rooms.microdata.algorithms.goal_evaluation import GoalEvaluator
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import allowed_suppressions, suppress_tuples
from anonymizer_gui.engine.rooms.microdata.models.contract import GoalSet, PrivacyModel
from anonymizer_gui.engine.rooms.microdata.recoding import ProblemSize, Recoding, SizeLimit

Ints = npt.NDArray[np.int64]

Bools = npt.NDArray[np.bool_]


class SuppressedCells:
    """The node of every tuple and column when its cell is kept, and when it is emptied; `empty` says which are."""

    def __init__(self, encoded: EncodedTable) -> None:
        self.encoded = encoded
        levels = [qi.levels() for qi in encoded.qis]
        taken = list(zip(levels, encoded.tuples.T, strict=True))
        self.kept = np.stack([nodes[0][column] for nodes, column in taken], axis=1).astype(np.int64)
        self.emptied = np.stack([nodes[-1][column] for nodes, column in taken], axis=1).astype(np.int64)
        self.empty = np.zeros(self.kept.shape, dtype=np.bool_)

    @property
    def now(self) -> Ints:
        """The node of every cell."""
        return np.where(self.empty, self.emptied, self.kept)

    def grouped(self, which: Ints, empty: Bools, columns: Sequence[int] | None = None) -> tuple[Ints, int]:
        """Group some tuples by their cells in some columns, as if these cells were emptied in all of them."""
        cells = np.where(empty, self.emptied[which], self.kept[which])
        asked = range(cells.shape[1]) if columns is None else columns
        classes = group_rows([cells[:, at] for at in asked], len(which))
        return classes.ids.astype(np.int64), len(classes)

    def emptied_rows(self, kept: Bools) -> Ints:
        """Count for every column the rows of tuples that are published whose cell lost something."""
        lost = self.empty & (self.kept != self.emptied) & kept[:, None]
        return np.asarray((lost * self.encoded.counts[:, None]).sum(axis=0), dtype=np.int64)

    def recoding(self, group_of_tuple: Ints) -> Recoding:
        """Publish the groups with their cells; -1 is left out, groups without rows disappear."""
        rows = np.bincount(group_of_tuple[group_of_tuple >= 0], self.encoded.counts[group_of_tuple >= 0], minlength=1)
        live = np.flatnonzero((group_of_tuple >= 0) & (rows[group_of_tuple] > 0))
        _, first, of_live = np.unique(group_of_tuple[live], return_index=True, return_inverse=True)
        class_of_tuple = np.full(len(group_of_tuple), -1, dtype=np.int64)
        class_of_tuple[live] = of_live.reshape(-1)
        node = self.now[live[first]].astype(np.int32).reshape(-1, self.kept.shape[1])
        return recoding_of_nodes(self.encoded, class_of_tuple, node)


MAX_PATTERNS = 4096

Floats = np.ndarray[tuple[int], np.dtype[np.float64]]


def suppression_patterns(importance: Floats) -> Iterator[Bools]:
    """Give sets of columns to empty, the least important first; of very many columns only the small sets, and all."""
    columns = len(importance)
    most = columns
    while most > 1 and sum(math.comb(columns, size) for size in range(most + 1)) > MAX_PATTERNS:
        most -= 1
    sets = [key for size in range(most + 1) for key in itertools.combinations(range(columns), size)]
    sets += [tuple(range(columns))] if most < columns else []
    for key in sorted(sets, key=lambda key: (sum(importance[at] for at in key), len(key), key)):
        empty = np.zeros(columns, dtype=np.bool_)
        empty[list(key)] = True
        yield empty


def fit_patterns(
    cells: SuppressedCells, judge: GoalEvaluator, importance: Floats, allowed: int, progress: Progress
) -> Ints:
    """Give the group of every tuple, and mark its cells that are emptied; -1: nothing fits, and it may be left out."""
    counts = cells.encoded.counts
    group_of = np.full(len(counts), -1, dtype=np.int64)
    left = np.arange(len(counts))
    n_groups = 0
    for done, empty in enumerate(suppression_patterns(importance)):
        progress(min(done / 1000, 0.9), "Emptying cells")
        if not len(left):
            break
        part, n_parts = cells.grouped(left, empty)
        sizes = np.bincount(part, counts[left], n_parts)
        fine = judge.parts_fine(left.astype(np.int32), part, sizes) & (sizes > 0)
        inside = fine[part]
        chosen = left[inside]
        cells.empty[chosen] = empty
        group_of[chosen] = n_groups + (np.cumsum(fine) - 1)[part[inside]]
        n_groups += int(fine.sum())
        left = left[~inside]
    if counts[left].sum() > allowed:
        _gather(cells, judge, group_of, left)
    return group_of


def _gather(cells: SuppressedCells, judge: GoalEvaluator, group_of: Ints, left: Ints) -> None:
    """Empty all cells of what is left, and of ever more other groups with it, until they satisfy together.

    Rows that may not share a class for the level bounds are gathered apart; those that never satisfy stay left out.
    """
    top = most_general_groups(cells.encoded)
    for cell in np.unique(top[left[cells.encoded.counts[left] > 0]]).tolist():
        mine = left[top[left] == cell]
        others = np.flatnonzero((top == cell) & (group_of >= 0))
        order = _most_emptied_first(cells, group_of, others)
        taken, many = mine, 0
        while not _is_fine(cells, judge, taken) and many < len(order):
            many = min(max(1, 2 * many), len(order))
            taken = np.concatenate([mine, others[np.isin(group_of[others], order[:many])]])
        if _is_fine(cells, judge, taken):
            cells.empty[taken] = True
            group_of[taken] = group_of.max(initial=-1) + 1


def _most_emptied_first(cells: SuppressedCells, group_of: Ints, tuples: Ints) -> Ints:
    """Order the groups of some tuples: those that have lost most cells, of these the smallest."""
    groups, first, place = np.unique(group_of[tuples], return_index=True, return_inverse=True)
    rows = np.bincount(place.reshape(-1), cells.encoded.counts[tuples], len(groups))
    lost = cells.empty[tuples[first]].sum(axis=1)
    return np.asarray(groups[np.lexsort((rows, -lost))], dtype=np.int64)


def _is_fine(cells: SuppressedCells, judge: GoalEvaluator, tuples: Ints) -> bool:
    sizes = np.array([cells.encoded.counts[tuples].sum()])
    return bool(judge.parts_fine(tuples.astype(np.int32), np.zeros(len(tuples), dtype=np.int64), sizes)[0])


_MOST_ROUNDS = 2000


def suppress_for_subsets(
    cells: SuppressedCells, asked: list[tuple[int, int]], importance: Floats, progress: Progress
) -> bool:
    """Empty cells until every set of m columns has k rows for each of its combinations; (k, m) are asked for.

    Says whether it was reached; in the end all cells are emptied, and no table that the levels allow is more general.
    """
    columns = len(importance)
    sets = [(k, key) for k, m in asked for key in itertools.combinations(range(columns), min(m, columns))]
    for turn in range(_MOST_ROUNDS):
        progress(turn / (turn + 20), "Emptying cells")
        before = int(cells.empty.sum())
        if not [True for k, key in sets if _empty_rare(cells, k, key, importance)]:
            return True
        if int(cells.empty.sum()) == before:
            break
    cells.empty[:] = True
    return all((_people(cells, key) >= k).all() for k, key in sets)


def _empty_rare(cells: SuppressedCells, k: int, key: tuple[int, ...], importance: Floats) -> bool:
    """Empty the least important cell of every combination that fewer than k rows share; say whether there was one."""
    rare = np.flatnonzero(_people(cells, key) < k)
    if not len(rare):
        return False
    for column in sorted(key, key=lambda at: (importance[at], at)):
        here = rare[~cells.empty[rare, column] & (cells.kept[rare, column] != cells.emptied[rare, column])]
        cells.empty[here, column] = True
        rare = np.setdiff1d(rare, here, assume_unique=True)
    if len(rare):  # nothing of these is left to empty: the next rarest rows join them
        cells.empty[np.ix_(_nearest(cells, k, key), np.array(key))] = True
    return True


def _people(cells: SuppressedCells, key: tuple[int, ...]) -> Ints:
    """Count for every tuple the people who share its cells in some columns; tuples without rows are never rare."""
    now, encoded = cells.now, cells.encoded
    wider = group_rows([now[:, at] for at in key], len(now))
    if encoded.persons is None:
        people = np.bincount(wider.ids, encoded.counts, len(wider))
    else:
        people = encoded.persons.merged(wider.ids.astype(np.int64), len(wider)).sizes
    never = np.iinfo(np.int64).max
    return np.where(encoded.counts > 0, people[wider.ids].astype(np.int64), never)


def _nearest(cells: SuppressedCells, k: int, key: tuple[int, ...]) -> Ints:
    """Give the tuples of the smallest combination that is shared by enough."""
    people = _people(cells, key)
    others = np.flatnonzero((people >= k) & (cells.encoded.counts > 0) & ~cells.empty[:, list(key)].all(axis=1))
    if not len(others):
        return np.flatnonzero(cells.encoded.counts > 0).astype(np.int64)
    return np.asarray(others[people[others] == people[others].min()], dtype=np.int64)


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class LocalSuppression(Algorithm):
    """Empties single cells, those of unimportant columns first, until every class satisfies the goals.

    An emptied cell is published at the highest level allowed, `*` as a rule, and is a cell like any other: classes are
    those of the published table. Under goals about subsets of columns alone only what such subsets show is emptied.
    """

    name: ClassVar[str] = "local-suppression"
    title: ClassVar[str] = "Local suppression"
    summary: ClassVar[str] = (
        "Empties single cells of rows that stand out and publishes all others as they are; suits surveys with few "
        "coarse columns."
    )
    reference: ClassVar[str] = (
        "Templ, Kowarik, Meindl, Statistical disclosure control for micro-data using the R package sdcMicro, "
        "JSS 67(4), 2015; Hundepool et al., mu-Argus manual, 2015"
    )
    attacks: ClassVar[str] = (
        "Minimality: an emptied cell tells that the row stood out in that column, and a value that all others of its "
        "class have is ruled out. Downcoding (Cohen 2022) applies: cells are emptied one by one."
    )
    reach: ClassVar[SizeLimit | None] = SizeLimit()
    tried_by_auto: ClassVar[bool] = False
    aims_at: ClassVar[str] = "Emptied cells, by their importance"

    importance: tuple[tuple[str, float], ...] = param(
        PerColumn(Float(low=0)),
        default=(),
        label="Importance",
        help="How much cells of a column are worth, 1 where nothing is said: those worth least are emptied first.",
    )
    cells: float = param(
        Float(low=0, high=1),
        default=1.0,
        label="Most cells",
        help="The largest share of the cells of all quasi-identifiers that may be emptied; 0.05 is one in twenty.",
    )

    def judges(self, models: Sequence[PrivacyModel]) -> bool:
        """Goals about subsets of columns are kept cell by cell, where there are no others."""
        return all(model.needs_cells for model in models)

    def memory(self, size: ProblemSize) -> int:
        """Give the bytes a run takes at most beside the encoded table."""
        return size.tuples * (60 * size.columns + 100) + 64 * size.entries

    def run(self, encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, progress: Progress) -> Recoding:
        """Empty cells; raises Infeasible when the goals cannot be reached, or not with so few cells."""
        importance = self._importance(encoded)
        if goals.of_table:
            found = self._by_subsets(encoded, goals, limits, importance, progress)
        else:
            rows = replace(goals, models=tuple(model for model in goals.models if not model.needs_population))
            found = self._by_patterns(encoded, rows, limits, importance, progress)
            if found is None and limits.suppression:
                found = self._by_patterns(encoded, rows, replace(limits, suppression=0.0), importance, progress)
        if found is None:
            raise explain_infeasible(encoded, goals, limits)
        cells, groups = found
        if is_about_population(goals):
            taken = groups[encoded.tuple_of_row]
            return merge_for_population(encoded, goals, limits, taken, progress.sub(0.9, 1.0), groups)
        return replace(cells.recoding(groups), notes=(self._counted(cells, groups),))

    def _by_patterns(
        self, encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, importance: Floats, progress: Progress
    ) -> tuple[SuppressedCells, Ints] | None:
        cells, allowed = SuppressedCells(encoded), allowed_suppressions(encoded.n_rows, limits.suppression)
        groups = fit_patterns(cells, GoalEvaluator(encoded, goals, progress), importance, allowed, progress)
        # What fits nothing is emptied altogether; what the level bounds keep apart even so is never one class.
        cells.empty[groups < 0] = True
        rest = np.where(groups < 0, groups.max(initial=-1) + 1 + most_general_groups(encoded), groups)
        kept = suppress_tuples(encoded, goals, limits, rest)
        return None if kept is None else (cells, kept)

    def _by_subsets(
        self, encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, importance: Floats, progress: Progress
    ) -> tuple[SuppressedCells, Ints] | None:
        cells = SuppressedCells(encoded)
        asked = [(model.enough_rows(), model.known_columns()) for model in goals.models]
        if not suppress_for_subsets(cells, asked, importance, progress):
            return None
        now = cells.now
        return cells, group_rows(list(now.T), len(now)).ids.astype(np.int64)

    def _importance(self, encoded: EncodedTable) -> Floats:
        told = dict(self.importance)
        known = [qi.name for qi in encoded.qis]
        for name in told:
            if name not in known:
                raise BadParameter(
                    message("“{name}” is no quasi-identifier.", name=name), message("There are: {known}.", known=known)
                )
        return np.array([told.get(name, 1.0) for name in known])

    def _counted(self, cells: SuppressedCells, groups: Ints) -> str:
        """Tell how many cells were emptied, and in which columns; raises Infeasible when they are too many."""
        emptied = cells.emptied_rows(groups >= 0)
        every = cells.encoded.n_rows * len(emptied)
        share = int(emptied.sum()) / max(every, 1)
        if share > self.cells + 1e-12:
            raise Infeasible(
                message(
                    "Local suppression would empty {cells:,} of {every:cell|cells} ({share:.2%}); "
                    "allowed are {most:.2%}.",
                    cells=int(emptied.sum()),
                    every=every,
                    share=share,
                    most=self.cells,
                ),
                "Allow more cells, generalise first by level bounds, or ask for less.",
            )
        named = zip(cells.encoded.qis, emptied.tolist(), strict=True)
        return message(
            "{cells:,} of {every:cell|cells} ({share:.2%}) were emptied: {columns}.",
            cells=int(emptied.sum()),
            every=every,
            share=share,
            columns=[message("{name} {number:,}", name=qi.name, number=number) for qi, number in named],
        )
