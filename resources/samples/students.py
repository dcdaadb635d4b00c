"""Made-up students with courses and books as JSON, and patients of two hospitals as XML."""

from typing import Any

from drawing import Draws

STUDENTS = 400
SEED = 20250621
GIVEN = ("Ada", "Ben", "Cleo", "Dirk", "Edda", "Finn", "Gita", "Hugo", "Inga", "Jost", "Kaja", "Lars", "Mona", "Nils")
FAMILY = ("Adler", "Berg", "Conrad", "Dorn", "Engel", "Falk", "Graf", "Horn", "Iser", "Jung", "Kern", "Lenz", "Moor")
# department -> share, courses, instructors
DEPARTMENTS: dict[str, tuple[float, tuple[str, ...], tuple[str, ...]]] = {
    "Biology": (2, ("Genetics", "Ecology", "Cells", "Botany"), ("Prof. Ahorn", "Prof. Buche")),
    "Computing": (5, ("Algorithms", "Databases", "Compilers", "Networks", "Security"), ("Prof. Bit", "Prof. Node")),
    "Economics": (4, ("Markets", "Accounting", "Money", "Trade"), ("Prof. Gulden", "Prof. Taler")),
    "Mathematics": (2, ("Algebra", "Analysis", "Topology", "Statistics"), ("Prof. Euler-Neu", "Prof. Lemma")),
}
PUBLISHERS = (("Springfield Press", 4), ("Oak & Sons", 3), ("Meridian", 2), ("Lantern Books", 1))
GRADES = (("A", 3), ("B", 5), ("C", 4), ("D", 2), ("F", 1))
ELSEWHERE = 0.08
"""The share of courses that students take in another department."""


def students() -> list[dict[str, Any]]:
    """Return one nested record per student."""
    draws = Draws(SEED)
    return [_student(number, draws) for number in range(STUDENTS)]


def _one(draws: Draws, options: Any) -> Any:
    names = [name for name, _ in options]
    return names[int(draws.codes([share for _, share in options], 1)[0])]


def _number(draws: Draws, low: int, high: int) -> int:
    return low + int(draws.uniform(1)[0] * (high - low + 1))


def _student(number: int, draws: Draws) -> dict[str, Any]:
    department = _one(draws, [(name, share) for name, (share, *_rest) in DEPARTMENTS.items()])
    born = _number(draws, 1997, 2007)
    name = f"{GIVEN[_number(draws, 0, len(GIVEN) - 1)]} {FAMILY[_number(draws, 0, len(FAMILY) - 1)]}"
    courses = dict.fromkeys(_course_name(draws, department) for _ in range(_number(draws, 1, 4)))
    return {
        "student_id": f"S{70000 + number * 37 % 29989}",
        "name": name,
        "gender": _one(draws, (("F", 49), ("M", 49), ("X", 2))),
        "birth_year": born,
        "department": department,
        "gpa": _number(draws, 20, 40) / 10,
        "courses": [_course(draws, course, born) for course in courses],
    }


def _course_name(draws: Draws, department: str) -> str:
    at_home = draws.uniform(1)[0] >= ELSEWHERE
    where = department if at_home else _one(draws, [(name, 1) for name in DEPARTMENTS])
    courses = DEPARTMENTS[where][1]
    return courses[_number(draws, 0, len(courses) - 1)]


def _course(draws: Draws, course: str, born: int) -> dict[str, Any]:
    held = next(teachers for _share, courses, teachers in DEPARTMENTS.values() if course in courses)
    found: dict[str, Any] = {
        "course": course,
        "year": min(born + _number(draws, 18, 23), 2025),
        "grade": _one(draws, GRADES),
    }
    if draws.uniform(1)[0] < 0.6:
        found["evaluation"] = {"instructor": held[_number(draws, 0, 1)], "score": _number(draws, 1, 5)}
    books = [
        {"publisher": _one(draws, PUBLISHERS), "price": _number(draws, 3, 12) * 5}
        for _ in range(_number(draws, 0, 2))
    ]  # fmt: skip
    return {**found, "books": books} if books else found


# patient: sex, year of birth, stays of (hospital, reason, drug)
TWO_HOSPITALS = (
    ("F", 1961, (("1", "flu", "syrup"), ("2", "fracture", "antibiotics"))),
    ("M", 1961, (("1", "flu", "antibiotics"), ("2", "fracture", "syrup"))),
    ("F", 1962, (("1", "flu", "antibiotics"), ("2", "fracture", "syrup"))),
    ("M", 1962, (("1", "flu", "antibiotics"), ("2", "fracture", "syrup"))),
    ("F", 1961, (("1", "fracture", "antibiotics"), ("2", "flu", "syrup"))),
    ("M", 1961, (("1", "fracture", "syrup"), ("2", "flu", "syrup"))),
    ("F", 1962, (("1", "fracture", "syrup"), ("2", "flu", "syrup"))),
    ("M", 1962, (("1", "flu", "syrup"), ("2", "flu", "syrup"))),
    ("F", 1961, (("1", "flu", "antibiotics"), ("2", "fracture", "syrup"))),
    ("M", 1961, (("1", "fracture", "antibiotics"), ("2", "flu", "syrup"))),
    ("F", 1962, (("1", "fracture", "antibiotics"), ("2", "flu", "syrup"))),
    ("M", 1962, (("1", "flu", "syrup"), ("2", "fracture", "syrup"))),
)


def two_hospitals() -> str:
    """Return twelve patients as XML: only one of them got antibiotics in hospital 2."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<patients>"]
    for sex, born, stays in TWO_HOSPITALS:
        lines.append(f' <patient sex="{sex}" born="{born}">')
        for hospital, reason, drug in stays:
            lines += [
                f'  <stay hospital="{hospital}">',
                f"   <reason>{reason}</reason>",
                f'   <treatment drug="{drug}"/>',
                "  </stay>",
            ]
        lines.append(" </patient>")
    return "\n".join([*lines, "</patients>"]) + "\n"
