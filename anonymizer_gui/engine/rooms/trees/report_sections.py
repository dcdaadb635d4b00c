"""The sections of the report about released trees, told from the certificate alone."""

from collections.abc import Mapping

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.room import Bars, Pairs, Section, Sentences


def sections_of(told: Mapping[str, Json]) -> list[Section]:
    """Give the sections, the result first."""
    numbers, recipe, written = told["numbers"], told["recipe"], told["written"]
    result = {
        "Records released": numbers["records"],
        "Vertices released": numbers["vertices"],
        "Share of vertices suppressed": f"{numbers['suppressed']:.1%}",
        "Smallest set of records": numbers["smallest_class"],
        "LM (0 to 1)": numbers["lm"],
        "Relations taken apart": numbers["disassociated"],
        "SHA-256 of the release": told["release"]["sha256"],
    }
    method = {
        "Algorithm": recipe["title"],
        **{f"Parameter {name}": value for name, value in recipe["parameters"].items()},
        "Format": written["format"],
        "Order of the records": "sorted, then shuffled by the seed",
        "Seed": recipe["seed"],
    }
    public = [name for name in written["labels"] if name not in (*written["known"], *written["sensitive"])]
    roles = {
        "Quasi-identifiers": ", ".join(written["known"]),
        "Sensitive": ", ".join(written["sensitive"]),
        "Public": ", ".join(public),
    }
    return [
        Section("Result", (Pairs(result),)),
        Section("Loss of every path (LM, 0 to 1)", (Bars(dict(numbers["lm_by_path"]), 1.0),)),
        Section("Source", (Pairs({"File": told["source"]["file"]}),)),
        Section("How it was made", (Pairs(method),)),
        Section("Paths", (Pairs({name: paths for name, paths in roles.items() if paths}),)),
        Section("Notes", (Sentences(tuple(told["notes"])),) if told["notes"] else ()),
        Section("Attacks on the method", (Sentences((told["attacks"],)),)),
    ]
