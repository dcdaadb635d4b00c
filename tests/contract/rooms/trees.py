"""Patients with stays and drugs: names, a planted street and rare drugs that no file may show."""

import json
from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import ColumnType
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.trees.algorithms.clustree import FullKAnonymity
from anonymizer_gui.engine.rooms.trees.encoding import PathRole
from anonymizer_gui.engine.rooms.trees.project import TABLE, PathSchema, Project
from anonymizer_gui.engine.storage.sources import Source
from tests.contract.room_samples import RoomSample

RARE = ("Quinidinesecret", "Xylazinesecret", "Yohimbinesecret")
TOWNS = {"*": {"north": ["Kielcanary", "Hamburgcanary"], "south": ["Ulmcanary", "Passaucanary"]}}


def sample(folder: Path) -> RoomSample:
    """Give a project that uses every entry: all roles, a removed branch, a hierarchy, l and a seed."""
    (folder / "patients.json").write_text(json.dumps(_patients(), indent=1), encoding="utf-8")
    source = room_of("trees").read(TABLE, Source(str(folder / "patients.json")), SILENT).source
    roles = {
        "name": PathRole.IDENTIFIER,
        "town": PathRole.QUASI,
        "born": PathRole.QUASI,
        "address.street": PathRole.REMOVE,
        "note": PathRole.PUBLIC,
        "stays[].ward": PathRole.QUASI,
        "stays[].finding": PathRole.SENSITIVE,
        "stays[].drugs[].drug": PathRole.QUASI,
    }
    types = {"born": ColumnType.INTEGER}
    project = Project(
        name="patients",
        source=source,
        paths=tuple(PathSchema(path, role, types.get(path, ColumnType.CATEGORY)) for path, role in roles.items()),
        removed=("address",),
        algorithm=FullKAnonymity(k=3, l=2, near=10),
        hierarchies={"town": Hierarchy.from_nested(TOWNS), "stays[].drugs[].drug": Hierarchy.from_nested(_drugs())},
        seed=7,
    )
    hidden = ("Zacharias Canary", "Canarystreet", *RARE)
    return RoomSample(project, "out.json", hidden=hidden, only_released=("+flu",))


def _drugs() -> dict[str, object]:
    return {"any drug": ["Aspirin", "Codeine", *RARE]}


def _patients() -> list[dict[str, object]]:
    towns = ["Kielcanary", "Hamburgcanary", "Ulmcanary", "Passaucanary"]
    return [
        {
            "name": f"Zacharias Canary {at}",
            "town": towns[at % 4],
            "born": 1950 + at % 6,
            "address": {"street": f"Canarystreet {at}"},
            "note": "as usual",
            "stays": [
                {"ward": "W" + str((at + stay) % 2), "finding": "+flu" if (at + stay) % 3 else "fracture"}
                | (
                    {"drugs": [{"drug": "Aspirin"}, {"drug": RARE[at % 3] if at < 3 else "Codeine"}][: 1 + at % 2]}
                    if stay == 0
                    else {}
                )
                for stay in range(1 + at % 2)
            ],
        }
        for at in range(18)
    ]


NOT_MEASURED: dict[str, str] = {
    "source": "a name",
    "notes": "they are about the source",
    "recipe.parameters.near": "how long the method searched is not in the file",
    "recipe.seed": "the order of the records tells it only to whoever knows the order before",
    "numbers.suppressed": "suppressed vertices are not in the file",
    "numbers.lm": "the labels before are not published",
    "numbers.lm_by_path": "the labels before are not published",
    "written.known": "roles are decided",
    "written.sensitive": "roles are decided",
    "checks.identifiers": "identifiers are not published",
    "checks.public": "it was about the labels of the source",
    "checks.meetings": "the ledger is not published",
}
"""Entries of the certificate that no file can confirm, with the reason."""
FORGED: dict[str, dict[str, Any]] = {"full": {"k": 1000}, "l": {"l": 50}}
"""A stronger value of a parameter of every promise, which a forger would like to be believed."""
