"""The one door to noise: whatever is random in a real release is drawn here, by opendp, from the operating system.

Whole numbers go in and come out; there is no seed, no floating-point noise and no switch. What arrives is a `Request`
and is answered by `answer`: the tests put a recorder in its place to see what a question sends here.
"""

import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache, partial
from types import SimpleNamespace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import MissingExtra
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.dp.discrete_laplace import LARGEST_SCALE, discrete_laplace
from anonymizer_gui.engine.dp.safe_rounding import float_above, root_above

Ints = npt.NDArray[np.int64]
Noise = Literal["laplace", "gaussian", "exponential", "permute-and-flip"]

# The one version whose faults were looked for; opendp changes names and noise between versions.
EXAMINED = "0.16.0"
# Up to here opendp draws all noise; it would take 9 seconds for a million cells.
MANY_CELLS = 100_000
_PIECE = 20_000
_FARTHEST = 2**61
_INSTALL = "pip install 'anonymizer-gui[dp]'"


@dataclass(frozen=True, slots=True, eq=False)
class NoiseRequest:
    """What arrives at the gateway: whole numbers, how far neighbouring tables can move them, and what it may cost.

    `distance` is the L1 distance for `laplace`, the squared L2 distance for `gaussian`, the largest change of one score
    for choices; `limit` is rho for `gaussian`, else epsilon. Scores are monotone when neighbours move all one way.
    """

    noise: Noise
    values: Ints
    distance: int
    limit: Fraction
    is_monotone: bool = False
    picks: int = 1

    def scale(self) -> Fraction:
        """Give the scale of the noise; for `gaussian` its square."""
        if self.noise == "gaussian":
            return self.distance / (2 * self.limit)
        ways = 1 if self.noise == "laplace" or self.is_monotone else 2
        return ways * self.picks * self.distance / self.limit


def answer(request: NoiseRequest, progress: Progress = SILENT) -> Ints:
    """Answer with noisy numbers, or with the places of the chosen candidates; raises MissingExtra without opendp."""
    values = np.ascontiguousarray(request.values)
    if request.limit <= 0 or request.distance < 0 or values.dtype != np.int64 or values.ndim != 1:
        raise ValueError("The gateway takes a list of whole numbers, a distance and a positive limit.")
    if request.noise == "laplace" and len(values) > MANY_CELLS and request.scale() <= LARGEST_SCALE:
        return np.clip(values, -_FARTHEST, _FARTHEST) + discrete_laplace(len(values), request.scale(), progress)
    kind = (request.noise, request.distance, request.limit, request.scale(), request.is_monotone, request.picks)
    draw = _measurement(*kind)
    if request.noise in ("exponential", "permute-and-flip"):
        return np.atleast_1d(np.array(draw(values), dtype=np.int64))
    return _in_pieces(draw, values, progress)


def draw_lots(count: int) -> npt.NDArray[np.uint64]:
    """Draw lots, by which rows are kept: nobody may know them beforehand."""
    return np.frombuffer(os.urandom(8 * count), dtype=np.uint64)


def poisson_sample(count: int, share: Fraction) -> npt.NDArray[np.bool_]:
    """Draw by lot, for each of so many independently, whether it is seen: with no more than this probability."""
    if not 0 <= share <= 1:
        raise ValueError("A share is between 0 and 1.")
    limit = math.floor(share * 2**64)
    return draw_lots(count) < np.uint64(limit) if limit < 2**64 else np.ones(count, dtype=np.bool_)


def _in_pieces(draw: Callable[[Ints], list[int]], values: Ints, progress: Progress) -> Ints:
    """Draw the noise of some cells after the other; the noise of each cell is independent of the others."""
    answered = np.empty(len(values), dtype=np.int64)
    for start in range(0, len(values), _PIECE):
        progress(start / len(values), "Drawing noise")
        answered[start : start + _PIECE] = draw(values[start : start + _PIECE])
    return answered


@lru_cache(maxsize=64)
def _measurement(noise: Noise, distance: int, limit: Fraction, scale: Fraction, is_monotone: bool, picks: int) -> Any:
    """Make opendp's measurement; what it promises itself is no more than the limit."""
    dp = _opendp()
    if noise == "laplace":
        make = partial(dp.measurements.make_laplace, dp.numbers, dp.metrics.l1_distance(T="i64"))
        return _calibrated(make, scale, distance, limit)
    if noise == "gaussian":
        make = partial(dp.measurements.make_gaussian, dp.numbers, dp.metrics.l2_distance(T=float))
        return _calibrated(make, root_above(scale), float_above(root_above(Fraction(distance))), limit)
    scores = (dp.numbers, dp.metrics.linf_distance(T="i64", monotonic=is_monotone))
    if noise == "exponential":
        # Under zCDP opendp chooses with probability proportional to exp(score / scale), rho = epsilon^2 / 8.
        make = partial(dp.measurements.make_noisy_max, *scores, dp.measures.zero_concentrated_divergence())
        return _calibrated(make, scale, distance, limit**2 / 8)
    make = partial(dp.measurements.make_noisy_top_k, *scores, dp.measures.max_divergence(), picks)
    return _calibrated(make, scale, distance, limit)


def _calibrated(make: Callable[[float], Any], scale: Fraction, distance: float, limit: Fraction) -> Any:
    """Take the smallest scale at which opendp's own bound, which is rounded up, is within the limit."""
    tried = float_above(scale)
    while Fraction((made := make(tried)).map(distance)) > limit:
        tried = math.nextafter(tried, math.inf)
    return made


@cache
def _opendp() -> SimpleNamespace:
    """Import what is used of opendp, on first use; its prelude would bring half a second of other packages."""
    try:
        from opendp import domains, measurements, measures, metrics, mod
    except ImportError:
        raise MissingExtra(
            "Differential privacy needs the package opendp, which is not installed.",
            message("Install it with: {command}", command=_INSTALL),
        ) from None
    if mod.__version__ != EXAMINED:
        raise MissingExtra(
            message(
                "Noise is drawn by version {examined} of the package opendp, but {installed} is installed.",
                examined=EXAMINED,
                installed=mod.__version__,
            ),
            message("Install it with: {command}", command=_INSTALL),
        )
    mod.enable_features("contrib")
    numbers = domains.vector_domain(domains.atom_domain(T="i64"))
    return SimpleNamespace(measurements=measurements, measures=measures, metrics=metrics, numbers=numbers)
