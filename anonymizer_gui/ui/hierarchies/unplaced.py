"""Tells of values without a place where they stop a run, with the way to where they get one."""

from collections.abc import Callable, Mapping

from anonymizer_gui.engine.core.errors import NoPlace
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Schema, Table
from anonymizer_gui.engine.hierarchy.fit import ColumnStatus, column_status
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.workspace.document import Document


def tell_unplaced(document: Document, error: NoPlace, go: Callable[[str], object]) -> None:
    """Say which column is concerned; the button leads to its hierarchy."""
    document.messages.error(
        error.message, error.hint, actions=[(tr("Place Them"), lambda: go("hierarchies"))], key="unplaced"
    )


def standings(document: Document) -> dict[str, ColumnStatus]:
    """Say how the hierarchies of the quasi-identifiers stand, as far as that is found out.

    All columns are one question: a table may have hundreds of them.
    """
    table, project = document.table, document.project
    if table is None:
        return {}
    about, title = (table, project.schema, project.hierarchies), tr("Look for places of values")
    return document.answer("hierarchy standings", _all_standings, *about, title=title) or {}


def _all_standings(
    table: Table, schema: Schema, hierarchies: Mapping[str, Hierarchy], progress: Progress
) -> dict[str, ColumnStatus]:
    names = [name for name in schema.quasi if name in table.names and name in hierarchies]
    found = {}
    for at, name in enumerate(names):
        progress(at / len(names))
        found[name] = column_status(table.whole(name), hierarchies[name], schema.column(name))
    return found
