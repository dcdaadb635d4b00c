"""A made-up village: who lends a hand to whom, how old people are, and who is ill."""

import numpy as np

from drawing import Draws
from levels import Levels, named

SEED = 20250611
NAMES = (
    "Ada", "Ben", "Cleo", "Dirk", "Edda", "Finn", "Gita", "Hugo", "Inga", "Jost", "Kaja", "Lars", "Mona", "Nils",
    "Olga", "Paul", "Quin", "Rosa", "Sven", "Tess", "Uwe", "Vera", "Wim", "Xena", "Yann", "Zoe", "Arne", "Bela",
    "Carla", "Doro", "Emil", "Frida",
)  # fmt: skip
LANES = 4
ILLNESSES = ("none", "diabetes", "asthma", "low mood")


def village_ties() -> dict[str, list[str]]:
    """Return who helps whom: many in one's own lane, few beyond, and Ada, who keeps the shop, nearly everybody."""
    draws = Draws(SEED)
    pairs = []
    for one in range(len(NAMES)):
        for other in range(one + 1, len(NAMES)):
            share = 0.75 if one == 0 and other % 3 == 0 else 0.45 if one % LANES == other % LANES else 0.05
            if draws.uniform(1)[0] < share:
                pairs.append((NAMES[one], NAMES[other]))
    return {"source": [one for one, _ in pairs], "target": [other for _, other in pairs]}


def village_people() -> dict[str, list[str]]:
    """Return a row for everybody."""
    draws = Draws(SEED + 1)
    ages = np.clip(np.rint(46 + 17 * draws.bell(len(NAMES))), 18, 92).astype(np.int64)
    illness = draws.codes((9, 3, 3, 2), len(NAMES))
    return {
        "person": list(NAMES),
        "age": [str(age) for age in ages.tolist()],
        "illness": [ILLNESSES[code] for code in illness.tolist()],
    }


def village_hierarchies() -> dict[str, Levels]:
    """Return decades of age."""
    return {"age": named((str(age), f"{age // 10 * 10}-{age // 10 * 10 + 9}") for age in range(10, 100))}
