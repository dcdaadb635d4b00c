"""Small tables whose rows also hold sets and places."""

import numpy as np

from anonymizer_gui.engine.data.tables.table import ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.builders.automatic import Automatic
from anonymizer_gui.engine.hierarchy.builders.contract import build_hierarchy
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.km_anonymity import KKm
from anonymizer_gui.engine.rooms.microdata.project import Project

NAMES = ("age", "home", "takes", "ward")
TREE = Hierarchy.from_nested({"*": {"dairy": ["butter", "milk", "whey"], "bread": ["rye", "wheat"], "tea": []}})
SCHEMA = Schema(
    (
        ColumnSchema("age", ColumnType.INTEGER, role=Role.QI),
        ColumnSchema("home", ColumnType.PLACE, role=Role.QI),
        ColumnSchema("takes", ColumnType.SET, "{,}", role=Role.QI),
        ColumnSchema("ward", role=Role.SA),
    )
)


def hybrid_table(rows: int = 120, seed: int = 3) -> Table:
    """Draw people of two towns and what they take."""
    draws = np.random.default_rng(seed)
    items, texts = list(TREE.leaf_labels), []
    for _ in range(rows):
        held = [
            item for item, share in zip(items, (0.5, 0.6, 0.15, 0.4, 0.3, 0.1), strict=True) if draws.random() < share
        ]
        lat, lon = (54.3, 9.0) if draws.random() < 0.5 else (48.1, 11.6)
        home = f"{lat + draws.random() / 5:.3f}, {lon + draws.random() / 5:.3f}"
        ward = "ABC"[int(draws.integers(3))]
        texts.append((str(int(draws.integers(20, 60))), home, "{" + ", ".join(held) + "}", ward))
    return Table.from_rows(NAMES, texts)


def hybrid_project(table: Table, *goals: PrivacyModel, schema: Schema = SCHEMA) -> Project:
    """Give a project about such a table, with every hierarchy."""
    made = {name: build_hierarchy(Automatic(), table.column(name), schema.column(name)) for name in ("age", "home")}
    return Project(
        name="hybrid",
        schema=schema,
        hierarchies={**made, "takes": TREE},
        goals=goals or (KKm(k=3, m=2, rows=15),),
        algorithm=Mondrian(),
    )
