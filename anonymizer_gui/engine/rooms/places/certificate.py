"""Entries of the certificate, and the report made of them."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.data.places.places import Places
from anonymizer_gui.engine.room import Pairs, Section, Sentences
from anonymizer_gui.engine.rooms.places.algorithms.contract import CLOAK, MIX, TILES, TRACKS
from anonymizer_gui.engine.rooms.places.mix_zones import MixedTrajectories
from anonymizer_gui.engine.rooms.places.output_format import PublishedTables, companion_path, published_zones
from anonymizer_gui.engine.rooms.places.project import Project
from anonymizer_gui.engine.rooms.places.release import Release

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.places.algorithms.contract import ProtectedPlaces


NUMBER_NAMES = {
    "answers": "Users who send a region, at each query",
    "queries": "Queries per user", "regions": "Regions", "smallest_region": "Fewest users in a region",
    "fewest_senders": "Fewest users who send the same", "reciprocal": "Share of users with a reciprocal region",
    "median_side_m": "Median side of a region in metres", "p90_side_m": "90 % of the sides are below, in metres",
    "people": "People", "kinds_left": "Different tiles and slots", "smallest_support": "Fewest people who share a few",
    "pseudonyms": "Pseudonyms", "mixes": "Mixes", "smallest_mix": "Smallest mix",
    "published": "Tracks", "points": "Points", "classes": "Classes", "smallest_class": "Smallest class",
}  # fmt: skip

_LEAVING = {
    CLOAK: ("answers", "queries", "regions", "smallest_region", "fewest_senders", "reciprocal", "median_side_m",
            "p90_side_m"),
    MIX: ("pseudonyms", "points", "mixes", "smallest_mix"),
    TILES: ("people", "published", "kinds_left", "smallest_support"),
    "tracks": ("published", "points", "classes", "smallest_class"),
}  # fmt: skip

_TEN_METRES = -1


def published_numbers(release: Release) -> dict[str, Json]:
    """Give the numbers that may leave: those of the file itself."""
    return {name: release.measured[name] for name in _LEAVING[release.project.way]}


def format_entries(
    project: Project, published: PublishedTables, places: Places, made: "ProtectedPlaces"
) -> dict[str, Json]:
    """Write down how the files are to be read and counted."""
    projection = places.projection
    return {
        "way": project.way,
        "head": list(published.head),
        "latitude": projection.latitude if projection.is_degrees else None,
        "k": project.k,
        "delta": project.algorithm.metres_apart(),
        "known": project.algorithm.known_visits(),
        "zones": published_zones(made, projection) if isinstance(made, MixedTrajectories) else [],
    }


def certificate_entries(release: Release, path: Path) -> dict[str, Json]:
    """Write down how the files are to be read, and how they were made; what the source was like only roughly."""
    project, found = release.project, release.measured
    return {
        "written": {
            **format_entries(project, release.published, release.places, release.made),
            "parts": {name: companion_path(path, name).name for name in release.published.parts},
        },
        "source": {"file": Path(project.source.path).name if project.source else ""},
        "recipe": {
            "algorithm": project.algorithm.name,
            "title": project.algorithm.title,
            "parameters": params_json(project.algorithm),
            "k": project.k,
        },
        "loss": loss_of(found),
    }


def loss_of(measured: Mapping[str, Json]) -> dict[str, Json]:
    """Say roughly what was lost; what a way does not lose is 0."""
    return {
        "lost": round(measured["lost"] / max(measured["tracks"], 1), 2) if "lost" in measured else 0.0,
        "displacement_m": round(measured.get("mean_displacement_m", 0.0), _TEN_METRES),
        "deleted": round(measured.get("deleted", 0) / max(measured.get("visits", 1), 1), 2),
        "ncp": round(measured.get("ncp", 0.0), 2),
        "effective": round(measured.get("effective", 0.0), 1),
        "linked": round(measured.get("linked", 0.0), 2),
    }


_MEANING = {
    CLOAK: "Every user sends a region with at least k users instead of a point. No row names anybody.",
    MIX: "Tracks leave under pseudonyms that change in silent zones, only where at least k people passed together.",
    TILES: "Visits leave as tiles and slots of time, coarse enough that any few of them are those of k people.",
    TRACKS: "Tracks were put into classes of at least k people and moved onto each other. No id was published.",
}

_NOT_PROTECTED = {
    CLOAK: (
        "Whoever links several queries of one person learns more from each of them.",
        "Regions that fewer than k users would send expose these users to whoever knows where all are.",
        "k people at one spot tell that spot.",
    ),
    MIX: (
        "Timing and turns link many of the changed pseudonyms: see the effective set.",
        "Between two zones a track is one person's, with all its places and times.",
        "Whoever passes a zone alone, or long before and after the others, keeps the pseudonym.",
    ),
    TILES: (
        "Whoever knows more visits of somebody than m may find fewer than k people.",
        "What all who fit have in common, such as a place that all of them visited, is told.",
    ),
    TRACKS: (
        "What a whole class has in common, such as a place that all of it visited, is told.",
        "With a delta above 0, whoever knows exact places may tell the tracks of a class apart.",
        "Published tracks are means: they may cross rivers and buildings.",
    ),
}

_LOSSES = {
    "lost": "Share of tracks that are lost",
    "displacement_m": "Mean displacement in metres",
    "deleted": "Share of visits that are deleted",
    "ncp": "Loss (NCP)",
    "effective": "Mean effective set under timing and turns",
    "linked": "Share of changed pseudonyms that can be linked",
}

_TELLS: Mapping[str, tuple[str, ...]] = {
    CLOAK: (),
    MIX: ("effective", "linked"),
    TILES: ("deleted", "ncp"),
    TRACKS: ("lost", "displacement_m"),
}


def report_sections(told: Mapping[str, Json]) -> list[Section]:
    """Give the sections, the result first."""
    way = told["written"]["way"]
    return [
        Section("Result", (Pairs(_result(told)),)),
        Section("What this means", (Sentences((_MEANING[way],)),)),
        Section("What is not protected", (Sentences(_NOT_PROTECTED[way]),)),
        Section("How it was made", (Pairs(_recipe(told)),)),
    ]


def _result(told: Mapping[str, Json]) -> dict[str, Json]:
    numbers = {NUMBER_NAMES[name]: value for name, value in told["numbers"].items()}
    loss = {_LOSSES[name]: told["loss"][name] for name in _TELLS[told["written"]["way"]]}
    return {**numbers, **loss, "Source": told["source"]["file"], "SHA-256 of the release": told["release"]["sha256"]}


def _recipe(told: Mapping[str, Json]) -> dict[str, Json]:
    recipe = told["recipe"]
    parameters = {name: str(value) for name, value in recipe["parameters"].items()}
    return {"Algorithm": recipe["title"], "k": recipe["k"], **parameters}
