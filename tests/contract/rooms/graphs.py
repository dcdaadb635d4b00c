"""Two villages of friends whose names and rare trades no file may show."""

from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.recode_for_other_rooms import room_recoding_tables
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.graphs.algorithms.supernodes import SuperNodes
from anonymizer_gui.engine.rooms.graphs.project import GRAPH, NODES, Project
from anonymizer_gui.engine.storage.sources import Source
from tests.contract.room_samples import RoomSample

NAMES = tuple(f"Zacharias{number:02}" for number in range(12))
TRADES = ("Glassblower", "Cartwright", "Ropemaker", "Thatcher")
TIES = [(0, other) for other in range(1, 6)] + [(6, 7), (6, 8), (7, 8), (8, 9), (9, 10), (5, 6), (1, 2), (10, 11)]


def sample(folder: Path) -> RoomSample:
    """Give a project that uses every entry: a table about the people, roles, a hierarchy, l and a seed."""
    ties = "".join(f"{NAMES[one]},{NAMES[other]}\n" for one, other in TIES)
    (folder / "ties.csv").write_text("source,target\n" + ties, encoding="utf-8")
    rows = [f"{name},{TRADES[at % 4]},{'ill' if at % 2 else 'well'},note{at % 2}" for at, name in enumerate(NAMES)]
    (folder / "people.csv").write_text("\n".join(["person,trade,health,note", *rows]) + "\n", encoding="utf-8")
    room = room_of("graphs")
    crafts = Hierarchy.from_nested(
        {"*": {"fire": ["Glassblower"], "wood and straw": ["Cartwright", "Ropemaker", "Thatcher"]}}
    )
    project = Project(
        name="village",
        source=room.read(GRAPH, Source(str(folder / "ties.csv")), SILENT).source,
        nodes=room.read(NODES, Source(str(folder / "people.csv")), SILENT).source,
        key="person",
        schema=Schema((ColumnSchema("trade", role=Role.QI), ColumnSchema("health", role=Role.SA))),
        hierarchies={"trade": crafts},
        k=3,
        l=2,
        algorithm=SuperNodes(effort=3),
        rows=room_recoding_tables().row_methods()["mondrian"](),
        sample=True,
        seed=7,
    )
    return RoomSample(project, "out.csv", hidden=(*NAMES, *TRADES))


NOT_MEASURED: dict[str, str] = {
    "checks.ledger": "it needs the ledger",
    "checks.names": "it compares with the names of people, which are not published",
    "notes": "what the method did to the source",
    "numbers.lm": "it needs the hierarchies; the inside copy has it",
    "recipe.algorithm": "several methods may give the same files",
    "recipe.parameters": "several settings may give the same files",
    "recipe.rows": "several methods may give the same rows",
    "source": "the name of a file that is not published",
    "written.is_directed": "counts between groups look the same where none goes from a later to an earlier group",
}
"""Entries of the certificate that no file can confirm, with the reason."""
FORGED: dict[str, dict[str, Any]] = {"node-k": {"k": 1000}, "row-k": {"k": 4}, "label-l": {"l": 3}}
"""A stronger value of a parameter of every promise, which a forger would like to be believed."""
