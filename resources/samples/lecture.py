"""The twelve patients of the lecture, what was released about them, and the hierarchies in between."""

from levels import Levels, masked, named

PATIENTS = [
    ("13053", "28", "Russian", "Heart"),
    ("13068", "29", "American", "Heart"),
    ("13068", "21", "Japanese", "Flu"),
    ("13053", "23", "American", "Flu"),
    ("14853", "50", "Indian", "Cancer"),
    ("14853", "55", "Russian", "Heart"),
    ("14850", "47", "American", "Flu"),
    ("14850", "59", "American", "Flu"),
    ("13053", "31", "American", "Cancer"),
    ("13053", "37", "Indian", "Cancer"),
    ("13068", "36", "Japanese", "Cancer"),
    ("13068", "32", "American", "Cancer"),
]
COLUMNS = ("Zip", "Age", "Nationality", "Disease")
RELEASED = {
    "Zip": ["130**"] * 4 + ["1485*"] * 4 + ["130**"] * 4,
    "Age": ["<30"] * 4 + [">40"] * 4 + ["30-40"] * 4,
    "Nationality": ["*"] * 12,
    "Disease": [patient[3] for patient in PATIENTS],
}


def lecture_table() -> dict[str, list[str]]:
    """Return the table as it was collected."""
    return {name: [patient[place] for patient in PATIENTS] for place, name in enumerate(COLUMNS)}


def lecture_hierarchies() -> dict[str, Levels]:
    """Return hierarchies in which every released label is a node.

    A hundred zips share 130** and ten ages share 30-40, as the lecture's estimate of a query assumes; nobody is 40,
    which would be neither of the ten nor >40.
    """
    zips = [f"{prefix}{number:02}" for prefix in ("130", "148") for number in range(100)]
    nations = [("American", "Americas"), ("Indian", "Asia"), ("Japanese", "Asia"), ("Russian", "Europe")]
    diseases = [("Cancer", "Chronic"), ("Heart", "Chronic"), ("Flu", "Infectious")]
    return {
        "Zip": masked(zips, (4, 3, 2)),
        "Age": named((str(age), _age_group(age)) for age in range(20, 61) if age != 40),
        "Nationality": named(nations),
        "Disease": named(diseases),
    }


def _age_group(age: int) -> str:
    if age < 30:
        return "<30"
    return "30-40" if age < 40 else ">40"
