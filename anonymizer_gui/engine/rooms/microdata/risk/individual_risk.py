"""The risk of a person drawn from a larger population, estimated from the sample alone (Benedetti and Franconi).

How many people F of the population look like a class of f rows is not known; with every person drawn with chance p,
F - f is taken to be negative binomial, and the risk is the expected 1/F. Unlike scaling the class up to f/p people it
heeds that few rows may well stand for few people.
"""

import numpy as np
import numpy.typing as npt

_NODES = 64


def expected_risk(sizes: npt.NDArray[np.int64], fraction: float) -> npt.NDArray[np.float64]:
    """Give E(1/F | f) for every class size f, where a share `fraction` of the population is in the table.

    E(1/F | f) is the integral of (p t / (1 - (1 - p) t))^f / t over t from 0 to 1; with u = p t / (1 - (1 - p) t) it
    is that of u^(f - 1) p / (p + (1 - p) u), which is smooth.

    >>> expected_risk(np.array([1, 2]), 1.0).tolist()
    [1.0, 0.5]
    >>> round(float(expected_risk(np.array([1]), 0.1)[0]), 5)  # p / (1 - p) ln(1 / p)
    0.25584
    """
    if fraction >= 1.0:
        return np.asarray(1.0 / np.maximum(sizes, 1), dtype=np.float64)
    distinct, place = np.unique(sizes, return_inverse=True)
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)  # type: ignore[no-untyped-call]
    # Half of the integral's weight lies near 0 for small fractions: the pieces halve towards it.
    edges = np.concatenate([[0.0], 2.0 ** np.arange(-40, 1)])
    half = np.diff(edges) / 2
    u = (edges[:-1] + half)[:, None] + half[:, None] * nodes[None, :]
    smooth = (fraction / (fraction + (1.0 - fraction) * u)) * (half[:, None] * weights[None, :])
    risks = np.array([float((u ** (size - 1) * smooth).sum()) for size in distinct.tolist()])
    return risks[place]
