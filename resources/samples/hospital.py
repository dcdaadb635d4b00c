"""Two thousand made-up patients: who falls ill with what depends on age and sex, what it costs on the illness."""

from datetime import date, timedelta

import numpy as np

from drawing import Codes, Draws, Numbers
from levels import Levels, masked, named, ranged
from sample_words import DIAGNOSES, NAMES, NATIONALITIES

PATIENTS = 2000
SEED = 20241231
YEAR = 2024
FIRST_DAY = date(YEAR, 1, 1)
DAYS = 366
OLDEST = 98
SEXES = ("F", "M", "X")
# town -> first four figures of its zips and its share of the patients
TOWNS = (("0213", 10), ("0214", 8), ("0215", 5), ("0236", 3), ("0237", 2), ("0304", 2), ("1485", 1))


def hospital_table() -> dict[str, list[str]]:
    """Return one row per patient; age is that on the last day of the year."""
    draws = Draws(SEED)
    age = draws.codes(_age_weights(), PATIENTS)
    sex = draws.codes((52.6, 47.0, 0.4), PATIENTS)
    nation = draws.codes([nationality.weight for nationality in NATIONALITIES], PATIENTS)
    diagnosis = draws.codes_by_row(_diagnosis_weights(age, sex))
    admitted = _admission_days(draws, diagnosis)
    born = _birth_days(draws, age, admitted)
    zips = _zips(draws)
    return {
        "name": _names(draws, nation, sex),
        "ssn": _numbers_never_issued(draws),
        "zip": draws.blank(zips, 0.01),
        "birth_date": [day.isoformat() for day in born],
        "age": [str(years) for years in age],
        "sex": [SEXES[code] for code in sex],
        "nationality": draws.blank([NATIONALITIES[code].name for code in nation], 0.025),
        "admission_date": [(FIRST_DAY + timedelta(days=int(day))).isoformat() for day in admitted],
        "diagnosis": [DIAGNOSES[code].name for code in diagnosis],
        "charge": draws.blank(_charges(draws, age, diagnosis), 0.01),
    }


def hospital_hierarchies(table: dict[str, list[str]]) -> dict[str, Levels]:
    """Return a hierarchy for every quasi-identifier and for the diagnosis."""
    zips = sorted(set(table["zip"]) - {""})
    days = [(FIRST_DAY + timedelta(days=day)).isoformat() for day in range(DAYS)]
    nations = ((n.name, n.region, n.continent) for n in NATIONALITIES)
    return {
        "zip": masked(zips, (4, 3, 2), with_missing=True),
        "birth_date": named((day, day[:7], day[:4], f"{day[:3]}0s") for day in sorted(set(table["birth_date"]))),
        "age": ranged(0, 109, (5, 10, 20)),
        "sex": named((sex,) for sex in SEXES),
        "nationality": named(nations, with_missing=True),
        "admission_date": named((day, day[:7], _quarter(day), _half(day)) for day in days),
        "diagnosis": named((d.name, d.group, d.chapter) for d in DIAGNOSES),
    }


def _quarter(day: str) -> str:
    return f"{day[:4]}-Q{(int(day[5:7]) + 2) // 3}"


def _half(day: str) -> str:
    return f"{day[:4]}-H{(int(day[5:7]) + 5) // 6}"


def _age_weights() -> Numbers:
    """Return how many patients there are of each age: small children, young mothers, and above all the old."""
    age = np.arange(OLDEST + 1)
    children = 9.0 * np.exp(-age / 2.5)
    young = 4.0 * np.exp(-(((age - 31) / 9.0) ** 2) / 2)
    old = 5.5 * np.exp(-(((age - 70) / 14.0) ** 2) / 2)
    return np.asarray(children + young + old + 1.2 * (age < 85))


def _diagnosis_weights(age: Codes, sex: Codes) -> Numbers:
    peak = np.array([d.peak_age for d in DIAGNOSES])
    width = np.array([d.width for d in DIAGNOSES])
    by_sex = np.array([[d.women, d.men, (d.women + d.men) / 2] for d in DIAGNOSES]).T
    likely = np.exp(-(((age[:, None] - peak) / width) ** 2) / 2) + 0.004
    likely *= ~((width < 6) & (abs(age[:, None] - peak) > 4 * width))
    return np.asarray(likely * by_sex[sex] * np.array([d.weight for d in DIAGNOSES]))


def _admission_days(draws: Draws, diagnosis: Codes) -> Codes:
    day = np.arange(DAYS)
    seasons = np.stack([np.ones(DAYS), 1.2 + np.cos(2 * np.pi * (day - 20) / DAYS)])
    winter = np.array([d.winter for d in DIAGNOSES], dtype=np.int64)
    return draws.codes_by_row(seasons[winter[diagnosis]])


def _birth_days(draws: Draws, age: Codes, admitted: Codes) -> list[date]:
    """Return days of birth that fit the age; nobody is admitted before being born."""
    in_year = (draws.uniform(PATIENTS) * 365).astype(np.int64)
    in_year = np.where(age == 0, np.minimum(in_year, admitted), in_year)
    pairs = zip(age, in_year, strict=True)
    return [date(YEAR - int(years), 1, 1) + timedelta(days=int(day)) for years, day in pairs]


def _zips(draws: Draws) -> list[str]:
    town = draws.codes([share for _, share in TOWNS], PATIENTS)
    quarter = draws.codes([1 / (place + 1) for place in range(10)], PATIENTS)
    return [f"{TOWNS[t][0]}{q}" for t, q in zip(town, quarter, strict=True)]


def _names(draws: Draws, nation: Codes, sex: Codes) -> list[str]:
    """Return names that go with nationality and sex; those of Americans come from everywhere."""
    pools = list(NAMES)
    foreign = draws.codes([12, 4, 1, 3, 0.7, 1.2, 1.5, 2], PATIENTS)
    own = np.array([pools.index(nationality.names) for nationality in NATIONALITIES])
    pool = np.where(nation == 0, foreign, own[nation])
    woman = (sex == 0) | ((sex == 2) & (draws.uniform(PATIENTS) < 0.5))
    first, family = draws.uniform(PATIENTS), draws.uniform(PATIENTS)
    return [_name(pools[p], bool(w), u, v) for p, w, u, v in zip(pool, woman, first, family, strict=True)]


def _name(pool: str, woman: bool, first: float, family: float) -> str:
    women, men, families = (words.split() for words in NAMES[pool])
    given = women if woman else men
    return f"{given[int(first * len(given))]} {families[int(family * len(families))]}"


def _numbers_never_issued(draws: Draws) -> list[str]:
    """Return distinct numbers of the form of a social security number, in a range that no office gives out."""
    start, step = int(draws.uniform(1)[0] * 4_900_000), 1_234_567
    numbers = [(start + place * step) % 4_899_999 for place in range(PATIENTS)]
    return [f"9{n // 49_000:02}-{n // 1000 % 49 + 1:02}-{n % 1000 * 9 + 1000:04}" for n in numbers]


def _charges(draws: Draws, age: Codes, diagnosis: Codes) -> list[str]:
    usual = np.array([d.charge for d in DIAGNOSES])[diagnosis]
    amount = usual * (0.85 + age / 300) * np.exp(0.35 * draws.bell(PATIENTS))
    return [f"{value:.2f}" for value in np.round(amount * 4) / 4]
