"""The criteria of an ARX project as goals: sentences such as `distinct-3-diversity for attribute 'x'`.

Of estimates about a population ARX keeps its size in a form that only Java reads. They come along as if the table were
the whole population: no size asks for more, so that nothing is promised which the true size would not bear.
"""

import re
from collections.abc import Callable, Collection

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import Json, from_json
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
_ESTIMATORS = {"Poisson": "poisson", "Zero-truncated Poisson": "zero-truncated"}
_AVERAGE = "-avg-reidentification-risk"
_ALONE = 0.5  # a risk above it has only who is alone in a class


def _closeness(t: str, distance: str, column: str) -> Entries:
    return {"t": float(t), "distance": _DISTANCES[distance], "column": column, **_COMPARED}


def _at_risk(share: str, threshold: float) -> Entries:
    return {"share": float(share), "threshold": threshold, "highest": 1.0}


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
    rf"\({_NUMBER}(?:, {_NUMBER}(?: \({_NUMBER}\))?, {_NUMBER})?\){_AVERAGE}": (
        "average-risk",
        lambda risk, *others: {"risk": float(risk)},
    ),
    # Newer versions name the threshold that is used, and in brackets the one that was typed.
    rf"\({_NUMBER}, {_NUMBER}(?: \({_NUMBER}\))?, {_NUMBER}\){_AVERAGE}": (
        "records-at-risk",
        lambda average, threshold, typed, share: _at_risk(share, float(threshold)),
    ),
    rf"\({_NUMBER}\)-sample-uniqueness": ("records-at-risk", lambda share: _at_risk(share, _ALONE)),
    rf"\({_NUMBER}\)-population-uniqueness \((dankar|pitman|zayatz|snb)\)": (
        "population-uniqueness",
        lambda share, model: {"share": float(share), "model": model},
    ),
    rf"\((\d+)\)-map estimated as \(-?\d+\)-anonymity \(({'|'.join(_ESTIMATORS)})\)": (
        "estimated-k-map",
        lambda k, estimator: {"k": int(k), "estimator": _ESTIMATORS[estimator], "fraction": 1.0},
    ),
}


def goals_of(criterion: str, columns: Collection[str], people: int = 1) -> tuple[PrivacyModel, ...]:
    """Give the goals that say the same; none where there are none, or where they are about no such column.

    `people` is how many the population is taken to have: as many as there are rows.

    >>> goals_of("recursive-(4.0,3)-diversity for attribute 'illness'", ["illness"])[0].l
    3
    >>> [goal.name for goal in goals_of("(0.05, 0.2 (0.21), 0.01)-avg-reidentification-risk", [])]
    ['average-risk', 'records-at-risk']
    """
    found = [(name, entries, re.fullmatch(pattern, criterion)) for pattern, (name, entries) in _READINGS.items()]
    try:
        told = [(name, entries(*match.groups())) for name, entries, match in found if match]
        if any(each.get("column") not in {None, *columns} for _, each in told):
            return ()
        size = {"population-uniqueness": {"population": max(people, 1)}}
        return tuple(from_json(PRIVACY_MODELS.get(name), each | size.get(name, {})) for name, each in told)
    except (BadParameter, ValueError, OverflowError):
        return ()
