"""A made-up twin of a well-known file of court records: 47 columns, and the ways in which they identify people."""

import random
from datetime import datetime, timedelta

from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table

IDENTIFYING = ("id", "name", "first", "last", "c_case_number", "r_case_number", "vr_case_number")
MOMENTS = ("c_jail_in", "c_jail_out", "r_jail_in", "r_jail_out")
_CHARGES = ("Battery", "Theft", "Possession", "Trespass", "Burglary", "Resisting", "No charge")
_STARTS, _ENDS = ("Al", "Be", "Ca", "Do", "El", "Fa", "Gi", "Ho"), ("an", "bert", "cia", "dor", "ena", "fia", "gor")
_FIRST = [start + end for start in _STARTS for end in _ENDS]
_LAST = [
    start + end for start in ("Ash", "Brook", "Clay", "Dun", "East") for end in ("bury", "dale", "ham", "ley", "ton")
]


def court_records(rows: int = 400, seed: int = 1) -> Table:
    """Make the table: a person per row, with later cases of some, so that many cells are missing."""
    draw = random.Random(seed)
    lines = [_person(number, draw) for number in range(rows)]
    return Table(tuple(Column.from_texts(name, [line[name] for line in lines]) for name in lines[0]))


def _person(number: int, draw: random.Random) -> dict[str, str]:
    first, last, born = draw.choice(_FIRST), draw.choice(_LAST), _day(draw, 1950, 40)
    age = 2016 - int(born[:4])
    again, violent = draw.random() < 0.48, draw.random() < 0.12
    screened, score = _day(draw, 2013, 2), draw.randint(1, 10)
    return {
        "id": str(number + 1), "name": f"{first.lower()} {last.lower()}-{number % 380}", "first": first, "last": last,
        "compas_screening_date": screened, "sex": draw.choice(("Male", "Female")), "dob": born, "age": str(age),
        "age_cat": "25 - 45" if 25 <= age <= 45 else "Other", "race": draw.choice(("A", "B", "C", "D")),
        "juv_fel_count": str(draw.randint(0, 2)), "decile_score": str(score), "juv_misd_count": str(draw.randint(0, 3)),
        "juv_other_count": str(draw.randint(0, 2)), "priors_count": str(draw.randint(0, 30)),
        "days_b_screening_arrest": str(draw.randint(-30, 30)),
        **_case("c", number, draw, True),
        "c_days_from_compas": str(draw.randint(0, 60)), "is_recid": str(int(again)),
        **_case("r", number, draw, again), "r_days_from_arrest": str(draw.randint(0, 40)) if again else MISSING,
        "is_violent_recid": str(int(violent)), **_short_case("vr", number, draw, violent),
        "type_of_assessment": "Risk of Recidivism", "score_text": "Low" if score < 5 else "High",
        "screening_date": screened, "v_decile_score": str(score),
        "v_score_text": "Low" if score < 5 else "High", "v_screening_date": screened, "in_custody": _day(draw, 2013, 3),
        "out_custody": _day(draw, 2014, 3), "start": str(draw.randint(0, 200)), "end": str(draw.randint(200, 1000)),
        "two_year_recid": str(int(again)),
    }  # fmt: skip


def _case(prefix: str, number: int, draw: random.Random, happened: bool) -> dict[str, str]:
    moments = {f"{prefix}_jail_in": _moment(draw), f"{prefix}_jail_out": _moment(draw)}
    return {**_short_case(prefix, number, draw, happened), **(moments if happened else dict.fromkeys(moments, MISSING))}


def _short_case(prefix: str, number: int, draw: random.Random, happened: bool) -> dict[str, str]:
    case = {
        f"{prefix}_case_number": f"{13 + number % 3}{number * 7919 % 100003:06d}CF10A",
        f"{prefix}_offense_date": _day(draw, 2013, 3),
        f"{prefix}_charge_degree": draw.choice(("(F3)", "(M1)", "(M2)")),
        f"{prefix}_charge_desc": draw.choice(_CHARGES),
    }
    return case if happened else dict.fromkeys(case, MISSING)


def _day(draw: random.Random, year: int, years: int) -> str:
    return f"{datetime(year, 1, 1) + timedelta(days=draw.randrange(365 * years)):%Y-%m-%d}"


def _moment(draw: random.Random) -> str:
    # Some people are booked at the same moment, as in the file it is a twin of.
    return f"{datetime(2013, 1, 1) + timedelta(seconds=draw.randrange(600) * 36061):%Y-%m-%d %H:%M:%S}"
