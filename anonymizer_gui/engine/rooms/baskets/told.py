"""What the certificate tells of released baskets, and what stays inside: nothing that only the source knows."""

from pathlib import Path

from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.params import to_json as params_json
from anonymizer_gui.engine.rooms.baskets.release import Measured, Release
from anonymizer_gui.engine.rooms.baskets.running import hidden_item
from anonymizer_gui.engine.shapes.baskets.writing import JSON_SUFFIX, SEPARATOR
from anonymizer_gui.engine.shapes.tables.io.writer import disarmed

NCP_DIGITS = 3


def told_of(release: Release, layout: str, path: Path) -> dict[str, Json]:
    """Write down how the file is read again, what is sensitive in it, and how it was made."""
    project, algorithm = release.project, release.project.algorithm
    return {
        "written": {
            "layout": layout,
            "separator": SEPARATOR,
            "column": written_name(sensitive_column(release), path),
            "hidden": written_name(hidden_item(project, release.published), path),
        },
        "recipe": {
            "algorithm": algorithm.name if algorithm else "",
            "title": algorithm.title if algorithm else "",
            "parameters": params_json(algorithm) if algorithm else {},
            "layout": project.layout,
            "seed": project.seed,
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
    rounded = {"ncp": round(measured.ncp, NCP_DIGITS), "deleted": round(measured.share_deleted, NCP_DIGITS)}
    return {name: numbers[name] for name in shown} | rounded


def sensitive_column(release: Release) -> str:
    """Name the column that leaves beside the baskets; nothing where there is none."""
    return next(iter(release.published.beside.names), "")


def written_name(name: str, path: Path) -> str:
    """Give a name as it stands in a file: what a spreadsheet would run begins with an apostrophe."""
    return name if path.suffix.lower() == JSON_SUFFIX else disarmed(name)
