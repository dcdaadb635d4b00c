"""What the certificate tells of released baskets, and what stays inside: nothing that only the source knows."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.data.baskets.writing import SEPARATOR
from anonymizer_gui.engine.rooms.baskets.release import Measured, Release
from anonymizer_gui.engine.rooms.baskets.running import hidden_item
from anonymizer_gui.engine.rooms.baskets.second_opinion import as_written

NCP_DIGITS = 3


def told_of(release: Release, layout: str) -> dict[str, Json]:
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


def inside_of(release: Release) -> dict[str, Json]:
    """Write down what only the house may know: the exact loss, and how unique people were before."""
    return {"numbers": release.measured.to_json()}


def blurred(measured: Measured) -> dict[str, Json]:
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
