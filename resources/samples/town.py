"""A made-up town on two banks of a river: who walks or cycles where in the morning, all of them over one bridge."""

import json

import numpy as np

from drawing import Draws, Numbers

SEED = 20250917
PEOPLE = 120
NAMES = (
    "Ada", "Birte", "Claas", "Dörte", "Eike", "Fenja", "Gesche", "Hauke", "Imke", "Jelle", "Keno", "Levke", "Momme",
    "Nele", "Okke", "Pauline", "Rike", "Sönke", "Tomma", "Wiebke",
)  # fmt: skip
BLOCK, EDGE, BANK = 150.0, 8, 7
"""Streets are a block of metres apart; the town reaches so many blocks to each side of the bridge, and inland."""
GOALS = {"harbour": (600.0, -900.0), "school": (-450.0, 600.0), "clinic": (1050.0, 750.0), "market": (0.0, -300.0)}
LIGHTHOUSE = (-1200.0, -1050.0)
STEP = 20
BEGIN = (7 * 60 + 40) * 60
"""Twenty to eight, in seconds since midnight."""
MIDDLE = (7.4, 54.35)
METRES = 111_195.0
Point = tuple[float, float]


def town_walks() -> dict[str, list[str]]:
    """Return a row for every 20 seconds of everybody's way; Wiebke alone lives at the lighthouse."""
    draws = Draws(SEED)
    who, times, east, north = [], [], [], []
    for number in range(PEOPLE):
        name = NAMES[number % len(NAMES)]
        person = f"{name} {number // len(NAMES) + 1}"
        home = LIGHTHOUSE if person == "Wiebke 1" else _home(draws)
        goal = "clinic" if person == "Wiebke 1" else list(GOALS)[int(draws.codes((4, 4, 2, 2), 1)[0])]
        x, y = _walked(_way(home, GOALS[goal]), (1.4, 4.2)[int(draws.uniform(1)[0] < 0.5)])
        begin = BEGIN + int(draws.uniform(1)[0] * 900)
        x, y = x + 4 * draws.bell(len(x)), y + 4 * draws.bell(len(y))
        who += [person] * len(x)
        times += [_clock(begin + STEP * at) for at in range(len(x))]
        east += [f"{MIDDLE[0] + value / (METRES * np.cos(np.radians(MIDDLE[1]))):.5f}" for value in x.tolist()]
        north += [f"{MIDDLE[1] + value / METRES:.5f}" for value in y.tolist()]
    return {"person": who, "time": times, "longitude": east, "latitude": north}


def _home(draws: Draws) -> Point:
    column = int(draws.uniform(1)[0] * (2 * EDGE + 1)) - EDGE
    row = int(draws.uniform(1)[0] * BANK) + 1
    side = 1 if draws.uniform(1)[0] < 0.6 else -1
    return column * BLOCK, side * row * BLOCK


def _way(home: Point, goal: Point) -> list[Point]:
    """Go along the streets; whoever must cross the river takes the bridge in the middle."""
    if home[1] * goal[1] > 0:
        return [home, (goal[0], home[1]), goal]
    near, far = (BLOCK if home[1] > 0 else -BLOCK), (BLOCK if goal[1] > 0 else -BLOCK)
    return [home, (home[0], near), (0.0, near), (0.0, far), (goal[0], far), goal]


def _walked(way: list[Point], speed: float) -> tuple[Numbers, Numbers]:
    x, y = np.array(way).T
    far = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
    at = np.arange(0.0, far[-1] + speed * STEP, speed * STEP)
    return np.interp(at, far, x), np.interp(at, far, y)


def _clock(seconds: int) -> str:
    minutes = seconds // 60
    return f"2025-09-15T{minutes // 60:02}:{minutes % 60:02}:{seconds % 60:02}Z"


def town_roads() -> str:
    """Return the streets of both banks and the bridge as GeoJSON."""
    reach = EDGE * BLOCK
    lines = [[(0.0, -BLOCK), (0.0, BLOCK)]]
    for side in (1, -1):
        lines += [[(-reach, side * row * BLOCK), (reach, side * row * BLOCK)] for row in range(1, BANK + 1)]
        lines += [
            [(column * BLOCK, side * BLOCK), (column * BLOCK, side * BANK * BLOCK)] for column in range(-EDGE, EDGE + 1)
        ]
    features = [
        {
            "type": "Feature",
            "properties": {},
            "geometry": {"type": "LineString", "coordinates": [_degrees(p) for p in line]},
        }
        for line in lines
    ]
    return json.dumps({"type": "FeatureCollection", "features": features}) + "\n"


def _degrees(point: Point) -> list[float]:
    wide = METRES * float(np.cos(np.radians(MIDDLE[1])))
    return [round(MIDDLE[0] + point[0] / wide, 5), round(MIDDLE[1] + point[1] / METRES, 5)]
