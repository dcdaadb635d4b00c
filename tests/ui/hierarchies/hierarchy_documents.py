"""Small documents with hierarchies for the tests of the page."""

from collections.abc import Mapping, Sequence

from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.workspace.document import Document

LANDS = Hierarchy.from_nested(
    {"*": {"Europe": {"South": ["Italy", "Spain"], "North": ["Norway"]}, "Asia": {"East": ["Japan", "Korea"]}}}
)
LAND_CELLS = ("Italy", "Italy", "Spain", "Norway", "Japan", "Korea", "Peru", "Peru", "Chile")
"""Peru and Chile have no place in LANDS."""


def load(
    document: Document, cells: Mapping[str, Sequence[str]], hierarchies: Mapping[str, Hierarchy], sensitive: str = ""
) -> Document:
    """Put a table into a document; every column is a quasi-identifier but the sensitive one."""
    table = Table(tuple(Column.from_texts(name, texts) for name, texts in cells.items()))
    schema = Schema(
        tuple(ColumnSchema(name, ColumnType.CATEGORY, "", Role.SA if name == sensitive else Role.QI) for name in cells)
    )
    document.set_table(table, Project(schema=schema, hierarchies=hierarchies))
    return document
