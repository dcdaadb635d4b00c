"""The table as Mondrian cuts it; the cuts of many partitions at once."""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable, QuasiIdentifier
from anonymizer_gui.engine.rooms.microdata.algorithms.goal_evaluation import (
    GoalEvaluator,
    Ints,
    Rows,
    SortedTuples,
    evaluation_memory,
)
from anonymizer_gui.engine.rooms.microdata.recoding import ProblemSize

Floats = npt.NDArray[np.float64]

Leaves = npt.NDArray[np.int32]

Places = npt.NDArray[np.int32]

Narrow = npt.NDArray[np.unsignedinteger[Any]]

_WORD = 8

_AT_ONCE = 1 << 20

_Kind = TypeVar("_Kind", bound=np.generic)


def repeat_in_chunks(values: npt.NDArray[_Kind], lengths: npt.NDArray[np.integer[Any]]) -> npt.NDArray[_Kind]:
    """Repeat each value as often as told, in pieces: numpy keeps all other threads waiting while it repeats."""
    total = int(lengths.sum())
    if total <= _AT_ONCE:
        return np.repeat(values, lengths)
    ends = np.append(0, np.cumsum(lengths))
    made = np.empty(total, dtype=values.dtype)
    cuts = np.searchsorted(ends, np.arange(0, total, _AT_ONCE))
    for begin, end in pairwise([*np.unique(cuts).tolist(), len(lengths)]):
        made[ends[begin] : ends[end]] = np.repeat(values[begin:end], lengths[begin:end])
    return made


@dataclass(frozen=True, slots=True, eq=False)
class CodeMatrix:
    """All tuples in a matrix of the narrowest type: entry (t, j) is the first leaf of tuple t's finest cell.

    (Where climbing from uneven depth makes finest cells overlap, it is the leaf itself.)
    Rows are padded to whole machine words, so that moving a tuple moves all its columns at once.
    `last[j][code]` is the last leaf of that finest cell. `branching` joins, for all columns, the depth of the
    common ancestor of every leaf and the next one; column j begins at `offsets[j]`.
    """

    encoded: EncodedTable
    codes: Narrow
    last: tuple[Leaves, ...]
    branching: Leaves
    offsets: Ints
    spans: Floats

    @classmethod
    def of(cls, encoded: EncodedTable, progress: Progress = SILENT) -> "CodeMatrix":
        """Lay out the tuples of a table."""
        widths = [qi.hierarchy.n_leaves for qi in encoded.qis]
        codes = _padded(len(encoded.tuples), len(widths), max(widths, default=1))
        codes[:, : len(widths)] = encoded.tuples
        last, branching = [], []
        for j, qi in enumerate(encoded.qis):
            progress.check()
            branching.append(_branching(qi))
            node = qi.levels()[0]
            last.append(qi.hierarchy.end_leaf[node] - 1)
            if qi.lowest and qi.uneven == "cap":
                codes[:, j] = qi.hierarchy.first_leaf[node][encoded.tuples[:, j]]
        offsets = (np.cumsum([0, *widths])[:-1]).astype(np.int64)
        spans = np.array([max(width - 1, 1) for width in widths], dtype=np.float64)
        return cls(encoded, codes, tuple(last), np.concatenate(branching), offsets, spans)

    @property
    def n_columns(self) -> int:
        """The number of QIs."""
        return len(self.last)


def code_bounds(codes: Narrow, starts: Ints, n_columns: int) -> tuple[Leaves, Leaves]:
    """Give the lowest and highest code of each run of tuples and column."""
    low = np.stack([np.minimum.reduceat(codes[:, j], starts) for j in range(n_columns)], axis=1)
    high = np.stack([np.maximum.reduceat(codes[:, j], starts) for j in range(n_columns)], axis=1)
    return low.astype(np.int32), high.astype(np.int32)


def take_rows(codes: Narrow, places: Ints | Places) -> Narrow:
    """Give the rows at some places, moving whole words."""
    words = codes.view(np.uint64)
    taken = words[:, 0][places][:, None] if words.shape[1] == 1 else words[places]
    return taken.view(codes.dtype)


def _padded(n_rows: int, n_columns: int, largest: int) -> Narrow:
    dtype = np.dtype(np.uint8 if largest <= 1 << 8 else np.uint16 if largest <= 1 << 16 else np.uint32)
    per_word = _WORD // dtype.itemsize
    return np.zeros((n_rows, -(-n_columns // per_word) * per_word), dtype=dtype)


def _branching(qi: QuasiIdentifier) -> Leaves:
    """Give the depth of the common ancestor of each leaf and the next; the last leaf has none."""
    leaf = np.arange(qi.hierarchy.n_leaves - 1)
    joined = qi.hierarchy.depths[qi.hierarchy.common_ancestors(leaf, leaf + 1)]
    return np.append(joined, np.iinfo(np.int32).max).astype(np.int32)


@dataclass(slots=True, eq=False)
class OpenPartitions:
    """The unfinished partitions of one depth: tuples of a partition are neighbours, `starts` has one entry more.

    `low` and `high` are the region of each partition and column, as the cuts so far have left it.
    """

    units: npt.NDArray[np.int32]
    codes: Narrow
    counts: Floats
    starts: Ints
    sizes: Floats
    ids: Ints
    low: Leaves
    high: Leaves

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def lengths(self) -> Ints:
        """The number of tuples of every partition."""
        return np.diff(self.starts)

    def members(self, parts: Ints) -> tuple[Places, Ints]:
        """Give the places of the tuples of some partitions, one after the other, and how many each has."""
        lengths = self.lengths[parts]
        if len(parts) == len(self):
            return np.arange(len(self.units), dtype=np.int32), lengths
        before = np.cumsum(lengths) - lengths
        places = repeat_in_chunks((self.starts[parts] - before).astype(np.int32), lengths)
        places += np.arange(len(places), dtype=np.int32)
        return places, lengths

    def keep(self, which: npt.NDArray[np.bool_]) -> "OpenPartitions":
        """Keep some partitions."""
        lengths = self.lengths
        places = np.flatnonzero(repeat_in_chunks(which, lengths))
        return OpenPartitions(
            self.units[places],
            take_rows(self.codes, places),
            self.counts[places],
            np.concatenate([[0], np.cumsum(lengths[which])]),
            self.sizes[which],
            self.ids[which],
            self.low[which],
            self.high[which],
        )

    def codes_at(self, places: Places, columns: Ints, lengths: Ints) -> Narrow:
        """Give the codes of the tuples of some partitions, each in its partition's column."""
        at = np.multiply(places, self.codes.shape[1], dtype=np.int64)
        at += repeat_in_chunks(columns, lengths)
        return np.asarray(self.codes.reshape(-1)[at])


@dataclass(frozen=True, slots=True, eq=False)
class AcceptedCuts:
    """Cuts that hold: per partition the column and the number of children, per child its region in that column.

    `places` are the tuples of these partitions, `child` the number of the child each goes to, within its partition.
    """

    parts: Ints
    columns: Ints
    n_children: Ints
    low: Leaves
    high: Leaves
    places: Places
    child: npt.NDArray[np.int32]

    @classmethod
    def joined(cls, several: "list[AcceptedCuts]") -> "AcceptedCuts":
        """Put cuts of different partitions together; the list is emptied, for they are large."""
        if len(several) == 1:
            return several.pop()
        names = ("parts", "columns", "n_children", "low", "high", "places", "child")
        whole = cls(*(np.concatenate([getattr(item, name) for item in several]) for name in names))
        several.clear()
        return whole

    def by_child(self, lengths: Ints) -> tuple[Places, Ints]:
        """Give the order of the places by child, and the number of tuples of each child.

        `lengths` has the number of tuples of every partition.
        """
        if (self.n_children != 2).any():
            first_child = np.cumsum(self.n_children) - self.n_children
            key = repeat_in_chunks(first_child, lengths[self.parts]) + self.child
            return np.argsort(key, kind="stable").astype(np.int32), np.bincount(
                key, minlength=int(self.n_children.sum())
            )
        # Two children each: the left ones come before the right ones, no sorting is needed.
        both = lengths[self.parts]
        right = np.add.reduceat(self.child, np.cumsum(both) - both, dtype=np.int32)
        of_child = np.stack([both - right, right], axis=1).reshape(-1)
        starts = np.cumsum(of_child) - of_child
        order = np.empty(len(self.child), dtype=np.int32)
        for side in (0, 1):
            members = np.flatnonzero(self.child == side)
            mine = of_child[side::2]
            order[np.arange(len(members)) + repeat_in_chunks(starts[side::2] - np.cumsum(mine) + mine, mine)] = members
        return order, of_child


_PLACES_PER_TUPLE = 8

_TRIES = 8


@dataclass(frozen=True, slots=True, eq=False)
class CutRequest:
    """Some partitions and the column each is to be cut on; the codes of the column lie between `low` and `high`."""

    parts: Ints
    columns: Ints
    low: Leaves
    high: Leaves

    def keep(self, which: npt.NDArray[np.bool_]) -> "CutRequest":
        """Keep some of the partitions."""
        return CutRequest(self.parts[which], self.columns[which], self.low[which], self.high[which])

    def pieces(self, tuples: int) -> "list[CutRequest]":
        """Part the request where its codes are too many for so many tuples."""
        widths = (self.high - self.low + 1).astype(np.int64)
        number = (np.cumsum(widths) - widths) // max(_PLACES_PER_TUPLE * tuples, 1)
        return [self.keep(number == piece) for piece in np.unique(number).tolist()]


@dataclass(slots=True, eq=False)
class CodeHistogram:
    """The tuples of the partitions of a request, each at the place of its code in its partition's own row."""

    places: Places
    lengths: Ints
    widths: Ints
    first: Ints
    at: Ints
    rows: Rows
    code: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))


def median_cuts(
    space: CodeMatrix, depth: OpenPartitions, ask: CutRequest, judge: GoalEvaluator, relaxed: bool
) -> AcceptedCuts:
    """Cut each partition in two at the feasible place nearest to its median; those without one are left out.

    Strict: tuples of one code stay together. Relaxed: a cut may pass between tuples of the same code.
    """
    row = _spread(depth, ask) if relaxed else _by_code(depth, ask, sparse=True)
    before = np.cumsum(depth.sizes[ask.parts]) - depth.sizes[ask.parts]
    left = np.cumsum(row.rows, dtype=np.float64)
    left -= repeat_in_chunks(before, row.widths)
    total = repeat_in_chunks(depth.sizes[ask.parts], row.widths)
    least = judge.least_rows
    cuts = np.flatnonzero((row.rows > 0) & (left >= least) & (total - left >= least))
    if not judge.by_size_alone:
        first = np.append(row.first, len(row.rows))
        cuts = cuts[judge.cuts_fine(SortedTuples(depth.units[row.places], row.at, first), cuts)]
    owner = np.searchsorted(row.first, cuts, side="right") - 1
    distance = np.abs(2 * left[cuts] - total[cuts])
    if judge.may_be_mistaken:
        best = _confirmed(depth, row, judge, (owner, cuts), distance)
    else:
        best = _nearest(owner, distance)
    return _halves(space, depth, ask, row, (owner[best], cuts[best]))


def _confirmed(
    depth: OpenPartitions, row: CodeHistogram, judge: GoalEvaluator, cut: tuple[Ints, Ints], distance: Floats
) -> Ints:
    """Pick for every owner the nearest of a few candidates whose sides satisfy the goals when looked at one by one."""
    owner, place = cut
    of_tuple = repeat_in_chunks(np.arange(len(row.lengths)), row.lengths)
    waiting, found = np.arange(len(owner)), [np.empty(0, dtype=np.int64)]
    for _ in range(_TRIES):
        if not len(waiting):
            break
        judge.progress.check()
        best = waiting[_nearest(owner[waiting], distance[waiting])]
        last, number = np.full((2, len(row.lengths)), -1, dtype=np.int64)
        last[owner[best]], number[owner[best]] = place[best], np.arange(len(best))
        mine = np.flatnonzero(number[of_tuple] >= 0)
        side = 2 * number[of_tuple[mine]] + (row.at[mine] > last[of_tuple[mine]])
        sizes = np.bincount(side, depth.counts[row.places[mine]], 2 * len(best))
        fine = judge.parts_fine(depth.units[row.places[mine]], side, sizes).reshape(-1, 2).all(axis=1)
        found.append(best[fine])
        settled = np.isin(owner[waiting], owner[best[fine]]) | np.isin(waiting, best)
        waiting = waiting[~settled]
    return np.sort(np.concatenate(found))


def hierarchy_cuts(space: CodeMatrix, depth: OpenPartitions, ask: CutRequest, judge: GoalEvaluator) -> AcceptedCuts:
    """Part each partition in the children of its common node; left out when one of them violates the goals."""
    row = _by_code(depth, ask)
    node_depth, run_of_place = _runs(space, ask, row)
    raw = run_of_place[row.at]
    present = np.bincount(raw, minlength=int(run_of_place[-1]) + 1) > 0
    child = (np.cumsum(present) - 1)[raw]
    sizes = np.bincount(child, depth.counts[row.places])
    owner = np.zeros(len(sizes), dtype=np.int64)
    owner[child] = repeat_in_chunks(np.arange(len(ask.parts)), row.lengths)
    code = np.zeros(len(sizes), dtype=np.int64)
    code[child] = depth.codes_at(row.places, ask.columns, row.lengths)
    held = np.ones(len(ask.parts), dtype=np.bool_)
    held[owner[~judge.parts_fine(depth.units[row.places], child, sizes)]] = False
    low, high = _child_regions(space, ask.columns[owner], node_depth[owner] + 1, code)
    first_child = np.searchsorted(owner, np.arange(len(ask.parts)))
    mine = repeat_in_chunks(held, row.lengths)
    return AcceptedCuts(
        ask.parts[held],
        ask.columns[held],
        np.bincount(owner, minlength=len(ask.parts))[held],
        low[held[owner]],
        high[held[owner]],
        row.places[mine],
        (child - repeat_in_chunks(first_child, row.lengths))[mine].astype(np.int32),
    )


def cutting_memory(size: ProblemSize) -> int:
    """Give the bytes that cutting a table in order takes at most."""
    widest, parts = max(size.leaves, default=1), size.rows // (2 * size.least_rows) + 1
    places = min(_PLACES_PER_TUPLE * size.tuples, parts * widest)
    return (60 + 6 * size.columns) * size.tuples + 40 * places + evaluation_memory(size)


def _runs(space: CodeMatrix, ask: CutRequest, row: CodeHistogram) -> tuple[Leaves, Ints]:
    """Give the depth of each partition's common node, and the number of the child's run for every place."""
    leaf = np.arange(len(row.rows)) + repeat_in_chunks(space.offsets[ask.columns] + ask.low - row.first, row.widths)
    branching = space.branching[leaf]
    branching[row.first + row.widths - 1] = np.iinfo(np.int32).max
    depth = np.minimum.reduceat(branching, row.first)
    after = branching == repeat_in_chunks(depth, row.widths)
    return depth, np.cumsum(after) - after + repeat_in_chunks(np.arange(len(ask.parts)), row.widths)


def _child_regions(space: CodeMatrix, columns: Ints, depths: Leaves, code: Ints) -> tuple[Leaves, Leaves]:
    low, high = np.empty(len(code), dtype=np.int32), np.empty(len(code), dtype=np.int32)
    for j in np.unique(columns).tolist():
        here = columns == j
        tree = space.encoded.qis[j].hierarchy
        node = tree.ancestors[depths[here], code[here]]
        low[here], high[here] = tree.first_leaf[node], tree.end_leaf[node] - 1
    return low, high


def _by_code(depth: OpenPartitions, ask: CutRequest, sparse: bool = False) -> CodeHistogram:
    """Give each code a place; sparse: only the codes that occur, where most do not."""
    places, lengths = depth.members(ask.parts)
    widths = (ask.high - ask.low + 1).astype(np.int64)
    first = np.cumsum(widths) - widths
    at = repeat_in_chunks(first - ask.low, lengths)
    at += depth.codes_at(places, ask.columns, lengths)
    if not sparse or widths.sum() <= _PLACES_PER_TUPLE * len(places):
        rows = np.bincount(at, depth.counts[places], int(widths.sum()))
        return CodeHistogram(places, lengths, widths, first, at, rows)
    there, at = np.unique(at, return_inverse=True)
    starts = np.searchsorted(there, first)
    owned = np.diff(np.append(starts, len(there)))
    code = there - repeat_in_chunks(first - ask.low, owned)
    return CodeHistogram(places, lengths, owned, starts, at, np.bincount(at, depth.counts[places]), code)


def _spread(depth: OpenPartitions, ask: CutRequest) -> CodeHistogram:
    """Give each tuple a place of its own, in the order of the codes."""
    places, lengths = depth.members(ask.parts)
    code = depth.codes_at(places, ask.columns, lengths).astype(np.int64)
    order = np.lexsort((code, repeat_in_chunks(np.arange(len(ask.parts)), lengths)))
    at = np.empty(len(order), dtype=np.int64)
    at[order] = np.arange(len(order))
    first = np.cumsum(lengths) - lengths
    return CodeHistogram(places, lengths, lengths, first, at, depth.counts[places[order]], code[order])


def _nearest(owner: Ints, distance: Floats) -> Ints:
    """Pick for every owner (rising) the candidate of least distance, the first of equal ones."""
    if not len(owner):
        return owner
    start = np.flatnonzero(np.concatenate([[True], owner[1:] != owner[:-1]]))
    least = repeat_in_chunks(np.minimum.reduceat(distance, start), np.diff(np.append(start, len(owner))))
    equal = np.flatnonzero(distance == least)
    return np.asarray(equal[np.concatenate([[True], owner[equal[1:]] != owner[equal[:-1]]])])


def _halves(
    space: CodeMatrix, depth: OpenPartitions, ask: CutRequest, row: CodeHistogram, cut: tuple[Ints, Ints]
) -> AcceptedCuts:
    owner, place = cut
    occupied = np.flatnonzero(row.rows > 0)
    following = occupied[np.searchsorted(occupied, place, side="right")]
    if len(row.code):
        low, high = row.code[place], row.code[following]
    else:
        low, high = (spot - row.first[owner] + ask.low[owner] for spot in (place, following))
    columns = ask.columns[owner]
    parts = ask.parts[owner]
    left_end, right_start = _between(space, columns, low, high)
    region_low = np.stack([depth.low[parts, columns], right_start], axis=1).reshape(-1)
    region_high = np.stack([left_end, depth.high[parts, columns]], axis=1).reshape(-1)
    last = np.full(len(ask.parts), -1, dtype=np.int64)
    last[owner] = place
    last = repeat_in_chunks(last, row.lengths)
    mine = last >= 0
    every = bool(mine.all())
    child = (row.at > last) if every else (row.at > last)[mine]
    return AcceptedCuts(
        parts,
        columns,
        np.full(len(parts), 2, dtype=np.int64),
        region_low.astype(np.int32),
        region_high.astype(np.int32),
        row.places if every else row.places[mine],
        child.astype(np.int32),
    )


def _between(space: CodeMatrix, columns: Ints, low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """Put the cut point midway between two neighbouring values, so that it is neither person's own."""
    end, start = high - 1, high.copy()
    for j in np.unique(columns).tolist():
        here = columns == j
        last = space.last[j]
        middle = last[(last[low[here]] + np.maximum(high[here] - 1, low[here])) // 2]
        end[here] = np.where(high[here] > low[here], np.minimum(middle, high[here] - 1), last[low[here]])
        start[here] = np.where(high[here] > low[here], end[here] + 1, low[here])
    return end, start
