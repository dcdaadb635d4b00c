"""Files of the shape of Adult, made up: nine columns with semicolons, a hierarchy each, and its slips in the ages."""

from pathlib import Path

import numpy as np

COUNTRIES = {
    "North America": "United-States Puerto-Rico Canada Outlying-US(Guam-USVI-etc) Cuba Honduras Jamaica Mexico "
    "Dominican-Republic Haiti Guatemala El-Salvador",
    "Asia": "Cambodia India Japan China Iran Philippines Vietnam Laos Taiwan Thailand Hong",
    "Europe": "England Germany Greece Italy Poland Portugal Ireland France Hungary Scotland Yugoslavia "
    "Holand-Netherlands",
    "South America": "Ecuador Columbia Nicaragua Trinadad&Tobago Peru",
    "Africa": "South",
}
EDUCATION = {
    "Higher education": {
        "Undergraduate": "Bachelors Some-college",
        "Professional Education": "Prof-school Assoc-acdm Assoc-voc",
        "Graduate": "Masters Doctorate",
    },
    "Secondary education": {"High School": "HS-grad 7th-8th 9th 10th 11th 12th"},
    "Primary education": {"Primary School": "Preschool 1st-4th 5th-6th"},
}
GROUPS = {
    "marital-status": {
        "spouse present": "Married-civ-spouse Married-AF-spouse",
        "spouse not present": "Never-married Divorced Separated Widowed Married-spouse-absent",
    },
    "native-country": COUNTRIES,
    "workclass": {
        "Non-Government": "Private Self-emp-not-inc Self-emp-inc",
        "Government": "Federal-gov Local-gov State-gov",
        "Unemployed": "Without-pay Never-worked",
    },
    "occupation": {
        "Technical": "Tech-support Craft-repair Prof-specialty Machine-op-inspct",
        "Nontechnical": "Sales Exec-managerial Handlers-cleaners",
        "Other": "Other-service Adm-clerical Farming-fishing Transport-moving Priv-house-serv",
    },
}
FLAT = {
    "sex": "Male Female",
    "race": "White Black Asian-Pac-Islander Amer-Indian-Eskimo Other",
    "salary-class": "<=50K >50K",
}
NAMES = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
)


def lines_of(name: str) -> list[list[str]]:
    """Give the lines of a hierarchy, a value and its groups each."""
    if name == "age":
        return [[str(age), *(_span(age - 1, width) for width in (5, 10, 20)), "*"] for age in range(1, 101)]
    if name == "education":
        nested = EDUCATION.items()
        return [
            [leaf, one, top, "*"] for top, ones in nested for one, leaves in ones.items() for leaf in leaves.split()
        ]
    if name in GROUPS:
        return [[leaf, group, "*"] for group, leaves in GROUPS[name].items() for leaf in leaves.split()]
    return [[leaf, "*"] for leaf in FLAT[name].split()]


def make_adult(folder: Path, rows: int = 2000) -> Path:
    """Write table and hierarchies as they are published; give the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    random, columns = np.random.default_rng(5), []
    for name in NAMES:
        lines = lines_of(name)
        (folder / f"adult_hierarchy_{name}.csv").write_text("".join(";".join(line) + "\n" for line in lines), "utf-8")
        # The first values are the frequent ones; nobody is younger than 17.
        drawn = np.minimum(random.geometric(0.35, rows) - 1, len(lines) - 1)
        places = random.integers(16, 90, rows) if name == "age" else drawn
        columns.append([lines[place][0] for place in places.tolist()])
    cells = [";".join(NAMES), *(";".join(row) for row in zip(*columns, strict=True))]
    (folder / "adult.csv").write_text("\n".join(cells) + "\n", "utf-8")
    return folder


def _span(low: int, width: int) -> str:
    """Name the group of a value, the highest of which belongs to the next one, as in the files."""
    first = low // width * width
    return f"{first}-{first + width - 1}"
