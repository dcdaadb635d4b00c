"""The sections of the report about released baskets, told from the certificate alone."""

from collections.abc import Mapping

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.room import Pairs, Section, Sentences


def sections_of(told: Mapping[str, Json]) -> list[Section]:
    """Give the sections, the result first."""
    numbers, recipe = told["numbers"], told["recipe"]
    result = {
        "Baskets released": numbers["baskets"],
        "Values left": numbers["values_left"],
        "Smallest support of known items": numbers["smallest_support"],
        "Smallest group of equal baskets": numbers["smallest_group"],
        "Baskets still exposed": numbers["exposed_after"],
        "NCP (0 to 1)": numbers["ncp"],
        "Share of items deleted": f"{numbers['deleted']:.1%}",
        "SHA-256 of the release": told["release"]["sha256"],
    }
    method = {
        "Algorithm": recipe["title"],
        **{f"Parameter {name}": value for name, value in recipe["parameters"].items()},
        "Layout": told["written"]["layout"],
        "Order of the baskets": "sorted, then shuffled by the seed",
        "Seed": recipe["seed"],
    }
    sensitive = told["written"]["column"] or told["written"]["hidden"]
    parts: list[Section] = [
        Section("Result", (Pairs(result),)),
        Section("Source", (Pairs({"File": told["source"]["file"]}),)),
        Section("How it was made", (Pairs(method),)),
        Section("Sensitive", (Pairs({"Item or column": sensitive}),) if sensitive else ()),
        Section("Notes", (Sentences(tuple(told["notes"])),) if told["notes"] else ()),
        Section("Attacks on the method", (Sentences((told["attacks"],)),)),
    ]
    return parts
