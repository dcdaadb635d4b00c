"""A year of visits to a made-up country practice: some patients come once, some nearly every week."""

from datetime import date, timedelta

import numpy as np

from drawing import Codes, Draws
from levels import Levels, named

PATIENTS = 900
SEED = 20250301
FIRST_DAY = date(2024, 1, 1)
DAYS = 366
SEXES = ("F", "M")
# village -> west-east and south-north place in degrees, and its share of the patients
VILLAGES = (
    ("Millbrook", 11.02, 48.11, 9),
    ("Ashford", 11.11, 48.17, 6),
    ("Lower Fen", 11.19, 48.05, 3),
    ("Hollow", 11.26, 48.22, 1),
)
# reason -> group, weight, usual minutes
REASONS = (
    ("cold", "infection", 22, 8), ("flu", "infection", 9, 11), ("stomach bug", "infection", 8, 10),
    ("back pain", "pain", 14, 14), ("headache", "pain", 8, 12), ("joint pain", "pain", 7, 13),
    ("blood pressure", "check", 15, 9), ("diabetes", "check", 9, 15), ("vaccination", "check", 6, 5),
    ("low mood", "mind", 5, 24), ("sleeplessness", "mind", 4, 19), ("dependence", "mind", 1, 28),
)  # fmt: skip


def practice_table() -> dict[str, list[str]]:
    """Return one row per visit; how often somebody comes grows with age, and a few come very often."""
    draws = Draws(SEED)
    age = np.clip(np.rint(45 + 19 * draws.bell(PATIENTS)), 0, 99).astype(np.int64)
    sex = draws.codes((54, 46), PATIENTS)
    home = draws.codes([village[3] for village in VILLAGES], PATIENTS)
    visits = _visits(draws, age)
    who = np.repeat(np.arange(PATIENTS), visits)
    reason = draws.codes_by_row(_reason_weights(age[who]))
    day = np.floor(draws.uniform(len(who)) * DAYS).astype(np.int64)
    order = np.argsort(day, kind="stable")
    minutes = np.maximum(np.rint([REASONS[code][3] for code in reason] + 3 * draws.bell(len(who))), 2).astype(np.int64)
    places = _places(draws, home)
    table = {
        "patient": [f"P{1000 + number}" for number in who],
        "date": [(FIRST_DAY + timedelta(days=int(at))).isoformat() for at in day],
        "age": draws.blank([str(years) for years in age[who]], 0.01),
        "sex": [SEXES[code] for code in sex[who]],
        "village": [VILLAGES[code][0] for code in home[who]],
        "longitude": [f"{places[number][0]:.3f}" for number in who],
        "latitude": [f"{places[number][1]:.3f}" for number in who],
        "reason": [REASONS[code][0] for code in reason],
        "minutes": [str(length) for length in minutes],
    }
    return {name: [cells[at] for at in order] for name, cells in table.items()}


def practice_hierarchies() -> dict[str, Levels]:
    """Return a hierarchy for the reason and for the village: its leaves are the public categories."""
    return {
        "reason": named((name, group) for name, group, _, _ in REASONS),
        "village": named((village[0],) for village in VILLAGES),
    }


def _visits(draws: Draws, age: Codes) -> Codes:
    usual = 1 + np.floor(-np.log(1 - draws.uniform(PATIENTS)) * (0.4 + age / 60)).astype(np.int64)
    often = draws.uniform(PATIENTS) < 0.01
    return np.where(often, 25 + np.floor(20 * draws.uniform(PATIENTS)).astype(np.int64), usual)


def _reason_weights(age: Codes) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    weights = np.tile([float(reason[2]) for reason in REASONS], (len(age), 1))
    old = np.clip(age / 50, 0.3, 2.0)[:, None]
    aching = np.array([group in ("pain", "check") for _, group, _, _ in REASONS])
    return np.where(aching, weights * old, weights)


def _places(draws: Draws, home: Codes) -> list[tuple[float, float]]:
    east, north = draws.bell(PATIENTS), draws.bell(PATIENTS)
    return [
        (VILLAGES[code][1] + 0.008 * x, VILLAGES[code][2] + 0.006 * y)
        for code, x, y in zip(home, east, north, strict=True)
    ]
