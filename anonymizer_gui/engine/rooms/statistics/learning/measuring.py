"""How good a model is, from noisy counts of rows it has not learned from: accuracy, and the area under the curve."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.dp.gateway import Ints

BINS = 40
"""How finely scores are counted; an even number, so that one half is an edge."""
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Measured:
    """Noisy measures; the area is known for two classes only."""

    rows: float
    accuracy: float
    area: float | None


def right_and_wrong(likely: Floats, classes: Ints) -> Ints:
    """Count rows whose class is foretold, and the others."""
    right = int((likely.argmax(axis=1) == classes).sum()) if len(classes) else 0
    return np.array([right, len(classes) - right], dtype=np.int64)


def score_counts(likely: Floats, classes: Ints) -> Ints:
    """Count the rows of both classes by score."""
    bins = np.minimum((likely[:, 1] * BINS).astype(np.int64), BINS - 1)
    return np.bincount(classes * BINS + bins, minlength=2 * BINS).astype(np.int64)


def of_right_and_wrong(noisy: Ints) -> Measured:
    """Measure by noisy counts of right and wrong guesses."""
    right, wrong = (max(float(number), 0.0) for number in noisy)
    rows = max(right + wrong, 1.0)
    return Measured(rows, right / rows, None)


def of_scores(noisy: Ints) -> Measured:
    """Measure by noisy counts of scores; negative ones stay negative, for without them noise would look like rows."""
    no, yes = noisy.reshape(2, BINS).astype(np.float64)
    rows = max(float(no.sum() + yes.sum()), 1.0)
    right = no[: BINS // 2].sum() + yes[BINS // 2 :].sum()
    below = np.concatenate([[0.0], np.cumsum(no)[:-1]])
    pairs = max(float(no.sum()), 1.0) * max(float(yes.sum()), 1.0)
    area = float((yes * (below + no / 2)).sum()) / pairs
    return Measured(rows, _share(float(right) / rows), _share(area))


def _share(number: float) -> float:
    return min(max(number, 0.0), 1.0)
