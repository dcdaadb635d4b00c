"""The columns that seem to point to a person, looked for in the background and known to rail, list and dialogs."""

from collections.abc import Mapping

from anonymizer_gui.engine.data.tables.io.read_write import suggest_in_background
from anonymizer_gui.engine.data.tables.suggestions import identifying_columns
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.workspace.document import Document


def pointing_columns(document: Document) -> Mapping[str, str]:
    """Give the columns that seem to point to a person, with the reason; nothing until they are found."""
    table, schema = document.table, document.project.schema
    if table is None or table.names != tuple(column.name for column in schema.columns):
        return {}
    types = tuple(column.type for column in schema.columns)
    found = document.answer("pointing", identifying_columns, table, types, title=tr("Look at the columns"))
    return dict(found or ())


def speaking_against(document: Document) -> Mapping[str, str]:
    """Give the columns that should not leave unseen: they point to a person, or a role is suggested."""
    table, source = document.table, document.project.source
    if table is None:
        return {}
    decimal = str(source.options.get("decimal", ".")) if source else "."
    found = document.answer("suggestions", suggest_in_background, table, decimal)
    suggested = {one.column: one.reason for one in found or () if one.role is not Role.OTHER}
    return {**suggested, **pointing_columns(document)}


def leaving_and_pointing(document: Document) -> tuple[str, ...]:
    """List the columns of no role that leave unchanged and seem to point to a person by themselves."""
    project = document.project
    stays = project.left_out_columns()
    others = [name for name in project.schema.names(Role.OTHER) if name not in stays]
    return tuple(name for name in pointing_columns(document) if name in others) if others else ()
