"""A released file measured again: read by other code, counted anew, as entries of its certificate."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from anonymizer_gui import __version__
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json, from_json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.baskets.writing import SEPARATOR
from anonymizer_gui.engine.room import VerificationResult
from anonymizer_gui.engine.rooms.baskets.algorithms.contract import ALGORITHMS, Algorithm
from anonymizer_gui.engine.rooms.baskets.certificate import goals_told, loss_told
from anonymizer_gui.engine.rooms.baskets.independent.recount import ReleasedBaskets, read_release
from anonymizer_gui.engine.rooms.baskets.independent_check import (
    as_written,
    numbers_counted,
    promise_checks,
    promises_counted,
)
from anonymizer_gui.engine.rooms.baskets.models.km_anonymity import MODELS, PrivacyModel

_JSON, _LINES = "json", "lines"


def verify_release(path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
    """Count a released file; raises UnreadableFile, and ValueError for a certificate that is none."""
    written, goals = told["written"], _goals(told)
    progress(0.0, "Reading the baskets")
    released = read_release(path, str(written["layout"]), str(written["separator"]), str(written["column"]))
    counted = numbers_counted(released, goals, str(written["hidden"]), progress.sub(0.1, 0.6))
    promises = promises_counted(released, goals, written, progress.sub(0.6, 1.0))
    composed = [promise.to_json() for promise in promises]
    loss, inside = told["numbers"], told.get("inside")
    expected = {
        "numbers": counted | (loss_told(inside["numbers"]) if inside else {}),
        "promises": composed,
        "written": _written(released, told, goals),
        "recipe": _recipe(told, composed),
        **_attacks(told),
    }
    return VerificationResult(
        unchecked=() if inside else (message("NCP, which needs the inside copy"),),
        numbers={**counted, "ncp": loss["ncp"], "deleted": loss["deleted"]},
        expected=expected,
        not_measured=_not_measured(told),
        checks={check.name: check for check in promise_checks(promises)},
    )


def _goals(told: Mapping[str, Json]) -> tuple[PrivacyModel, ...]:
    """Make the goals of a certificate again; raises ValueError where they are none.

    Certificates of earlier versions list them only as promises.
    """
    listed = told["recipe"].get("goals", told["promises"])
    try:
        goals = tuple(from_json(MODELS.get(str(goal["name"])), goal["parameters"]) for goal in listed)
    except BadParameter:
        raise ValueError("a promise of another kind") from None
    if not goals or len({goal.name for goal in goals}) < len(goals):
        raise ValueError("no promise, or one that is listed twice")
    return goals


def _written(released: ReleasedBaskets, told: Mapping[str, Json], goals: Sequence[PrivacyModel]) -> dict[str, Json]:
    """Give how the file is written: the sensitive name is a column in its head, or an item in its baskets."""
    layout, chosen = str(told["written"]["layout"]), told["recipe"]["layout"]
    named = next((goal.protects() for goal in goals if goal.protects()), "")
    name = as_written(named, layout)
    is_column = bool(released.column)
    is_item = not is_column and any(name in basket for basket in released.baskets)
    return {
        "layout": _JSON if layout == _JSON else _LINES if chosen == _JSON else chosen,
        "separator": SEPARATOR,
        "column": name if is_column else "",
        "hidden": name if is_item else "",
    }


def _recipe(told: Mapping[str, Json], promises: Iterable[Mapping[str, Json]]) -> dict[str, Json]:
    """Give what the recipe repeats of the promises, of the layout, and of the words about the method."""
    recipe, layout = told["recipe"], told["written"]["layout"]
    expected: dict[str, Json] = {"title": _method(told).title} if _is_own(told) else {}
    if "goals" in recipe:
        expected["goals"] = goals_told(promises)
    if layout != _JSON:
        expected["layout"] = _JSON if (layout, recipe["layout"]) == (_LINES, _JSON) else layout
    return expected


def _attacks(told: Mapping[str, Json]) -> dict[str, Json]:
    """Give what is known of attacks on the method."""
    return {"attacks": _method(told).attacks} if _is_own(told) else {}


def _is_own(told: Mapping[str, Json]) -> bool:
    """Tell whether this version wrote the certificate: another one may word it differently."""
    return bool(told["program"]["anonymizer"] == __version__)


def _method(told: Mapping[str, Json]) -> type[Algorithm]:
    """Find the method by its name; raises KeyError."""
    return {each.name: each for each in ALGORITHMS}[str(told["recipe"]["algorithm"])]


def _not_measured(told: Mapping[str, Json]) -> dict[str, str]:
    """Name the entries that the file does not show."""
    method = message("the method, its settings, its notes and the seed")
    reasons: dict[str, str] = {
        "checks.meetings": message("the check against earlier releases, which needs the ledger"),
        "recipe.algorithm": method,
        "recipe.parameters": method,
        "recipe.seed": method,
        "notes": method,
        "source": message("the name of the source file"),
    }
    if told["written"]["layout"] == _JSON:
        reasons["recipe.layout"] = message("the layout chosen for formats other than JSON")
    if not told.get("inside"):
        loss = message("NCP and the share of deleted items, which need the inside copy")
        reasons |= {"numbers.ncp": loss, "numbers.deleted": loss}
    return reasons
