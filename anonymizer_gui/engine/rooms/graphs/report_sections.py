"""The sections of the report that only graphs have, told from the certificate alone."""

from collections.abc import Mapping

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.room import Bars, Pairs, Rows, Section, Sentences
from anonymizer_gui.engine.rooms.graphs.knowledge import TITLES

_MEANING = {
    "h1": "Whoever knows how many ties a person has finds at least k people who fit; who knows more may find fewer.",
    "all": "Only groups of people were published. Whatever is known of a person's ties, everybody in the group fits.",
}
_NOT_PROTECTED = (
    "A tie between two people who can be told is seen by everybody.",
    "Ties that were added are often told from real ones by how unlikely they are.",
    "People of the graph who know their own ties, alone or together, know more than an outsider.",
)


def sections_of(told: Mapping[str, Json]) -> list[Section]:
    """Give the sections, the result first."""
    numbers, recipe = told["numbers"], told["recipe"]
    return [
        Section("Result", (Pairs(_result(told)),)),
        Section("What this means", (Sentences((_MEANING[recipe["protects"]],)),)),
        Section("What is not protected", (Sentences(_NOT_PROTECTED),)),
        Section("People who stand out alone", (Bars({TITLES[d]: s for d, s in numbers["unique"].items()}, 1.0),)),
        Section("Columns", (Rows(("Column", "Role"), tuple((c["name"], c["role"]) for c in told["columns"])),)),
        Section("Notes", (Sentences(tuple(told["notes"]) or ("None.",)),)),
    ]


def _result(told: Mapping[str, Json]) -> dict[str, Json]:
    numbers, recipe = told["numbers"], told["recipe"]
    return {
        "People": numbers["nodes"],
        "Ties": numbers["edges"],
        "Smallest set of people who fit": numbers["smallest_class"],
        "Share of ties that are certain": numbers["certain_edges"],
        "Loss of the quasi-identifiers (LM)": numbers["lm"],
        "Algorithm": recipe["title"],
        "k": recipe["k"],
        "l": recipe["l"],
        "Source": told["source"]["file"],
        "SHA-256 of the release": told["release"]["sha256"],
    }
