"""Run and promises."""

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
from anonymizer_gui.engine.rooms.places.algorithms.contract import CLOAK, MIX, TILES, Algorithm, PlaceDemands
from anonymizer_gui.engine.rooms.places.attack import (
    KnowledgePrecision,
    uniqueness_curve,
    visited_after,
    visited_before,
)
from anonymizer_gui.engine.rooms.places.certificate import format_entries
from anonymizer_gui.engine.rooms.places.cloaking import CloakedRegions
from anonymizer_gui.engine.rooms.places.independent_check import IndependentCount, count_independently
from anonymizer_gui.engine.rooms.places.mix_zones import MixedTrajectories
from anonymizer_gui.engine.rooms.places.output_format import (
    PublishedTables,
    publish_mixed,
    publish_regions,
    publish_tiles,
    publish_tracks,
)
from anonymizer_gui.engine.rooms.places.project import PLACES, Project
from anonymizer_gui.engine.rooms.places.release import (
    Release,
    measure_mixing,
    measure_regions,
    measure_tiles,
    measure_trajectories,
    regions_as_written,
)
from anonymizer_gui.engine.rooms.places.trajectories import TiledVisits, TrajectoryClasses

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.places.algorithms.contract import ProtectedPlaces


def promises(algorithm: Algorithm, k: int, found: IndependentCount) -> tuple[Promise, ...]:
    """Give the promises of a method: what it was asked for, what was counted, and whether it holds."""
    if algorithm.way == TILES:
        return (_visits(k, algorithm.known_visits(), found),)
    if algorithm.way == MIX:
        return (_mixes(k, found), _silent(found))
    if algorithm.way != CLOAK:
        return (_tracks(k, algorithm.metres_apart(), found),)
    shared = (_reciprocal(k, found),) if algorithm.is_reciprocal else ()
    return (_regions(k, found), *shared)


def _regions(k: int, found: IndependentCount) -> Promise:
    return Promise(
        "region-k",
        "k users in every region",
        message("every region holds at least {k:user|users}", k=k),
        found.holds["region-k"],
        found.worth["region-k"],
        {"k": k},
        "Telling by the place of a query alone which of the people there has asked.",
        "Who knows how regions are made may find fewer: see who sends the same region. Several queries of one person "
        "that can be linked, and k people at one spot, whose place is told.",
        "|users in region| ≥ k",
        "Gruteser and Grunwald, MobiSys 2003",
    )


def _reciprocal(k: int, found: IndependentCount) -> Promise:
    return Promise(
        "reciprocal-k",
        "Reciprocity",
        message("every region is sent by at least {k:user|users}", k=k),
        found.holds["reciprocal-k"],
        found.worth["reciprocal-k"],
        {"k": k},
        "Telling who has asked even when it is known where everybody was and how regions are made.",
        "What all of a group have in common: that they are in the region.",
        "|users who send region(u)| ≥ k for every user u",
        "Kalnis, Ghinita, Mouratidis and Papadias, TKDE 2007",
    )


def _tracks(k: int, delta: float, found: IndependentCount) -> Promise:
    is_same = delta == 0
    return Promise(
        "track-k",
        "k people on every track" if is_same else "k people within delta on every track",
        message("every track is the same as at least {others} others", others=k - 1)
        if is_same
        else message("every track is never farther than {delta:g} m from at least {others} others", delta=delta,
                 others=k - 1),
        found.holds["track-k"],
        found.worth["track-k"],
        {"k": k, "delta": delta},
        "Finding somebody's track by any number of places and times that are known of it."
        if is_same
        else "Finding somebody's track by places that are known no more exactly than delta.",
        "Where a whole group was is told; a group that starts at one house tells of that house."
        if is_same
        else "It relies on uncertainty: whoever knows places more exactly than delta may tell the tracks of a group "
        "apart (Trujillo-Rasua and Domingo-Ferrer 2013).",
        "|class| ≥ k and distance ≤ delta at every time",
        "Abul, Bonchi and Nanni, ICDE 2008",
    )  # fmt: skip


def _mixes(k: int, found: IndependentCount) -> Promise:
    return Promise(
        "mix-k",
        "k people in every mix",
        message("a pseudonym changes only together with those of at least {k:person|people}", k=k),
        found.holds["mix-k"],
        found.worth["mix-k"],
        {"k": k},
        "Following somebody through a zone by the pseudonym.",
        "The set is nominal: timing and turns make some exits far likelier than others, and who passes alone keeps the "
        "pseudonym. A track between two zones is still one person's.",
        "|people who end and begin a pseudonym in a mix| ≥ k",
        "Beresford and Stajano, IEEE Pervasive Computing 2003",
    )


def _silent(found: IndependentCount) -> Promise:
    return Promise(
        "silent",
        "Silent zones",
        "no point inside a zone is published",
        found.holds["silent"],
        found.worth["silent"],
        {},
        "Watching inside a zone who becomes whom.",
        "When and where people enter and leave zones is told.",
        "|published points in zones| = 0",
        "Beresford and Stajano, IEEE Pervasive Computing 2003",
    )


def _visits(k: int, known: int, found: IndependentCount) -> Promise:
    return Promise(
        "visits-k",
        "k^m-anonymity of visits",
        message(
            "whoever knows up to {known:visit|visits} of somebody finds at least {k:person|people}",
            known=known,
            k=k,
        ),
        found.holds["visits-k"],
        found.worth["visits-k"],
        {"k": k, "m": known},
        "Finding somebody by a few places and times they are known to have been at.",
        "Knowing more visits than m, or that somebody was not somewhere; what all who fit have in common.",
        "support(S) = 0 or support(S) ≥ k for every set S of at most m tiles and slots",
        "Terrovitis, Mamoulis and Kalnis, VLDB 2008",
    )


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
    made = algorithm.run(places, PlaceDemands(project.k, project.seed), progress.sub(0.0, 0.6))
    ready = time.perf_counter()
    progress(0.6, "Writing down what may leave")
    published = _published(made, places.projection)
    progress(0.7, "Counting again")
    written = format_entries(project, published, places, made)
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
    published: PublishedTables,
    points: Sequence[Sequence[tuple[float, float]]] | None,
) -> tuple[Promise, ...]:
    """Have the rows counted again; raises PromiseBroken unless every promise holds."""
    try:
        found = count_independently(
            written, published.rows, {name: rows for name, (_head, rows) in published.parts.items()}, points
        )
    except ValueError:
        raise PromiseBroken("The result contradicts itself.", _HINT) from None
    promises_ = promises(project.algorithm, project.k, found)
    broken = [message(promise.title) for promise in promises_ if not promise.holds]
    if broken:
        raise PromiseBroken(message("The result does not hold what it promised: {broken}.", broken=broken), _HINT)
    return promises_


def _published(made: "ProtectedPlaces", projection: Projection) -> PublishedTables:
    if isinstance(made, CloakedRegions):
        return publish_regions(made, projection)
    if isinstance(made, TiledVisits):
        return publish_tiles(made, projection)
    return publish_mixed(made, projection) if isinstance(made, MixedTrajectories) else publish_tracks(made, projection)


def _measured(made: "ProtectedPlaces", k: int, published: PublishedTables, projection: Projection) -> dict[str, Json]:
    if isinstance(made, TiledVisits):
        return measure_tiles(made)
    if isinstance(made, CloakedRegions):
        return measure_regions(made) | regions_as_written(published, projection, k)
    return measure_mixing(made) if isinstance(made, MixedTrajectories) else measure_trajectories(made, published)


def _is_counted_so(measured: dict[str, Json], promises: tuple[Promise, ...]) -> bool:
    """Tell whether the recount found what was measured on what was made."""
    return all(measured[_SAME[each.name]] == each.value for each in promises if each.name in _SAME)


def true_points(made: "ProtectedPlaces", projection: Projection) -> Sequence[Sequence[tuple[float, float]]] | None:
    """Give where users were at each query, in the units of the file; nothing for what has no regions of the moment."""
    if not isinstance(made, CloakedRegions) or made.spans is not None:
        return None
    found = []
    for x, y in zip(made.x, made.y, strict=True):
        east, north = projection.degrees(x, y)
        found.append(list(zip(east.tolist(), north.tolist(), strict=True)))
    return found


def _unique(places: Places, made: "ProtectedPlaces", seed: int, progress: Progress) -> dict[str, list[float]]:
    """Count how many tracks a few points identify, before and after."""
    if not isinstance(made, TrajectoryClasses):
        return {}
    sharp = KnowledgePrecision()
    before = uniqueness_curve(visited_before(places, sharp), seed, progress=progress.sub(0.0, 0.5))
    return {
        "before": before,
        "after": uniqueness_curve(visited_after(made, sharp), seed, progress=progress.sub(0.5, 1.0)),
    }


def _notes(project: Project, made: "ProtectedPlaces", measured: dict[str, Json]) -> tuple[Message, ...]:
    told = []
    if isinstance(made, CloakedRegions):
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
    if isinstance(made, MixedTrajectories):
        return _notes_on_mix(made)
    if isinstance(made, TiledVisits):
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


def _notes_on_mix(made: MixedTrajectories) -> tuple[Message, ...]:
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


def _notes_on_tiles(made: TiledVisits) -> tuple[Message, ...]:
    left = made.people - len(made.sets)
    told = [message("{left} of {all} different tiles and slots are left.", left=made.kinds_left, all=made.kinds)]
    if left:
        told.append(
            message("Nothing is told of {people:person|people}: all of their visits were too rare.", people=left)
        )
    return tuple(told)
