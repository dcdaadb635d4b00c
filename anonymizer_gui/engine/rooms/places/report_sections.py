"""The sections of the report that only places have, told from the certificate alone."""

from collections.abc import Mapping

from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.room import Pairs, Section, Sentences
from anonymizer_gui.engine.rooms.places.algorithms.contract import CLOAK, TRACKS

_MEANING = {
    CLOAK: "Every user sends a region with at least k users instead of a point. No row names anybody.",
    TRACKS: "Tracks were put into classes of at least k people and moved onto each other. No id was published.",
}
_NOT_PROTECTED = {
    CLOAK: (
        "Whoever links several queries of one person learns more from each of them.",
        "Regions that fewer than k users would send expose these users to whoever knows where all are.",
        "k people at one spot tell that spot.",
    ),
    TRACKS: (
        "What a whole class has in common, such as a place that all of it visited, is told.",
        "With a delta above 0, whoever knows exact places may tell the tracks of a class apart.",
        "Published tracks are means: they may cross rivers and buildings.",
    ),
}
_NAMES = {
    "answers": "Users who send a region, at each query",
    "queries": "Queries per user", "regions": "Regions", "smallest_region": "Fewest users in a region",
    "fewest_senders": "Fewest users who send the same", "reciprocal": "Share of users with a reciprocal region",
    "median_side_m": "Median side of a region in metres", "p90_side_m": "90 % of the sides are below, in metres",
    "published": "Tracks", "points": "Points", "classes": "Classes", "smallest_class": "Smallest class",
}  # fmt: skip


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
    numbers = {_NAMES[name]: value for name, value in told["numbers"].items()}
    lost = {} if told["written"]["way"] == CLOAK else {
        "Share of tracks that are lost": told["loss"]["lost"],
        "Mean displacement in metres": told["loss"]["displacement_m"],
    }  # fmt: skip
    return {**numbers, **lost, "Source": told["source"]["file"], "SHA-256 of the release": told["release"]["sha256"]}


def _recipe(told: Mapping[str, Json]) -> dict[str, Json]:
    recipe = told["recipe"]
    parameters = {name: str(value) for name, value in recipe["parameters"].items()}
    return {"Algorithm": recipe["title"], "k": recipe["k"], **parameters}
