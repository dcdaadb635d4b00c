"""Adult as a project, where the public data sets are on the machine."""

from pathlib import Path

from anonymizer_gui.engine.data.tables.io import read_table
from anonymizer_gui.engine.data.tables.table import ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.files import read_hierarchies
from anonymizer_gui.engine.rooms.microdata.project import Project


def adult(shared_data: Path, *sensitive: str) -> tuple[Table, Project]:
    """Read Adult; every column is a QI but the sensitive ones."""
    folder = shared_data / "adult"
    table, _ = read_table(folder / "adult.csv")
    schema = Schema(
        tuple(
            ColumnSchema(
                name,
                ColumnType.INTEGER if name == "age" else ColumnType.CATEGORY,
                role=Role.SA if name in sensitive else Role.QI,
            )
            for name in table.names
        )
    )
    return table, Project(schema=schema, hierarchies=read_hierarchies(folder, table.names, table).hierarchies)
