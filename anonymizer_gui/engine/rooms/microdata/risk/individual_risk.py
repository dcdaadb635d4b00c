"""The risk of a person drawn from a larger population, estimated from the sample alone (Benedetti and Franconi).

How many people F of the population look like a class of f rows is not known; with every person drawn with chance p,
F - f is taken to be negative binomial, and the risk is the expected 1/F. Unlike scaling the class up to f/p people it
heeds that few rows may well stand for few people.
"""

import numpy as np
import numpy.typing as npt

_NODES = 64
Floats = npt.NDArray[np.float64]


def risk_of_classes(sizes: npt.NDArray[np.int64], people: Floats) -> Floats:
    """Give E(1/F | f) for classes of f rows whose sampling weights add up to so many people of the population.

    Each class has a fraction of its own, f over the sum of its weights (Benedetti and Franconi 1998). The published
    example of Capobianchi, Polettini and Lucarelli:

    >>> risk_of_classes(np.array([2, 2, 1, 1, 1, 1]), np.array([110, 84.5, 17, 541, 8, 5])).round(4).tolist()
    [0.0171, 0.022, 0.1771, 0.0117, 0.2971, 0.4024]
    """
    fractions = np.minimum(sizes / np.maximum(people, np.finfo(np.float64).tiny), 1.0)
    both = np.stack([sizes.astype(np.float64), fractions], axis=1)
    distinct, place = np.unique(both, axis=0, return_inverse=True)
    found = [float(expected_risk(np.array([int(f)]), p)[0]) for f, p in distinct.tolist()]
    return np.array(found)[place.reshape(-1)] if found else np.zeros(0)


def approximate_risk(sizes: npt.NDArray[np.int64], people: Floats) -> Floats:
    """Give the same by the approximation sdcMicro uses: exact for one and two rows, else p / (f - (1 - p)).

    >>> approximate_risk(np.array([1, 2, 3]), np.array([5.0, 110.0, 30.0])).round(5).tolist()
    [0.40236, 0.01714, 0.04762]
    """
    p = np.minimum(sizes / np.maximum(people, np.finfo(np.float64).tiny), 1.0)
    return np.where(sizes > 2, p / (sizes - (1 - p)), risk_of_classes(np.minimum(sizes, 2), np.minimum(sizes, 2) / p))


def expected_risk(sizes: npt.NDArray[np.int64], fraction: float) -> Floats:
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
