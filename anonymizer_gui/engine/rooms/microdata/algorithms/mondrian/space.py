"""The table as Mondrian cuts it: narrow codes side by side, partitions as neighbouring runs of tuples."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded, QuasiIdentifier

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.float64] | npt.NDArray[np.signedinteger[Any]]
Leaves = npt.NDArray[np.int32]
Places = npt.NDArray[np.int32]
Narrow = npt.NDArray[np.unsignedinteger[Any]]
_WORD = 8
_AT_ONCE = 1 << 20
_Kind = TypeVar("_Kind", bound=np.generic)


def repeated(values: npt.NDArray[_Kind], lengths: npt.NDArray[np.integer[Any]]) -> npt.NDArray[_Kind]:
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
class Space:
    """All tuples in a matrix of the narrowest type: entry (t, j) is the first leaf of tuple t's finest cell.

    (Where climbing from uneven depth makes finest cells overlap, it is the leaf itself.)
    Rows are padded to whole machine words, so that moving a tuple moves all its columns at once.
    `last[j][code]` is the last leaf of that finest cell. `branching` joins, for all columns, the depth of the
    common ancestor of every leaf and the next one; column j begins at `offsets[j]`.
    """

    encoded: Encoded
    codes: Narrow
    last: tuple[Leaves, ...]
    branching: Leaves
    offsets: Ints
    spans: Floats

    @classmethod
    def of(cls, encoded: Encoded, progress: Progress = SILENT) -> "Space":
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


def bounds(codes: Narrow, starts: Ints, n_columns: int) -> tuple[Leaves, Leaves]:
    """Give the lowest and highest code of each run of tuples and column."""
    low = np.stack([np.minimum.reduceat(codes[:, j], starts) for j in range(n_columns)], axis=1)
    high = np.stack([np.maximum.reduceat(codes[:, j], starts) for j in range(n_columns)], axis=1)
    return low.astype(np.int32), high.astype(np.int32)


def moved(codes: Narrow, places: Ints | Places) -> Narrow:
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
class Depth:
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
        places = repeated((self.starts[parts] - before).astype(np.int32), lengths)
        places += np.arange(len(places), dtype=np.int32)
        return places, lengths

    def keep(self, which: npt.NDArray[np.bool_]) -> "Depth":
        """Keep some partitions."""
        lengths = self.lengths
        places = np.flatnonzero(repeated(which, lengths))
        return Depth(
            self.units[places],
            moved(self.codes, places),
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
        at += repeated(columns, lengths)
        return np.asarray(self.codes.reshape(-1)[at])


@dataclass(frozen=True, slots=True, eq=False)
class Found:
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
    def joined(cls, several: "list[Found]") -> "Found":
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
            key = repeated(first_child, lengths[self.parts]) + self.child
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
            order[np.arange(len(members)) + repeated(starts[side::2] - np.cumsum(mine) + mine, mine)] = members
        return order, of_child
