"""Hands released rows to the recount of their way, and compares what it counts with what is told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.rooms.places.algorithms.contract import CLOAK, MIX, TILES
from anonymizer_gui.engine.rooms.places.number_names import NUMBER_NAMES
from anonymizer_gui.engine.rooms.places.recount.mixing import count_mix
from anonymizer_gui.engine.rooms.places.recount.regions import Point, count_regions, fewest_inside
from anonymizer_gui.engine.rooms.places.recount.tiles import count_tiles
from anonymizer_gui.engine.rooms.places.recount.tracks import count_tracks
from anonymizer_gui.engine.words import Sentence, say

_CLOSE_SHARE = 1e-9
_CLOSE_METRES = 1.0
Rows = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the recount found: numbers by name, what each promise is worth, and whether it holds."""

    numbers: Mapping[str, Json]
    worth: Mapping[str, int]
    holds: Mapping[str, bool]


def opinion_on(
    written: Mapping[str, Json], rows: Rows, parts: Mapping[str, Rows], points: Sequence[Sequence[Point]] | None = None
) -> Opinion:
    """Count rows again; `points` are where people truly were, where that is known. Raises ValueError."""
    if written["way"] == CLOAK:
        return _on_regions(written, rows, points)
    if written["way"] == TILES:
        return _on_tiles(written, rows)
    return _on_mix(written, rows, parts["mixes"]) if written["way"] == MIX else _on_tracks(written, rows)


def _on_regions(written: Mapping[str, Json], rows: Rows, points: Sequence[Sequence[Point]] | None) -> Opinion:
    k = written["k"]
    found = count_regions(written["head"], rows, k, written["latitude"])
    inside = fewest_inside(written["head"], rows, points) if points is not None else found.sure
    numbers = {
        "answers": found.users,
        "regions": found.regions,
        "fewest_senders": found.senders,
        "reciprocal": found.reciprocal,
        "median_side_m": found.median_side,
        "p90_side_m": found.p90_side,
    }
    worth = {"region-k": inside, "reciprocal-k": found.senders}
    return Opinion(numbers, worth, {name: value >= k for name, value in worth.items()})


def _on_tracks(written: Mapping[str, Json], rows: Rows) -> Opinion:
    found = count_tracks(rows, written["delta"], written["latitude"])
    numbers = {
        "published": found.tracks,
        "points": found.points,
        "classes": found.classes,
        "smallest_class": found.smallest,
    }
    holds = found.smallest >= written["k"] and found.widest <= written["delta"]
    return Opinion(numbers, {"track-k": found.smallest}, {"track-k": holds})


def _on_tiles(written: Mapping[str, Json], rows: Rows) -> Opinion:
    found = count_tiles(rows, written["known"])
    numbers = {
        "people": found.people,
        "published": found.visits,
        "kinds_left": found.kinds,
        "smallest_support": found.smallest,
    }
    return Opinion(numbers, {"visits-k": found.smallest}, {"visits-k": not rows or found.smallest >= written["k"]})


def _on_mix(written: Mapping[str, Json], rows: Rows, mixes: Rows) -> Opinion:
    found = count_mix(rows, mixes, written["zones"], written["latitude"])
    numbers = {
        "pseudonyms": found.pseudonyms,
        "points": found.points,
        "mixes": found.mixes,
        "smallest_mix": found.smallest,
    }
    worth = {"mix-k": found.smallest, "silent": found.inside}
    holds = {"mix-k": not found.mixes or found.smallest >= written["k"], "silent": found.inside == 0}
    return Opinion(numbers, worth, holds)


def differences(found: Opinion, numbers: Mapping[str, Json], promises: Sequence[Mapping[str, Json]]) -> list[Sentence]:
    """Say in which numbers and promises what is told is not what was counted."""
    wrong = [
        say("Counted again, “{name}” is another number.", name=say(NUMBER_NAMES[name]))
        for name, value in found.numbers.items()
        if not _is_close(value, numbers[name], _CLOSE_METRES if name.endswith("_m") else _CLOSE_SHARE)
    ]
    for promise in promises:
        name = promise["name"]
        is_same = promise["value"] >= found.worth[name] if name == "region-k" else promise["value"] == found.worth[name]
        if not is_same or promise["holds"] is not found.holds[name]:
            wrong.append(
                say("Counted again, the promise “{title}” is worth {worth}.", title=say(promise["title"]),
                    worth=found.worth[name])
            )  # fmt: skip
    return wrong


def _is_close(one: float, other: float, far: float) -> bool:
    return abs(one - other) <= far
