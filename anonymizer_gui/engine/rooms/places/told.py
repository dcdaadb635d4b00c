"""What the certificate tells of released places; nothing that is not published."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.data.places.places import Places
from anonymizer_gui.engine.rooms.places.algorithms.contract import CLOAK, MIX, TILES
from anonymizer_gui.engine.rooms.places.mixing.mixed import Mixed
from anonymizer_gui.engine.rooms.places.project import Project
from anonymizer_gui.engine.rooms.places.publishing import Published, zones_told
from anonymizer_gui.engine.rooms.places.release import Release
from anonymizer_gui.engine.rooms.places.written import beside

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.places.algorithms.contract import Made

_LEAVING = {
    CLOAK: ("answers", "queries", "regions", "smallest_region", "fewest_senders", "reciprocal", "median_side_m",
            "p90_side_m"),
    MIX: ("pseudonyms", "points", "mixes", "smallest_mix"),
    TILES: ("people", "published", "kinds_left", "smallest_support"),
    "tracks": ("published", "points", "classes", "smallest_class"),
}  # fmt: skip
_TEN_METRES = -1


def numbers_of(release: Release) -> dict[str, Json]:
    """Give the numbers that may leave: those of the file itself."""
    return {name: release.measured[name] for name in _LEAVING[release.project.way]}


def written_of(project: Project, published: Published, places: Places, made: "Made") -> dict[str, Json]:
    """Write down how the files are to be read and counted."""
    projection = places.projection
    return {
        "way": project.way,
        "head": list(published.head),
        "latitude": projection.latitude if projection.is_degrees else None,
        "k": project.k,
        "delta": project.algorithm.metres_apart(),
        "known": project.algorithm.known_visits(),
        "zones": zones_told(made, projection) if isinstance(made, Mixed) else [],
    }


def told_of(release: Release, path: Path) -> dict[str, Json]:
    """Write down how the files are to be read, and how they were made; what the source was like only roughly."""
    project, found = release.project, release.measured
    return {
        "written": {
            **written_of(project, release.published, release.places, release.made),
            "parts": {name: beside(path, name).name for name in release.published.parts},
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
