"""Possible releases about numbers that are not private: repeatable by a seed, and never a release themselves."""

import numpy as np

from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.mechanisms.contract import Mechanism


def possible_releases(mechanism: Mechanism, values: Ints, *, releases: int, seed: int) -> Ints:
    """Give what so many releases might look like, one in each row, for simulated or public values."""
    generator = np.random.default_rng(seed)
    return np.stack([mechanism.simulate(values, generator) for _ in range(releases)])
