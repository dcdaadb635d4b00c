"""The cuts Mondrian may make: for many partitions at once, on one column each."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.goals import Judge, Row, judging_memory
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.space import (
    Depth,
    Floats,
    Found,
    Ints,
    Leaves,
    Places,
    Rows,
    Space,
    repeated,
)
from anonymizer_gui.engine.rooms.microdata.size import Size

_PLACES_PER_TUPLE = 8
_TRIES = 8


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """Some partitions and the column each is to be cut on; the codes of the column lie between `low` and `high`."""

    parts: Ints
    columns: Ints
    low: Leaves
    high: Leaves

    def keep(self, which: npt.NDArray[np.bool_]) -> "Request":
        """Keep some of the partitions."""
        return Request(self.parts[which], self.columns[which], self.low[which], self.high[which])

    def pieces(self, tuples: int) -> "list[Request]":
        """Part the request where its codes are too many for so many tuples."""
        widths = (self.high - self.low + 1).astype(np.int64)
        number = (np.cumsum(widths) - widths) // max(_PLACES_PER_TUPLE * tuples, 1)
        return [self.keep(number == piece) for piece in np.unique(number).tolist()]


@dataclass(slots=True, eq=False)
class Spread:
    """The tuples of the partitions of a request, each at the place of its code in its partition's own row."""

    places: Places
    lengths: Ints
    widths: Ints
    first: Ints
    at: Ints
    rows: Rows
    code: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))


def cut_in_order(space: Space, depth: Depth, ask: Request, judge: Judge, relaxed: bool) -> Found:
    """Cut each partition in two at the feasible place nearest to its median; those without one are left out.

    Strict: tuples of one code stay together. Relaxed: a cut may pass between tuples of the same code.
    """
    row = _spread(depth, ask) if relaxed else _by_code(depth, ask, sparse=True)
    before = np.cumsum(depth.sizes[ask.parts]) - depth.sizes[ask.parts]
    left = np.cumsum(row.rows, dtype=np.float64)
    left -= repeated(before, row.widths)
    total = repeated(depth.sizes[ask.parts], row.widths)
    least = judge.least_rows
    cuts = np.flatnonzero((row.rows > 0) & (left >= least) & (total - left >= least))
    if not judge.by_size_alone:
        first = np.append(row.first, len(row.rows))
        cuts = cuts[judge.cuts_fine(Row(depth.units[row.places], row.at, first), cuts)]
    owner = np.searchsorted(row.first, cuts, side="right") - 1
    distance = np.abs(2 * left[cuts] - total[cuts])
    if judge.may_be_mistaken:
        best = _confirmed(depth, row, judge, (owner, cuts), distance)
    else:
        best = _nearest(owner, distance)
    return _halves(space, depth, ask, row, (owner[best], cuts[best]))


def _confirmed(depth: Depth, row: Spread, judge: Judge, cut: tuple[Ints, Ints], distance: Floats) -> Ints:
    """Pick for every owner the nearest of a few candidates whose sides satisfy the goals when looked at one by one."""
    owner, place = cut
    of_tuple = repeated(np.arange(len(row.lengths)), row.lengths)
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


def cut_by_hierarchy(space: Space, depth: Depth, ask: Request, judge: Judge) -> Found:
    """Part each partition in the children of its common node; left out when one of them violates the goals."""
    row = _by_code(depth, ask)
    node_depth, run_of_place = _runs(space, ask, row)
    raw = run_of_place[row.at]
    present = np.bincount(raw, minlength=int(run_of_place[-1]) + 1) > 0
    child = (np.cumsum(present) - 1)[raw]
    sizes = np.bincount(child, depth.counts[row.places])
    owner = np.zeros(len(sizes), dtype=np.int64)
    owner[child] = repeated(np.arange(len(ask.parts)), row.lengths)
    code = np.zeros(len(sizes), dtype=np.int64)
    code[child] = depth.codes_at(row.places, ask.columns, row.lengths)
    held = np.ones(len(ask.parts), dtype=np.bool_)
    held[owner[~judge.parts_fine(depth.units[row.places], child, sizes)]] = False
    low, high = _child_regions(space, ask.columns[owner], node_depth[owner] + 1, code)
    first_child = np.searchsorted(owner, np.arange(len(ask.parts)))
    mine = repeated(held, row.lengths)
    return Found(
        ask.parts[held],
        ask.columns[held],
        np.bincount(owner, minlength=len(ask.parts))[held],
        low[held[owner]],
        high[held[owner]],
        row.places[mine],
        (child - repeated(first_child, row.lengths))[mine].astype(np.int32),
    )


def cutting_memory(size: Size) -> int:
    """Give the bytes that cutting a table in order takes at most."""
    widest, parts = max(size.leaves, default=1), size.rows // (2 * size.least_rows) + 1
    places = min(_PLACES_PER_TUPLE * size.tuples, parts * widest)
    return (60 + 6 * size.columns) * size.tuples + 40 * places + judging_memory(size)


def _runs(space: Space, ask: Request, row: Spread) -> tuple[Leaves, Ints]:
    """Give the depth of each partition's common node, and the number of the child's run for every place."""
    leaf = np.arange(len(row.rows)) + repeated(space.offsets[ask.columns] + ask.low - row.first, row.widths)
    branching = space.branching[leaf]
    branching[row.first + row.widths - 1] = np.iinfo(np.int32).max
    depth = np.minimum.reduceat(branching, row.first)
    after = branching == repeated(depth, row.widths)
    return depth, np.cumsum(after) - after + repeated(np.arange(len(ask.parts)), row.widths)


def _child_regions(space: Space, columns: Ints, depths: Leaves, code: Ints) -> tuple[Leaves, Leaves]:
    low, high = np.empty(len(code), dtype=np.int32), np.empty(len(code), dtype=np.int32)
    for j in np.unique(columns).tolist():
        here = columns == j
        tree = space.encoded.qis[j].hierarchy
        node = tree.ancestors[depths[here], code[here]]
        low[here], high[here] = tree.first_leaf[node], tree.end_leaf[node] - 1
    return low, high


def _by_code(depth: Depth, ask: Request, sparse: bool = False) -> Spread:
    """Give each code a place; sparse: only the codes that occur, where most do not."""
    places, lengths = depth.members(ask.parts)
    widths = (ask.high - ask.low + 1).astype(np.int64)
    first = np.cumsum(widths) - widths
    at = repeated(first - ask.low, lengths)
    at += depth.codes_at(places, ask.columns, lengths)
    if not sparse or widths.sum() <= _PLACES_PER_TUPLE * len(places):
        rows = np.bincount(at, depth.counts[places], int(widths.sum()))
        return Spread(places, lengths, widths, first, at, rows)
    there, at = np.unique(at, return_inverse=True)
    starts = np.searchsorted(there, first)
    owned = np.diff(np.append(starts, len(there)))
    code = there - repeated(first - ask.low, owned)
    return Spread(places, lengths, owned, starts, at, np.bincount(at, depth.counts[places]), code)


def _spread(depth: Depth, ask: Request) -> Spread:
    """Give each tuple a place of its own, in the order of the codes."""
    places, lengths = depth.members(ask.parts)
    code = depth.codes_at(places, ask.columns, lengths).astype(np.int64)
    order = np.lexsort((code, repeated(np.arange(len(ask.parts)), lengths)))
    at = np.empty(len(order), dtype=np.int64)
    at[order] = np.arange(len(order))
    first = np.cumsum(lengths) - lengths
    return Spread(places, lengths, lengths, first, at, depth.counts[places[order]], code[order])


def _nearest(owner: Ints, distance: Floats) -> Ints:
    """Pick for every owner (rising) the candidate of least distance, the first of equal ones."""
    if not len(owner):
        return owner
    start = np.flatnonzero(np.concatenate([[True], owner[1:] != owner[:-1]]))
    least = repeated(np.minimum.reduceat(distance, start), np.diff(np.append(start, len(owner))))
    equal = np.flatnonzero(distance == least)
    return np.asarray(equal[np.concatenate([[True], owner[equal[1:]] != owner[equal[:-1]]])])


def _halves(space: Space, depth: Depth, ask: Request, row: Spread, cut: tuple[Ints, Ints]) -> Found:
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
    last = repeated(last, row.lengths)
    mine = last >= 0
    every = bool(mine.all())
    child = (row.at > last) if every else (row.at > last)[mine]
    return Found(
        parts,
        columns,
        np.full(len(parts), 2, dtype=np.int64),
        region_low.astype(np.int32),
        region_high.astype(np.int32),
        row.places if every else row.places[mine],
        child.astype(np.int32),
    )


def _between(space: Space, columns: Ints, low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """Put the cut point midway between two neighbouring values, so that it is neither person's own."""
    end, start = high - 1, high.copy()
    for j in np.unique(columns).tolist():
        here = columns == j
        last = space.last[j]
        middle = last[(last[low[here]] + np.maximum(high[here] - 1, low[here])) // 2]
        end[here] = np.where(high[here] > low[here], np.minimum(middle, high[here] - 1), last[low[here]])
        start[here] = np.where(high[here] > low[here], end[here] + 1, low[here])
    return end, start
