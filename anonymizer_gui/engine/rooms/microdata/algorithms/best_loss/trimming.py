"""Boxes trimmed: rows whose sensitive values are too frequent in their box are left out, as few as may be."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import Floats, Ints
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.goals import Judge
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.space import Rows
from anonymizer_gui.engine.rooms.microdata.privacy.contract import Groups
from anonymizer_gui.engine.rooms.microdata.size import Size
from anonymizer_gui.engine.shapes.tables.classes import Histogram

_TRIMS = (2.0, 1.7, 1.5, 1.35, 1.2, 1.1, 1.0)
_LEAST_KEPT = 0.6
_CELLS_AT_ONCE = 1 << 18
Bools = npt.NDArray[np.bool_]
Counts = dict[str, Ints]
"""For every sensitive column a matrix: how many rows of each value (column) a box (row) has, or may keep."""


@dataclass(frozen=True, slots=True, eq=False)
class _Try:
    """Boxes, and what each would keep."""

    boxes: Ints
    kept: Counts


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
            mine, number = units[here], box[here] - piece.start
            counts = self._counts(mine, number, piece.stop - piece.start)
            whole = [] if people else [_Try(np.arange(piece.stop - piece.start), counts)]
            trimmed = list(self._trimmed(counts, sizes[piece], np.flatnonzero(~fine[piece])))
            good = self._satisfied([*whole, *trimmed])
            if not people:
                fine[piece] = good.pop(0)
            caps = _widest(counts, trimmed, good, fine[piece])
            if caps is not None:
                within[here] = self._up_to(caps, mine, number)
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

    def _trimmed(self, counts: Counts, sizes: Rows, boxes: Ints) -> Iterator[_Try]:
        """Trim some of the boxes more and more, while enough remains of them."""
        for trim in _TRIMS:
            limits = {name: np.floor(trim * share * sizes[boxes, None]) for name, share in self._shares.items()}
            kept = {n: np.minimum(counts[n][boxes], limit.astype(np.int64)) for n, limit in limits.items()}
            rows = np.min([matrix.sum(axis=1) for matrix in kept.values()], axis=0)
            large = (rows >= self._judge.least_rows) & (rows >= _LEAST_KEPT * sizes[boxes])
            boxes = boxes[large]
            if not len(boxes):
                return
            yield _Try(boxes, {name: matrix[large] for name, matrix in kept.items()})

    def _satisfied(self, tries: list[_Try]) -> list[Bools]:
        """Ask the goals about all tries at once."""
        if not tries:
            return []
        matrices = {name: np.concatenate([each.kept[name] for each in tries]) for name in self._shares}
        answer = self._judge.goals.satisfied(_groups(matrices))
        return np.split(answer, np.cumsum([len(each.boxes) for each in tries])[:-1])

    def _up_to(self, caps: Counts, units: Ints, box: Ints) -> Bools:
        """Say which units stay when the first ones of every value do, until its cap is reached."""
        within = np.ones(len(units), dtype=np.bool_)
        for name, values in self._values.items():
            value_of_box = box * len(self._shares[name]) + values[units]
            order = np.argsort(value_of_box, kind="stable")
            run = np.flatnonzero(np.diff(value_of_box[order], prepend=-1))
            rows = np.cumsum(self._encoded.counts[units[order]])
            before = np.concatenate([[0], rows[:-1]])[run]
            rows -= np.repeat(before, np.diff(np.append(run, len(units))))
            within[order] &= rows <= caps[name].reshape(-1)[value_of_box[order]]
        return within


def trimming_memory(size: Size) -> int:
    """Give the bytes that matrices of the sensitive values of boxes take at most."""
    cells = min(max(_CELLS_AT_ONCE, size.values), size.values * (size.rows // size.least_rows + 1))
    return 0 if size.by_size_alone else 64 * size.sensitive * cells


def _widest(counts: Counts, tries: list[_Try], good: list[Bools], without: Bools) -> Counts | None:
    """Give what every box keeps by the first try that was good, none where no one was; None if that is so for all."""
    caps = {name: np.zeros_like(matrix) for name, matrix in counts.items()}
    found = False
    for each, answer in reversed(list(zip(tries, good, strict=True))):
        good_ones = answer & ~without[each.boxes]
        found |= bool(good_ones.any())
        for name, matrix in each.kept.items():
            caps[name][each.boxes[good_ones]] = matrix[good_ones]
    return caps if found else None


def _groups(counts: Counts) -> Groups:
    sizes = next(iter(counts.values())).sum(axis=1)
    return Groups(sizes, {name: _sparse(matrix) for name, matrix in counts.items()})


def _sparse(dense: Ints) -> Histogram:
    groups, values = np.nonzero(dense)
    return Histogram(dense.shape[0], dense.shape[1], groups, values, dense[groups, values])


def _shares(histogram: Histogram) -> Floats:
    counts = np.bincount(histogram.values, histogram.counts, histogram.n_values)
    return np.asarray(counts / max(counts.sum(), 1))
