"""Logistic regression, and one hidden layer: what they foretell, and gradients that are whole and no longer than told.

A gradient of one row is the product of two lists of whole numbers, what is off and what was put in; cut towards zero
it only gets shorter, so that its length is bounded exactly, whatever floats do.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.rooms.statistics.learning.encoding import UNIT

OFF = 1 << 12
"""What is off by 1, in whole numbers."""
Floats = npt.NDArray[np.float64]
_FIRST_SIZE = 0.5
_FARTHEST = 100.0


@dataclass(frozen=True, slots=True)
class Network:
    """The sizes of a model: features, hidden units (none for logistic regression), and classes."""

    features: int
    hidden: int
    classes: int
    clip: float

    @property
    def outputs(self) -> int:
        """One output tells two classes apart."""
        return 1 if self.classes == 2 else self.classes

    @property
    def longest(self) -> int:
        """The length no gradient of a row exceeds, in whole numbers."""
        return int(self.clip * OFF * UNIT)

    @property
    def parameters(self) -> int:
        """The number of weights."""
        inside = self.hidden * self.features
        return inside + self.outputs * ((self.hidden + 1) if self.hidden else self.features)

    def first_weights(self) -> Floats:
        """Give weights to begin with, the same ones every time: small and different inside, zero outside."""
        weights = np.zeros(self.parameters)
        if self.hidden:
            inside = self.hidden * self.features
            weights[:inside] = _FIRST_SIZE * (2 * ((np.arange(1, inside + 1) * 0.6180339887498949) % 1) - 1)
        return weights

    def scores(self, weights: Floats, features: Floats) -> Floats:
        """Give how likely each class is, a row for each row."""
        inner, outer = self._split(weights)
        inside = np.maximum(features @ inner.T, 0.0) if self.hidden else features
        return self._likely(outer, _with_bias(inside) if self.hidden else inside)

    def gradient(self, weights: Floats, features: Floats, classes: Ints) -> Ints:
        """Add up the clipped whole gradients of some rows."""
        outer = self._split(weights)[1]
        inside = self._inside(weights, features)
        off = self._off(self._likely(outer, inside), classes)
        below = (off @ outer[:, :-1]) * (inside[:, :-1] > 0) if self.hidden else np.zeros((len(off), 0))
        sizes = _squares(inside), _squares(features)
        length = np.sqrt(
            (off * off).sum(axis=1) * sizes[0] + (below * below).sum(axis=1) * sizes[1] * bool(self.hidden)
        )
        factor = OFF * np.minimum(1.0, self.clip * UNIT / np.maximum(length, 1e-9))
        whole_off, whole_below = (np.trunc(part * factor[:, np.newaxis]) for part in (off, below))
        is_short = _squares(whole_off) * sizes[0] + _squares(whole_below) * sizes[1] <= float(self.longest) ** 2
        whole_off, whole_below = whole_off * is_short[:, np.newaxis], whole_below * is_short[:, np.newaxis]
        parts = [(whole_below.T @ features).ravel(), (whole_off.T @ inside).ravel()]
        return np.asarray(np.concatenate(parts if self.hidden else parts[1:]), dtype=np.int64)

    def _split(self, weights: Floats) -> tuple[Floats, Floats]:
        inside = self.hidden * self.features
        return weights[:inside].reshape(self.hidden, self.features), weights[inside:].reshape(self.outputs, -1)

    def _inside(self, weights: Floats, features: Floats) -> Floats:
        """Give what the last layer is given, in whole numbers: the features, or the hidden units and a bias."""
        if not self.hidden:
            return features
        return _with_bias(np.trunc(np.clip(features @ self._split(weights)[0].T, 0.0, _FARTHEST * UNIT)))

    def _likely(self, outer: Floats, inside: Floats) -> Floats:
        sums = np.clip(inside @ outer.T / UNIT, -50.0, 50.0)
        if self.outputs == 1:
            yes = 1 / (1 + np.exp(-sums[:, 0]))
            return np.column_stack([1 - yes, yes])
        raised = np.exp(sums - sums.max(axis=1, keepdims=True))
        return np.asarray(raised / raised.sum(axis=1, keepdims=True))

    def _off(self, likely: Floats, classes: Ints) -> Floats:
        """Give how far off each output is."""
        if self.outputs == 1:
            return (likely[:, 1] - classes)[:, np.newaxis]
        return likely - np.eye(self.classes)[classes]


def _with_bias(hidden: Floats) -> Floats:
    return np.column_stack([hidden, np.full(len(hidden), float(UNIT))])


def _squares(rows: Floats) -> Floats:
    """Add up the squares of each row; of whole numbers below 2^53 exactly."""
    return np.asarray((rows * rows).sum(axis=1))
