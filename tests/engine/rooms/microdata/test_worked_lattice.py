"""The lattice of the lecture: zip in three levels, sex and birth in two."""

from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.resource_estimate import lattice_size


def test_the_lattice_of_z_s_and_b_has_twelve_nodes() -> None:
    names = ["Z", "S", "B"]
    trees = {
        "Z": Hierarchy.from_nested({"*": {"1305*": ["13050", "13051"]}}),
        "S": Hierarchy.from_nested({"*": ["f", "m"]}),
        "B": Hierarchy.from_nested({"*": ["1964", "1965"]}),
    }
    schema = Schema(tuple(ColumnSchema(name, role=Role.QI) for name in names))
    table = Table.from_rows(names, [["13050", "f", "1964"], ["13051", "m", "1965"]])
    assert lattice_size(table, Project(schema=schema, hierarchies=trees)).nodes == 12
    assert sum(tree.height for tree in trees.values()) == 4
