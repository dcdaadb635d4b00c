"""The criteria of an ARX project as goals: sentences such as `distinct-3-diversity for attribute 'x'`."""

import re
from collections.abc import Callable, Collection

from anonymizer_gui.engine.errors import BadParameter
from anonymizer_gui.engine.params import Json, from_json
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS, PrivacyModel

_NUMBER = r"(\d+(?:\.\d+)?(?:E-?\d+)?)"
_COLUMN = r" for attribute '(.*)'"
_DISTANCES = {
    "equal ground-distance": "emd-equal",
    "hierarchical ground-distance": "emd-hierarchical",
    "ordered distance": "emd-ordered",
}
# ARX compares with the table that was put in, not with the rows that leave.
_COMPARED = {"reference": "input"}
Entries = dict[str, Json]
NOT_A_GOAL = "Inclusion"
"""The sample of an ARX project stands among its criteria and promises nothing by itself."""


def _closeness(t: str, distance: str, column: str) -> Entries:
    return {"t": float(t), "distance": _DISTANCES[distance], "column": column, **_COMPARED}


_READINGS: dict[str, tuple[str, Callable[..., Entries]]] = {
    r"(\d+)-anonymity": ("k", lambda k: {"k": int(k)}),
    rf"distinct-{_NUMBER}-diversity{_COLUMN}": (
        "l",
        lambda values, column: {"l": int(float(values)), "column": column},
    ),
    rf"shannon-entropy-{_NUMBER}-diversity{_COLUMN}": (
        "entropy-l",
        lambda values, column: {"l": float(values), "column": column},
    ),
    rf"recursive-\({_NUMBER}, ?{_NUMBER}\)-diversity{_COLUMN}": (
        "recursive-l",
        lambda c, values, column: {"c": float(c), "l": int(float(values)), "column": column},
    ),
    rf"{_NUMBER}-closeness with ({'|'.join(_DISTANCES)}){_COLUMN}": ("t", _closeness),
    rf"basic-{_NUMBER}-likeness{_COLUMN}": (
        "beta",
        lambda beta, column: {"beta": float(beta), "column": column, **_COMPARED},
    ),
    rf"enhanced-{_NUMBER}-likeness{_COLUMN}": (
        "enhanced-beta",
        lambda beta, column: {"beta": float(beta), "column": column, **_COMPARED},
    ),
    rf"{_NUMBER}-disclosure privacy{_COLUMN}": (
        "delta-disclosure",
        lambda delta, column: {"delta": float(delta), "column": column, **_COMPARED},
    ),
}


def goal_of(criterion: str, columns: Collection[str]) -> PrivacyModel | None:
    """Give the goal that says the same; nothing where there is none, or where it is about no such column.

    >>> goal_of("recursive-(4.0,3)-diversity for attribute 'illness'", ["illness"]).l
    3
    """
    for pattern, (name, entries) in _READINGS.items():
        if found := re.fullmatch(pattern, criterion.strip()):
            try:
                told = entries(*found.groups())
                return from_json(PRIVACY_MODELS.get(name), told) if told.get("column") in {None, *columns} else None
            except (BadParameter, ValueError, OverflowError):
                return None
    return None
