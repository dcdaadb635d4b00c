"""Released places looked at again: what follows from their files and the parameters, as entries of the certificate."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anonymizer_gui import __version__
from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json, from_json, to_json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.room import Check, Near, VerificationResult
from anonymizer_gui.engine.rooms.places.algorithms.contract import ALGORITHMS, CLOAK, MIX, TILES, TRACKS, Algorithm
from anonymizer_gui.engine.rooms.places.certificate import loss_of
from anonymizer_gui.engine.rooms.places.checklist import kept_promises, lines_of, own_checks
from anonymizer_gui.engine.rooms.places.independent.recount import layouts, read_csv, read_release
from anonymizer_gui.engine.rooms.places.independent_check import IndependentCount, Rows, count_independently
from anonymizer_gui.engine.rooms.places.run import promises
from anonymizer_gui.engine.storage.safe_open import read_regular

_LARGEST_BYTES = 1 << 30
_MIXES = ["mix", "zone", "track", "side"]
_POLE, _ROUNDED_DEGREES = 90.0, 0.01
_LOST = {CLOAK: (), MIX: ("effective", "linked"), TILES: ("deleted", "ncp"), TRACKS: ("lost", "displacement_m")}
"""What each way loses of its source; all other losses are 0."""
_ROUNDED_METRES = 1.0
"""Earlier versions measured sides before they were rounded."""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What a certificate says was asked for: the method with its parameters, k, and how the files are to be read."""

    algorithm: Algorithm
    k: int
    written: Mapping[str, Any]
    told: Mapping[str, Json]

    @property
    def measured(self) -> Mapping[str, Json]:
        """What was measured of the source, by the inside copy; nothing where there is none."""
        inside: Mapping[str, Json] = self.told.get("inside") or {"measured": {}}
        found: Mapping[str, Json] = inside["measured"]
        return found

    @property
    def is_current(self) -> bool:
        """Whether this version wrote the certificate."""
        return bool(self.told["program"]["anonymizer"] == __version__)


def verify_release(path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
    """Count a release again; raises UnreadableFile, and ValueError for a certificate that is none."""
    progress(0.0, "Reading the places")
    asked = _asked(told)
    content = read_regular(path, _LARGEST_BYTES)
    others = {name: read_regular(path.with_name(Path(file).name), _LARGEST_BYTES)
              for name, file in told["written"]["parts"].items()}  # fmt: skip
    progress(0.4, "Counting again")
    try:
        rows = read_release(path.suffix.lower(), content, list(asked.written["head"]))[1]
        found = count_independently(asked.written, rows, _parts(others))
        middle = _likely_middle(asked, rows)
    except (ValueError, KeyError, IndexError):
        return VerificationResult(
            (message("The files are not the places the certificate speaks of."),),
            expected={"room": asked.told["room"]},
            not_measured={"": message("what cannot be counted in files of another kind")},
        )
    return _findings(asked, found, middle)


def _asked(told: Mapping[str, Json]) -> Asked:
    """Read what was asked for; raises ValueError, TypeError or KeyError for what no certificate says."""
    recipe, written = told["recipe"], told["written"]
    try:
        algorithm = from_json(ALGORITHMS.get(recipe["algorithm"]), recipe["parameters"])
    except AnonymizerError:
        raise ValueError("a method nobody knows") from None
    k, latitude = recipe["k"], written["latitude"]
    if type(k) is not int or k < 1 or not (latitude is None or -_POLE <= latitude <= _POLE):
        raise ValueError("no number that is possible")
    if list(written["head"]) not in layouts(algorithm.way, is_degrees=latitude is not None):
        raise ValueError("columns that no such file has")
    zones = [[float(number) for number in (x, y, reach)] for x, y, reach in written["zones"]]
    layout = {"way": algorithm.way, "head": written["head"], "latitude": latitude, "k": k, "zones": zones,
              "delta": algorithm.metres_apart(), "known": algorithm.known_visits()}  # fmt: skip
    return Asked(algorithm, k, layout, told)


def _parts(others: Mapping[str, bytes]) -> dict[str, Rows]:
    """Read the tables beside the first; raises ValueError."""
    found = {name: read_csv(content) for name, content in others.items()}
    if any(head != _MIXES for head, _rows in found.values()):
        raise ValueError
    return {name: rows for name, (_head, rows) in found.items()}


def _likely_middle(asked: Asked, rows: Rows) -> float | None:
    """Give the latitude degrees were projected at; one that cannot be the middle is moved where it could be.

    It is the mean of the southernmost and the northernmost place of the source: every written point, and some point of
    every written region, lies between these two.
    """
    latitude, head = asked.written["latitude"], list(asked.written["head"])
    if latitude is None or not rows:
        return None
    south = head.index("lat" if "lat" in head else "lat_min")
    north = head.index("lat" if "lat" in head else "lat_max")
    least = (max(float(row[south]) for row in rows) - _POLE) / 2 - _ROUNDED_DEGREES
    most = (min(float(row[north]) for row in rows) + _POLE) / 2 + _ROUNDED_DEGREES
    return min(max(float(latitude), least), most)


def _findings(asked: Asked, found: IndependentCount, middle: float | None) -> VerificationResult:
    promises_ = promises(asked.algorithm, asked.k, found)
    expected: dict[str, Any] = {
        "promises": [promise.to_json() for promise in promises_],
        "numbers": dict(found.numbers),
        "written": _written(asked),
        "recipe": _recipe(asked, found),
        "loss": _losses(asked),
    }
    if middle != asked.written["latitude"]:
        expected["written"]["latitude"] = middle
    if asked.is_current:
        expected["checks"] = lines_of(asked.algorithm, promises_)
    else:
        sides = {name: Near(value, _ROUNDED_METRES) for name, value in found.numbers.items() if name.endswith("_m")}
        expected["numbers"] |= sides
    not_measured = _taken(asked) | _between(asked, found, expected)
    checks = (*kept_promises(promises_), *own_checks(asked.algorithm, {**asked.measured, **found.numbers}))
    return VerificationResult(
        numbers=dict(found.numbers), expected=expected, not_measured=not_measured, checks=_by_name(checks)
    )


def _by_name(checks: tuple[Check, ...]) -> dict[str, Check]:
    return {check.name: check for check in checks}


def _written(asked: Asked) -> dict[str, Any]:
    """Say how the files are read: it follows from the method and from their columns."""
    written, algorithm = asked.written, asked.algorithm
    expected = {name: written[name] for name in ("way", "head", "k", "delta", "known")}
    if algorithm.way != MIX:
        return {**expected, "parts": {}, "zones": []}
    expected["parts"] = dict(zip(("mixes",), asked.told["release"]["others"], strict=True))
    reach = algorithm.zones_reach()
    if reach is not None and written["zones"]:
        expected["zones"] = {at: {2: reach} for at in range(len(written["zones"]))}
    return expected


def _recipe(asked: Asked, found: IndependentCount) -> dict[str, Any]:
    """Say how it was made, as far as files or promises show it."""
    declared, written = to_json(asked.algorithm), asked.told["written"]
    readable = {**found.settings, "delta": written["delta"], "known": written["known"]}
    parameters = {name: value for name, value in readable.items() if name in declared}
    title = {"title": asked.algorithm.title} if asked.is_current else {}
    shown = {"parameters": parameters} if parameters else {}
    return {"algorithm": asked.algorithm.name, "k": written["k"], **title, **shown}


def _losses(asked: Asked) -> dict[str, Json]:
    """Say what was lost: nothing but what the way loses, which only the inside copy tells."""
    if asked.measured:
        return loss_of(asked.measured)
    return {name: 0.0 for name in loss_of({}) if name not in _LOST[asked.algorithm.way]}


def _between(asked: Asked, found: IndependentCount, expected: dict[str, Any]) -> dict[str, str]:
    """Leave out how many are in the emptiest region where the certificate is between what the file shows.

    Without positions nobody can count them: at least those whose region lies in it, at most those whose touches it.
    """
    if found.between is None:
        return {}
    low, high = found.between
    expected["numbers"]["smallest_region"] = low
    reason = message(
        "the exact number of users in the emptiest region, for positions are not published: the file shows "
        "only that it is between {low:,} and {high:,}",
        low=low,
        high=high,
    )
    names: dict[str, str] = {}
    if low <= asked.told["numbers"]["smallest_region"] <= high and low < high:
        del expected["numbers"]["smallest_region"]
        names["numbers.smallest_region"] = reason
    if low <= asked.told["promises"][0]["value"] <= high and low < high:
        del expected["promises"][0]["value"]
        names["promises.region-k.value"] = reason
    return names


def _taken(asked: Asked) -> dict[str, str]:
    """Name what no file can confirm."""
    names: dict[str, str] = {
        "source": message("the name of the source"),
        "recipe.parameters": message("settings of the method that the files do not show"),
        "recipe.title": message("what the method was called"),
        "checks.ledger": message("what the ledger knew when it was released"),
        "checks.lost": message("how much of the source is not released"),
        "checks.spots": message("at how many different places people were"),
        "checks.effective": message("what timing and turns tell of the true tracks"),
        "checks.linked": message("what timing and turns tell of the true tracks"),
        "written.latitude": message("the latitude at which degrees were turned into metres"),
        "loss": message("how much of the source is not released"),
    }
    if asked.algorithm.way == MIX:
        names |= {"written.zones": message("where the mix zones lie"),
                  "loss": message("what timing and turns tell of the true tracks")}  # fmt: skip
    return names
