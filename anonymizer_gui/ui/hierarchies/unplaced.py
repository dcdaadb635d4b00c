"""Tells of values without a place where they stop a run, with the way to where they get one."""

from collections.abc import Callable

from anonymizer_gui.engine.errors import NoPlace
from anonymizer_gui.engine.hierarchy.standing import Standing, standing
from anonymizer_gui.engine.shapes.tables.table import Role
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.workspace.document import Document


def tell_unplaced(document: Document, error: NoPlace, go: Callable[[str], object]) -> None:
    """Say which column is concerned; the button leads to its hierarchy."""
    document.messages.error(
        error.message, error.hint, actions=[(tr("Place Them"), lambda: go("hierarchies"))], key="unplaced"
    )


def standings(document: Document) -> dict[str, Standing]:
    """Say how the hierarchies of the quasi-identifiers stand, as far as that is found out."""
    table, project = document.table, document.project
    found = {}
    for name in project.schema.names(Role.QI):
        tree = project.hierarchies.get(name)
        if table is not None and name in table.names and tree is not None:
            title = tr("Look for places of {column}", column=name)
            about = (table.column(name), tree, project.schema.column(name))
            if answer := document.answer(("hierarchy standing", name), standing, *about, title=title):
                found[name] = answer
    return found
