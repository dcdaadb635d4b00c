"""Fifty thousand made-up answers to a census in which schooling, work, family and income go together."""

import numpy as np

from drawing import Codes, Draws, Numbers
from levels import Levels, masked, named, ranged
from sample_words import COUNTRIES, EDUCATION, EMPLOYMENT, MARITAL, OCCUPATIONS

PEOPLE = 50_000
SEED = 20200401
YOUNGEST, OLDEST = 17, 90
SEXES = ("F", "M")
# first three figures of the zips, share of the people, pay against the average, share born abroad against the average
REGIONS = (
    ("100", 16, 1.30, 1.9),
    ("104", 9, 0.85, 1.7),
    ("191", 13, 0.98, 0.8),
    ("432", 14, 0.94, 0.4),
    ("606", 18, 1.08, 1.2),
    ("770", 16, 1.02, 1.5),
    ("829", 4, 0.88, 0.2),
    ("972", 10, 1.05, 0.8),
)
WORKING = 3
NO_OCCUPATION = len(OCCUPATIONS) - 1
HIGHEST_INCOME = 250_000


def census_table() -> dict[str, list[str]]:
    """Return one row per person; income is in whole five hundreds and cut off at the top."""
    draws = Draws(SEED)
    age = YOUNGEST + draws.codes(_age_weights(), PEOPLE)
    sex = draws.codes((51, 49), PEOPLE)
    region = draws.codes([share for _, share, _, _ in REGIONS], PEOPLE)
    country = draws.codes_by_row(_country_weights(region))
    education = draws.codes_by_row(_education_weights(age, country))
    marital = draws.codes_by_row(_marital_weights(age))
    employment = draws.codes_by_row(_employment_weights(age, sex, education))
    occupation = _occupations(draws, education, employment, sex)
    income = _incomes(draws, age, region, education, employment, occupation)
    return {
        "age": [str(years) for years in age],
        "sex": [SEXES[code] for code in sex],
        "zip": _zips(draws, region),
        "birth_country": draws.blank([COUNTRIES[code][0] for code in country], 0.01),
        "marital_status": [MARITAL[code][0] for code in marital],
        "education": draws.blank([EDUCATION[code][0] for code in education], 0.015),
        "occupation": [OCCUPATIONS[code][0] for code in occupation],
        "household_size": [str(size) for size in _household_sizes(draws, age, marital)],
        "employment": [EMPLOYMENT[code][0] for code in employment],
        "income": [str(amount) for amount in income],
    }


def census_hierarchies(table: dict[str, list[str]]) -> dict[str, Levels]:
    """Return a hierarchy for every quasi-identifier and for the income."""
    sizes = [("1", "1 person"), ("2", "2 people"), *((str(n), "3-4 people") for n in (3, 4))]
    sizes += [(str(n), "5 or more") for n in range(5, 9)]
    return {
        "age": ranged(YOUNGEST, OLDEST, (5, 10, 20)),
        "sex": named((sex,) for sex in SEXES),
        "zip": masked(sorted(set(table["zip"])), (4, 3, 2, 1)),
        "birth_country": named((row[:3] for row in COUNTRIES), with_missing=True),
        "marital_status": named(MARITAL),
        "education": named((row[:3] for row in EDUCATION), with_missing=True),
        "occupation": named(row[:3] for row in OCCUPATIONS),
        "household_size": named((size, group, "alone" if size == "1" else "together") for size, group in sizes),
        "employment": named(EMPLOYMENT),
        "income": named(_income_levels(n) for n in range(0, HIGHEST_INCOME + 1, 500)),
    }


def _income_levels(income: int) -> tuple[str, str, str]:
    band = next(name for limit, name in ((30_000, "low"), (90_000, "middle"), (10**9, "high")) if income < limit)
    start = income // 10_000 * 10_000
    return str(income), f"{start}-{start + 9_999}", band


def _age_weights() -> Numbers:
    age = np.arange(YOUNGEST, OLDEST + 1)
    return np.asarray(np.where(age < 62, 10.0, 10.0 * np.exp(-(age - 62) / 14.0)))


def _country_weights(region: Codes) -> Numbers:
    weights = np.array([row[3] for row in COUNTRIES], dtype=float)
    abroad = np.array([share for _, _, _, share in REGIONS])[:, None]
    by_region = weights * np.where(np.arange(len(weights)) == 0, 1.0, abroad)
    # The south has more people from the Americas, the west coast more from Asia.
    continents = np.array([row[2] for row in COUNTRIES])
    by_region[5] *= np.where(continents == "Americas", 1.6, 1.0)
    by_region[7] *= np.where(continents == "Asia", 2.0, 1.0)
    return np.asarray(by_region[region])


def _education_weights(age: Codes, country: Codes) -> Numbers:
    base = np.array([0.6, 2.0, 3.5, 5.0, 27.0, 19.0, 9.5, 20.0, 9.5, 1.6, 2.0])
    years = np.array([row[3] for row in EDUCATION])
    possible = age[:, None] >= years + 6
    old = np.where(age[:, None] > 65, np.where(years < 13, 1.6, 0.7), 1.0)
    abroad = np.where(country[:, None] > 0, np.where((years < 12) | (years > 17), 1.9, 0.8), 1.0)
    return np.asarray(base * possible * old * abroad)


def _marital_weights(age: Codes) -> Numbers:
    grown = 1 / (1 + np.exp(-(age - 29) / 5.0))
    never = 1.05 - grown
    married = 0.62 * grown * np.where(age > 75, 0.75, 1.0)
    partnership = 0.14 * np.exp(-(((age - 29) / 9.0) ** 2) / 2)
    separated, divorced = 0.03 * grown, 0.17 * grown * (age > 24)
    widowed = 0.9 / (1 + np.exp(-(age - 82) / 6.0))
    return np.asarray(np.stack([never, married, partnership, separated, divorced, widowed], axis=1))


def _employment_weights(age: Codes, sex: Codes, education: Codes) -> Numbers:
    at_work = (age < 70) / (1 + np.exp((age - 63) / 2.0)) + 0.06 * (age >= 60)
    student = 2.2 * np.exp(-(age - YOUNGEST) / 3.5)
    retired = 2.0 / (1 + np.exp(-(age - 66) / 2.5)) * (age >= 50)
    home = np.where(sex == 0, 0.13, 0.03) + 0 * age
    public = np.where(education > 6, 0.22, 0.11) * at_work
    unemployed = np.where(education < 4, 0.08, 0.04) * at_work
    shares = [0.75 * at_work, public, 0.09 * at_work * (age > 22), unemployed, student, retired, home]
    return np.asarray(np.stack(shares, axis=1))


def _occupations(draws: Draws, education: Codes, employment: Codes, sex: Codes) -> Codes:
    """Return an occupation near the person's schooling, or none for those not in work."""
    schooling = np.array([row[3] for row in EDUCATION])[education]
    typical = np.array([row[3] for row in OCCUPATIONS[:-1]])
    likely = np.exp(-(((schooling[:, None] - typical) / 1.8) ** 2) / 2) + 0.002
    # The learned professions are open to those who learned them only.
    likely *= ~((typical >= 19) & (schooling[:, None] < 18))
    women = {"Nurse": 3.0, "Care aide": 2.5, "Secretary": 3.0, "Carpenter": 0.1, "Truck driver": 0.1, "Mechanic": 0.1}
    factor = np.array([women.get(row[0], 1.0) for row in OCCUPATIONS[:-1]])
    likely *= np.where(sex[:, None] == 0, factor, 1.0)
    return np.where(employment < WORKING, draws.codes_by_row(likely), NO_OCCUPATION)


def _household_sizes(draws: Draws, age: Codes, marital: Codes) -> Codes:
    alone = [44, 26, 15, 9, 4, 1.4, 0.5, 0.3]
    couple = [0, 42, 20, 22, 10, 4, 1.5, 0.8]
    parents = [6, 16, 28, 28, 14, 5, 2, 1]
    kinds = np.array([alone, couple, parents])
    kind = np.where((marital == 1) | (marital == 2), 1, np.where(age < 23, 2, 0))
    return 1 + draws.codes_by_row(kinds[kind])


def _incomes(draws: Draws, age: Codes, region: Codes, education: Codes, employment: Codes, occupation: Codes) -> Codes:
    pay = np.array([row[4] for row in OCCUPATIONS], dtype=float)[occupation]
    wage = pay * (0.55 + 0.5 * np.clip((age - YOUNGEST) / 30.0, 0, 1)) * np.where(employment == 2, 1.1, 1.0)
    support = np.array([0, 0, 0, 9_000, 5_000, 26_000, 7_000], dtype=float)[employment]
    support *= np.where(employment == 5, 0.6 + education / 10.0, 1.0)
    level = np.array([factor for _, _, factor, _ in REGIONS])[region]
    amount = (wage + support) * level * np.exp(0.32 * draws.bell(PEOPLE))
    return np.minimum(np.round(amount / 500).astype(np.int64) * 500, HIGHEST_INCOME)


def _zips(draws: Draws, region: Codes) -> list[str]:
    place = draws.codes([1 / (rank + 2) for rank in range(18)], PEOPLE)
    return [f"{REGIONS[r][0]}{7 + 5 * p:02}" for r, p in zip(region, place, strict=True)]
