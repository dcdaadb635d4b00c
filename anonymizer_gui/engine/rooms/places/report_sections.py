"""The sections of the report that only places have, told from the certificate alone."""

from collections.abc import Mapping

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.room import Pairs, Section, Sentences
from anonymizer_gui.engine.rooms.places.algorithms.contract import CLOAK, MIX, TILES, TRACKS
from anonymizer_gui.engine.rooms.places.number_names import NUMBER_NAMES

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


def sections_of(told: Mapping[str, Json]) -> list[Section]:
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
