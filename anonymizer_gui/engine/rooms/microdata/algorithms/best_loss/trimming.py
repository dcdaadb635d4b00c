"""Boxes trimmed: rows whose sensitive values are too frequent in their box are left out, as few as may be."""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import Floats, Ints
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.goals import Judge
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.space import Rows
from anonymizer_gui.engine.rooms.microdata.privacy.contract import Groups
from anonymizer_gui.engine.rooms.microdata.size import Size

_TRIMS = (2.0, 1.7, 1.5, 1.35, 1.2, 1.1, 1.0)
_LEAST_KEPT = 0.6
_CELLS_AT_ONCE = 1 << 18
Bools = npt.NDArray[np.bool_]
Counts = dict[str, Ints]
"""For every sensitive column a matrix: how many rows of each value (column) a box (row) has, or may keep."""


class Trimming:
    """Asks the goals about boxes, whole and trimmed, where every unit has one value in every sensitive column."""

    def __init__(self, encoded: Encoded, judge: Judge, progress: Progress) -> None:
        self._encoded, self._judge, self._progress = encoded, judge, progress
        self._values = {name: h.values for name, h in encoded.sensitive.items()}
        self._shares = {name: _shares(h) for name, h in encoded.sensitive.items()}

    def judged(self, units: Ints, box: Ints, sizes: Rows) -> tuple[Bools, Bools]:
        """Say which boxes satisfy the goals as they are, and which units of the others stay so that these do, too.

        Where people are counted the latter must be asked again, for what is trimmed is counted by rows.
        """
        people = self._judge.persons is not None
        fine, within = np.zeros(len(sizes), dtype=np.bool_), np.zeros(len(units), dtype=np.bool_)
        if people:
            fine = self._judge.parts_fine(units.astype(np.int32), box, sizes)
        for piece, here in self._pieces(box, len(sizes)):
            mine, number, whole = units[here], box[here] - piece.start, np.arange(piece.stop - piece.start)
            counts = self._counts(mine, number, len(whole))
            tries = self._trimmed(counts, sizes[piece], np.flatnonzero(~fine[piece]))
            boxes, kept = _joined(tries if people else [(whole, counts), *tries])
            good = self._judge.goals.satisfied(_groups(kept))
            if not people:
                fine[piece] = good[: len(whole)]
            good &= ~fine[piece][boxes]
            if good.any():
                which, first = np.unique(boxes[good], return_index=True)
                caps = {name: matrix[good][first] for name, matrix in kept.items()}
                within[here] = self._up_to(which, caps, mine, number)
        return fine, within

    def _pieces(self, box: Ints, n_boxes: int) -> Iterator[tuple[slice, Ints | slice]]:
        """Part the boxes, with the places of their units, so that the matrices of their values stay small."""
        values = max(len(shares) for shares in self._shares.values())
        at_once = max(1, _CELLS_AT_ONCE // (values * (1 + len(_TRIMS))))
        for first in range(0, n_boxes, at_once):
            self._progress.check()
            piece = slice(first, min(first + at_once, n_boxes))
            whole = at_once >= n_boxes
            yield piece, slice(None) if whole else np.flatnonzero((box >= piece.start) & (box < piece.stop))

    def _counts(self, units: Ints, box: Ints, n_boxes: int) -> Counts:
        rows = self._encoded.counts[units]
        return {
            name: np.bincount(box * len(self._shares[name]) + values[units], rows, n_boxes * len(self._shares[name]))
            .astype(np.int64)
            .reshape(n_boxes, -1)
            for name, values in self._values.items()
        }

    def _trimmed(self, counts: Counts, sizes: Rows, boxes: Ints) -> list[tuple[Ints, Counts]]:
        """Trim some of the boxes more and more while enough remains; give each time which, and what they keep."""
        tries = []
        for trims in (_TRIMS[:1], _TRIMS[1:]):
            least = np.maximum(self._judge.least_rows, _LEAST_KEPT * sizes[boxes])
            kept = {name: self._cut_down(name, matrix[boxes], sizes[boxes], trims) for name, matrix in counts.items()}
            large = np.min([matrix.sum(axis=2) for matrix in kept.values()], axis=0) >= least
            tries.append((boxes[np.nonzero(large)[1]], {name: matrix[large] for name, matrix in kept.items()}))
            boxes = boxes[large[0]]
        return tries

    def _cut_down(self, name: str, counts: Ints, sizes: Rows, trims: Sequence[float]) -> Ints:
        """Give what boxes keep when no value may be more frequent than so many times its share; a matrix per trim."""
        limits = np.floor(np.multiply.outer(trims, self._shares[name])[:, None] * sizes[:, None])
        return np.minimum(counts, limits.astype(np.int64))

    def _up_to(self, boxes: Ints, caps: Counts, units: Ints, box: Ints) -> Bools:
        """Say which units stay when the first ones of every value do, until its cap in one of the boxes is reached."""
        number = np.full(int(box.max()) + 1, -1)
        number[boxes] = np.arange(len(boxes))
        inside = np.flatnonzero(number[box] >= 0)
        stays = np.ones(len(inside), dtype=np.bool_)
        for name, values in self._values.items():
            value_of_box = number[box[inside]] * len(self._shares[name]) + values[units[inside]]
            order = np.argsort(value_of_box, kind="stable")
            run = np.flatnonzero(np.diff(value_of_box[order], prepend=-1))
            rows = np.cumsum(self._encoded.counts[units[inside[order]]])
            before = np.concatenate([[0], rows[:-1]])[run]
            rows -= np.repeat(before, np.diff(np.append(run, len(inside))))
            stays[order] &= rows <= caps[name].reshape(-1)[value_of_box[order]]
        within = np.zeros(len(units), dtype=np.bool_)
        within[inside] = stays
        return within


def trimming_memory(size: Size) -> int:
    """Give the bytes that matrices of the sensitive values of boxes take at most."""
    cells = min(max(_CELLS_AT_ONCE, size.values), size.values * (size.rows // size.least_rows + 1))
    return 0 if size.by_size_alone else 64 * size.sensitive * cells


def _joined(tries: list[tuple[Ints, Counts]]) -> tuple[Ints, Counts]:
    names = tries[0][1]
    kept = {name: np.concatenate([matrices[name] for _, matrices in tries]) for name in names}
    return np.concatenate([boxes for boxes, _ in tries]), kept


def _groups(counts: Counts) -> Groups:
    sizes = next(iter(counts.values())).sum(axis=1)
    return Groups(sizes, {name: _sparse(matrix) for name, matrix in counts.items()})


def _sparse(dense: Ints) -> Histogram:
    entries = np.flatnonzero(dense)
    groups, values = np.divmod(entries, dense.shape[1])
    return Histogram(dense.shape[0], dense.shape[1], groups, values, dense.reshape(-1)[entries])


def _shares(histogram: Histogram) -> Floats:
    counts = np.bincount(histogram.values, histogram.counts, histogram.n_values)
    return np.asarray(counts / max(counts.sum(), 1))
