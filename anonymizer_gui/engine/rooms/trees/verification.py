"""Released records looked at again: what follows from the file and the parameters, as entries of the certificate."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from anonymizer_gui import __version__
from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json, from_json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.room import Promise, VerificationResult
from anonymizer_gui.engine.rooms.trees.algorithms.contract import ALGORITHMS, Algorithm
from anonymizer_gui.engine.rooms.trees.certificate import DIGITS
from anonymizer_gui.engine.rooms.trees.checklist import around, kept_promises, lines_of, unprotected
from anonymizer_gui.engine.rooms.trees.independent_check import (
    IndependentCount,
    count_independently,
    promise_parameters,
)
from anonymizer_gui.engine.storage.safe_open import read_regular

_LARGEST_BYTES = 4 << 30
_LISTS, _TEXTS = ("labels", "known", "sensitive", "spine", "around"), ("format", "encoding", "entry", "detached")
_NAMES = ("attributes", "prefixes")
_ROUNDED = 1.01 * 10**-DIGITS
"""So far a mean of rounded numbers may be from the rounded mean."""


def verify_release(path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
    """Count a released file; raises UnreadableFile, and ValueError for a certificate that is none."""
    progress(0.0, "Reading the records")
    content = read_regular(path, _LARGEST_BYTES)
    algorithm = _algorithm(told)
    asked = algorithm.promised(has_sensitive=bool(told["written"]["sensitive"]))
    counted = count_independently(content, told["written"], promise_parameters(asked), progress.sub(0.2, 1.0))
    if counted is None:
        return VerificationResult(
            (message("The file does not hold the records the certificate speaks of."),),
            expected={"room": told["room"]},
            not_measured={"": message("what cannot be counted in a file of another kind")},
        )
    promises = [
        replace(promise, value=counted.promises[promise.name][0], holds=counted.promises[promise.name][1])
        for promise in asked
    ]
    return _findings(told, algorithm, promises, counted)


def _algorithm(told: Mapping[str, Json]) -> Algorithm:
    """Give the method; raises ValueError for one nobody knows, and for losses of other paths than those known."""
    recipe = told["recipe"]
    written = told["written"]
    if not all(isinstance(each, str) for name in _LISTS for each in written[name]):
        raise ValueError("paths that are none")
    if not all(isinstance(written[name], str) for name in _TEXTS) or not all(
        isinstance(written[name], dict) for name in _NAMES
    ):
        raise ValueError("an entry of another type")
    if sorted(told["numbers"]["lm_by_path"]) != sorted(written["known"]):
        raise ValueError("losses of other paths")
    try:
        return from_json(ALGORITHMS.get(recipe["algorithm"]), recipe["parameters"])
    except AnonymizerError:
        raise ValueError("a method nobody knows") from None


def _findings(
    told: Mapping[str, Json], algorithm: Algorithm, promises: Sequence[Promise], counted: IndependentCount
) -> VerificationResult:
    is_current = told["program"]["anonymizer"] == __version__
    written: dict[str, Any] = dict(counted.written)
    recipe: dict[str, Any] = {"algorithm": algorithm.name, "parameters": _parameters(promises)}
    numbers = {**counted.numbers, "smallest_class": int(promises[0].value)}
    expected = {
        "promises": [promise.to_json() for promise in promises],
        "numbers": numbers | _lost(told),
        "written": written,
        "recipe": recipe,
    }
    if is_current:
        recipe["title"] = algorithm.title
        expected |= {"attacks": algorithm.attacks, "checks": lines_of(promises)}
    else:
        del written["entry"]  # earlier versions told it of lines, too, which have none
    checks = (*kept_promises(promises), unprotected(promises, told["written"]["sensitive"]),
              around(list(told["written"]["attributes"])))  # fmt: skip
    return VerificationResult(
        unchecked=() if told.get("inside") else (message("LM, which needs the inside copy"),),
        numbers=numbers,
        expected=expected,
        not_measured=_taken(),
        checks={check.name: check for check in checks},
    )


def _parameters(promises: Sequence[Promise]) -> dict[str, Json]:
    """Give the parameters of the method that promises are about."""
    return {name: value for promise in promises for name, value in promise.parameters.items()}


def _lost(told: Mapping[str, Json]) -> dict[str, Json]:
    """Give the numbers about the source by the inside copy; without it only an LM that is not the mean of its paths."""
    numbers, inside = told["numbers"], told.get("inside")
    if inside:
        found = inside["numbers"]
        return {
            "suppressed": round(found["suppressed"] / max(found["vertices"], 1), DIGITS),
            "lm": round(found["lm"], DIGITS),
            "lm_by_path": {path: round(loss, DIGITS) for path, loss in found["by_path"].items()},
        }
    mean = sum(numbers["lm_by_path"].values()) / len(numbers["lm_by_path"])
    return {} if abs(mean - numbers["lm"]) <= _ROUNDED else {"lm": round(mean, DIGITS)}


def _taken() -> dict[str, str]:
    """Name what no file can confirm."""
    lost = message("how much of the source is not released, or coarser than it was")
    roles = message("which paths are quasi-identifiers, sensitive or public: that was decided, and no file shows it")
    unseen = message("paths of which nothing is in the file")
    return {
        "source": message("the name of the source"),
        "notes": message("notes about the source"),
        "attacks": message("what attacks on the method were known"),
        "recipe.title": message("what the method was called"),
        "recipe.parameters": message("settings of the method that the files do not show"),
        "recipe.seed": message("the seed by which the records were shuffled"),
        "numbers.lm": lost,
        "numbers.lm_by_path": lost,
        "numbers.suppressed": lost,
        "written.known": roles,
        "written.sensitive": roles,
        "written.labels": unseen,
        "written.spine": unseen,
        "checks.identifiers": message("values of identifiers, which are not published"),
        "checks.public": message("whether public labels of the source pointed to one person"),
        "checks.meetings": message("what the ledger knew when it was released"),
    }
