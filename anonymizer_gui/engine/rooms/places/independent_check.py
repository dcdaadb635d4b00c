"""Hands released rows to the recount of their way, and says what a certificate of them must hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.releases.entry_comparison import Comparison
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.places.algorithms.contract import CLOAK, MIX, TILES
from anonymizer_gui.engine.rooms.places.independent.recount import (
    Point,
    count_mix,
    count_regions,
    count_tiles,
    count_trajectories,
    fewest_inside,
)

Rows = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class IndependentCount:
    """What the recount found: numbers by name, what each promise is worth, and whether it holds."""

    numbers: Mapping[str, Json]
    worth: Mapping[str, int]
    holds: Mapping[str, bool]
    between: tuple[int, int] | None = None
    """The fewest and the most users who may be in the emptiest region, where nobody knows their positions."""
    settings: Mapping[str, Json] = field(default_factory=dict)
    """Parameters of methods that can be read off the rows."""


def count_independently(
    written: Mapping[str, Json], rows: Rows, parts: Mapping[str, Rows], points: Sequence[Sequence[Point]] | None = None
) -> IndependentCount:
    """Count rows again; `points` are where people truly were, where that is known. Raises ValueError."""
    if written["way"] == CLOAK:
        return _on_regions(written, rows, points)
    if written["way"] == TILES:
        return _on_tiles(written, rows)
    return _on_mix(written, rows, parts["mixes"]) if written["way"] == MIX else _on_tracks(written, rows)


def _on_regions(written: Mapping[str, Json], rows: Rows, points: Sequence[Sequence[Point]] | None) -> IndependentCount:
    k = written["k"]
    found = count_regions(written["head"], rows, k, written["latitude"])
    inside = fewest_inside(written["head"], rows, points) if points is not None else found.sure
    numbers = {
        "answers": found.users,
        "queries": found.queries,
        "regions": found.regions,
        "fewest_senders": found.senders,
        "reciprocal": found.reciprocal,
        "median_side_m": found.median_side,
        "p90_side_m": found.p90_side,
    }
    worth = {"region-k": inside, "reciprocal-k": found.senders}
    between = (min(found.sure, k), found.possible) if points is None else None
    holds = {name: value >= k for name, value in worth.items()}
    return IndependentCount(numbers, worth, holds, between, {"queries": found.queries})


def _on_tracks(written: Mapping[str, Json], rows: Rows) -> IndependentCount:
    found = count_trajectories(rows, written["delta"], written["latitude"])
    numbers = {
        "published": found.tracks,
        "points": found.points,
        "classes": found.classes,
        "smallest_class": found.smallest,
    }
    holds = found.smallest >= written["k"] and found.widest <= written["delta"]
    settings = {"time": "absolute" if "time" in written["head"] else "relative"}
    return IndependentCount(numbers, {"track-k": found.smallest}, {"track-k": holds}, settings=settings)


def _on_tiles(written: Mapping[str, Json], rows: Rows) -> IndependentCount:
    found = count_tiles(rows, written["known"])
    numbers = {
        "people": found.people,
        "published": found.visits,
        "kinds_left": found.kinds,
        "smallest_support": found.smallest,
    }
    holds = {"visits-k": not rows or found.smallest >= written["k"]}
    return IndependentCount(numbers, {"visits-k": found.smallest}, holds, settings={"clock": found.clock})


def _on_mix(written: Mapping[str, Json], rows: Rows, mixes: Rows) -> IndependentCount:
    found = count_mix(rows, mixes, written["zones"], written["latitude"])
    numbers = {
        "pseudonyms": found.pseudonyms,
        "points": found.points,
        "mixes": found.mixes,
        "smallest_mix": found.smallest,
    }
    worth = {"mix-k": found.smallest, "silent": found.inside}
    holds = {"mix-k": not found.mixes or found.smallest >= written["k"], "silent": found.inside == 0}
    return IndependentCount(numbers, worth, holds)


def agrees(found: IndependentCount, numbers: Mapping[str, Json], promises: Sequence[Promise]) -> bool:
    """Tell whether what was measured of a release is what was counted in its rows."""
    compared = Comparison(
        {"numbers": numbers, "promises": {promise.name: promise.to_json() for promise in promises}}, is_strict=True
    )
    worth: dict[str, Any] = {
        promise.name: {"value": found.worth[promise.name], "holds": found.holds[promise.name]} for promise in promises
    }
    compared.compare({"numbers": found.numbers, "promises": worth})
    return not compared.differences and numbers.get("smallest_region", 0) <= found.worth.get("region-k", 0)
