"""Entries of the certificate, and the report made of them."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.data.baskets.writing import SEPARATOR
from anonymizer_gui.engine.room import Pairs, Section, Sentences
from anonymizer_gui.engine.rooms.baskets.independent_check import as_written
from anonymizer_gui.engine.rooms.baskets.release import Measurement, Release
from anonymizer_gui.engine.rooms.baskets.run import hidden_item

NCP_DIGITS = 3


def certificate_entries(release: Release, layout: str) -> dict[str, Json]:
    """Write down how the file is read again, what is sensitive in it, and how it was made."""
    project, algorithm = release.project, release.project.algorithm
    return {
        "written": {
            "layout": layout,
            "separator": SEPARATOR,
            "column": as_written(sensitive_column(release), layout),
            "hidden": as_written(hidden_item(project, release.published), layout),
        },
        "recipe": {
            "algorithm": algorithm.name if algorithm else "",
            "title": algorithm.title if algorithm else "",
            "parameters": params_json(algorithm) if algorithm else {},
            "layout": project.layout,
            "seed": project.seed,
            "goals": goals_told([promise.to_json() for promise in release.promises]),
        },
        "source": {"file": Path(project.source.path).name if project.source else ""},
        "notes": [str(note) for note in release.notes],
        "attacks": algorithm.attacks if algorithm else "",
    }


def private_entries(release: Release) -> dict[str, Json]:
    """Write down what only the house may know: the exact loss, and how unique people were before."""
    return {"numbers": release.measured.to_json()}


def published_numbers(measured: Measurement) -> dict[str, Json]:
    """Give the numbers that may leave; the last digits of the loss would tell how many items there were."""
    shown = ("baskets", "k", "m", "values_left", "smallest_support", "smallest_group", "exposed_after", "unique_after")
    numbers = measured.to_json()
    return {name: numbers[name] for name in shown} | loss_told(numbers)


def loss_told(numbers: Mapping[str, Json]) -> dict[str, float]:
    """Give the loss rounded as certificates hold it, from the exact numbers of the inside copy."""
    deleted = numbers["deleted"] / max(numbers["occurrences"], 1)
    return {"ncp": round(numbers["ncp"], NCP_DIGITS), "deleted": round(deleted, NCP_DIGITS)}


def goals_told(promises: Iterable[Mapping[str, Json]]) -> list[Json]:
    """Give what was asked for: the names of the promises and their parameters, in order."""
    return [{"name": promise["name"], "parameters": dict(promise["parameters"])} for promise in promises]


def sensitive_column(release: Release) -> str:
    """Name the column that leaves beside the baskets; nothing where there is none."""
    return next(iter(release.published.beside.names), "")


def report_sections(told: Mapping[str, Json]) -> list[Section]:
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
