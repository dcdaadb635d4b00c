"""The tables of the course notes, from which many tests count by hand."""

from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

HOSPITAL = Table.from_rows(
    ["Zip", "Age", "Nationality", "Disease"],
    [
        ["13053", "28", "Russian", "Heart"],
        ["13068", "29", "American", "Heart"],
        ["13068", "21", "Japanese", "Flu"],
        ["13053", "23", "American", "Flu"],
        ["14853", "50", "Indian", "Cancer"],
        ["14853", "55", "Russian", "Heart"],
        ["14850", "47", "American", "Flu"],
        ["14850", "59", "American", "Flu"],
        ["13053", "31", "American", "Cancer"],
        ["13053", "37", "Indian", "Cancer"],
        ["13068", "36", "Japanese", "Cancer"],
        ["13068", "32", "American", "Cancer"],
    ],
)
HOSPITAL_QIS = ("Zip", "Age", "Nationality")

RELEASED = Table.from_rows(
    ["Zip", "Age", "Nationality", "Disease"],
    [["130**", "<30", "*", disease] for disease in ("Heart", "Heart", "Flu", "Flu")]
    + [["1485*", ">40", "*", disease] for disease in ("Cancer", "Heart", "Flu", "Flu")]
    + [["130**", "30-40", "*", "Cancer"]] * 4,
)

HOSPITAL_TREES = {
    "Zip": Hierarchy.from_nested(
        {
            "*": {
                "130**": [f"130{n:02d}" for n in range(100)],
                "148**": {"1485*": [f"1485{n}" for n in range(10)]},
            }
        }
    ),
    "Age": Hierarchy.from_nested(
        {
            "*": {
                "<30": [str(age) for age in range(20, 30)],
                "30-40": [str(age) for age in range(30, 40)],
                ">40": [str(age) for age in range(41, 61)],
            }
        }
    ),
    "Nationality": Hierarchy.from_nested({"*": ["American", "Indian", "Japanese", "Russian"]}),
}

PHONES = Table.from_rows(
    ["PLZ", "Points", "System"],
    [["1", "low", system] for system in ("iOS", "Android", "MacOS")]
    + [["2", "mid", system] for system in ("Windows", "Linux", "Windows")]
    + [["3", "top", system] for system in ("MacOS", "Windows", "Android")],
)

WORKCLASS = Hierarchy.from_nested(
    {
        "Workclass": {
            "Government": ["State-gov", "Local-gov", "Federal-gov"],
            "Private": [],
            "Self-employed": ["Inc", "Not-inc"],
            "Unemployed": ["Without-pay", "Never-worked"],
        }
    }
)
AGE = Hierarchy.from_nested(
    {"30-40": {"30-35": [str(a) for a in range(30, 35)], "35-40": [str(a) for a in range(35, 40)]}}
)
