"""The same models learned without noise, to compare with: on what is not private, or for nobody else's eyes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.rooms.statistics.learning.encoding import UNIT, Encoding
from anonymizer_gui.engine.rooms.statistics.learning.measuring import of_right_and_wrong, of_scores, right_and_wrong
from anonymizer_gui.engine.rooms.statistics.learning.measuring import score_counts as counted
from anonymizer_gui.engine.rooms.statistics.learning.network import OFF, Floats, Network

_STEPS, _SPEED, _UNCLIPPED = 150, 6.0, 100.0
_MOST_ROWS = 20_000
Labelled = tuple[Sequence[Ints], Ints]


@dataclass(frozen=True, slots=True)
class Learned:
    """How good a model is on rows it has not seen."""

    accuracy: float
    area: float | None


def learned_plainly(encoding: Encoding, cells: Sequence[Ints], target: Ints, classes: int, tested: Labelled) -> Learned:
    """Learn by logistic regression from all rows at once, and measure on others."""
    network = Network(encoding.width, 0, classes, _UNCLIPPED)
    weights = weights_of(network, encoding, cells, target)
    known = tested[1] < classes
    likely = network.scores(weights, encoding.features([codes[known] for codes in tested[0]]))
    found = of_scores(counted(likely, tested[1][known])) if classes == 2 else None
    right = of_right_and_wrong(right_and_wrong(likely, tested[1][known]))
    return Learned(right.accuracy, None if found is None else found.area)


def weights_of(network: Network, encoding: Encoding, cells: Sequence[Ints], target: Ints) -> Floats:
    """Give the weights after some steps of accelerated descent."""
    known = np.flatnonzero(target < network.classes)[:_MOST_ROWS]
    features, classes = encoding.features([codes[known] for codes in cells]), target[known]
    weights, speed = network.first_weights(), np.zeros(network.parameters)
    for _ in range(_STEPS):
        gradient = network.gradient(weights, features, classes) / (OFF * UNIT) / max(len(known), 1)
        speed = 0.9 * speed - _SPEED * gradient / 4
        weights = weights + speed
    return weights
