"""A run: the way changes the places, other code counts what came out, row by row."""

import time
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from anonymizer_gui import __version__
from anonymizer_gui.engine.core.errors import BadParameter, PromiseBroken
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json, check_params
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.places.places import Places, Projection
from anonymizer_gui.engine.room import Files, Promise
from anonymizer_gui.engine.rooms.places.algorithms.contract import Wanted
from anonymizer_gui.engine.rooms.places.cloaking.regions import Regions
from anonymizer_gui.engine.rooms.places.measuring import (
    mix_measured,
    regions_as_written,
    regions_measured,
    tiles_measured,
    tracks_measured,
)
from anonymizer_gui.engine.rooms.places.mixing.mixed import Mixed
from anonymizer_gui.engine.rooms.places.project import PLACES, Project
from anonymizer_gui.engine.rooms.places.promises import promises_of
from anonymizer_gui.engine.rooms.places.publishing import (
    Published,
    publish_mixed,
    publish_regions,
    publish_tiles,
    publish_tracks,
)
from anonymizer_gui.engine.rooms.places.release import Release
from anonymizer_gui.engine.rooms.places.second_opinion import opinion_on
from anonymizer_gui.engine.rooms.places.tiles.tiled import Tiled
from anonymizer_gui.engine.rooms.places.told import written_of
from anonymizer_gui.engine.rooms.places.tracks.grouped import Grouped
from anonymizer_gui.engine.rooms.places.tracks.uniqueness import Sharpness, seen_after, seen_before, unique_shares

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.places.algorithms.contract import Made

_MUCH_LOST = 0.2
_HINT = "Nothing was released. Please report this with the project file."
_SAME = {
    "reciprocal-k": "fewest_senders", "track-k": "smallest_class", "mix-k": "smallest_mix",
    "visits-k": "smallest_support",
}  # fmt: skip
"""Promises, and what was measured of the same by what made the release."""


def run(project: Project, files: Files, progress: Progress = SILENT) -> Release:
    """Make a release; raises Infeasible, BadParameter, and PromiseBroken when the recount disagrees."""
    started = time.perf_counter()
    places: Places = files[PLACES]
    algorithm = check_params(project.algorithm)
    if algorithm.needs_time and not places.has_time:
        raise BadParameter(
            "These places have no times, which this way needs.", "Choose a column of times, or another way."
        )
    made = algorithm.run(places, Wanted(project.k, project.seed), progress.sub(0.0, 0.6))
    ready = time.perf_counter()
    progress(0.6, "Writing down what may leave")
    published = _published(made, places.projection)
    progress(0.7, "Counting again")
    written = written_of(project, published, places, made)
    promises = _promised(project, written, published, true_points(made, places.projection))
    measured = _measured(made, project.k, published, places.projection)
    if not _is_counted_so(measured, promises):
        raise PromiseBroken("The result contradicts itself.", _HINT)
    unique = _unique(places, made, project.seed, progress.sub(0.8, 1.0))
    seconds = {"anonymize": ready - started, "measure": time.perf_counter() - ready}
    return Release(
        uuid.uuid4().hex, algorithm.title, project, places, made, published, measured, unique, promises,
        _notes(project, made, measured), seconds, __version__, datetime.now(UTC).isoformat(timespec="seconds"),
    )  # fmt: skip


def _promised(
    project: Project,
    written: dict[str, Json],
    published: Published,
    points: Sequence[Sequence[tuple[float, float]]] | None,
) -> tuple[Promise, ...]:
    """Have the rows counted again; raises PromiseBroken unless every promise holds."""
    try:
        found = opinion_on(
            written, published.rows, {name: rows for name, (_head, rows) in published.parts.items()}, points
        )
    except ValueError:
        raise PromiseBroken("The result contradicts itself.", _HINT) from None
    promises = promises_of(project.algorithm, project.k, found)
    broken = [message(promise.title) for promise in promises if not promise.holds]
    if broken:
        raise PromiseBroken(message("The result does not hold what it promised: {broken}.", broken=broken), _HINT)
    return promises


def _published(made: "Made", projection: Projection) -> Published:
    if isinstance(made, Regions):
        return publish_regions(made, projection)
    if isinstance(made, Tiled):
        return publish_tiles(made, projection)
    return publish_mixed(made, projection) if isinstance(made, Mixed) else publish_tracks(made, projection)


def _measured(made: "Made", k: int, published: Published, projection: Projection) -> dict[str, Json]:
    if isinstance(made, Tiled):
        return tiles_measured(made)
    if isinstance(made, Regions):
        return regions_measured(made) | regions_as_written(published, projection, k)
    return mix_measured(made) if isinstance(made, Mixed) else tracks_measured(made, published)


def _is_counted_so(measured: dict[str, Json], promises: tuple[Promise, ...]) -> bool:
    """Tell whether the recount found what was measured on what was made."""
    return all(measured[_SAME[each.name]] == each.value for each in promises if each.name in _SAME)


def true_points(made: "Made", projection: Projection) -> Sequence[Sequence[tuple[float, float]]] | None:
    """Give where users were at each query, in the units of the file; nothing for what has no regions of the moment."""
    if not isinstance(made, Regions) or made.spans is not None:
        return None
    found = []
    for x, y in zip(made.x, made.y, strict=True):
        east, north = projection.degrees(x, y)
        found.append(list(zip(east.tolist(), north.tolist(), strict=True)))
    return found


def _unique(places: Places, made: "Made", seed: int, progress: Progress) -> dict[str, list[float]]:
    """Count how many tracks a few points identify, before and after."""
    if not isinstance(made, Grouped):
        return {}
    sharp = Sharpness()
    before = unique_shares(seen_before(places, sharp), seed, progress=progress.sub(0.0, 0.5))
    return {"before": before, "after": unique_shares(seen_after(made, sharp), seed, progress=progress.sub(0.5, 1.0))}


def _notes(project: Project, made: "Made", measured: dict[str, Json]) -> tuple[Message, ...]:
    told = []
    if isinstance(made, Regions):
        if measured["reciprocal"] < 1:
            told.append(message("{share:.0%} of the users send a region that fewer than {k} users would send: whoever "
                            "knows where all are finds them among fewer.",
                            share=1 - measured["reciprocal"], k=project.k))  # fmt: skip
        if measured["single_spots"]:
            told.append(message("{users:user is|users are} in a region with a single place: that place is told.",
                            users=measured["single_spots"]))  # fmt: skip
        if made.withheld:
            told.append(
                message("{visits:visit was|visits were} never sent: too few people came by.", visits=made.withheld)
            )
        return tuple(told)
    if isinstance(made, Mixed):
        return _notes_on_mix(made)
    if isinstance(made, Tiled):
        return _notes_on_tiles(made)
    if made.delta:
        told.append(message("With a delta above 0 this relies on GPS uncertainty: it is no k-anonymity against whoever "
                        "knows exact places."))  # fmt: skip
    if len(made.lost) > _MUCH_LOST * made.n_tracks:
        told.append(message("{share:.0%} of the tracks are lost.", share=len(made.lost) / max(made.n_tracks, 1)))
    if made.cut:
        told.append(message("{points:point was|points were} cut off ends so that more tracks are equally long.",
                        points=made.cut))  # fmt: skip
    return tuple(told)


def _notes_on_mix(made: Mixed) -> tuple[Message, ...]:
    """Say how much less than it seems mixing is worth, and who does not mix."""
    told = []
    sizes = made.mean_sizes()
    if made.attacked:
        told.append(
            message(
                "A set looks like {nominal:.1f} people and is worth {both:.1f}: timing and turns tell more.",
                nominal=sizes["nominal"],
                both=sizes["both"],
            )
        )
        told.append(message("{share:.0%} of the changed pseudonyms can still be linked.", share=made.linked))
    else:
        told.append(message("No pseudonym changes: nowhere do {k} people pass together.", k=made.k))
    if made.alone:
        told.append(message("{passages:passage was|passages were} alone in a zone and mixed with nobody.",
                        passages=made.alone))  # fmt: skip
    return tuple(told)


def _notes_on_tiles(made: Tiled) -> tuple[Message, ...]:
    left = made.people - len(made.sets)
    told = [message("{left} of {all} different tiles and slots are left.", left=made.kinds_left, all=made.kinds)]
    if left:
        told.append(
            message("Nothing is told of {people:person|people}: all of their visits were too rare.", people=left)
        )
    return tuple(told)
