"""What a careful person would want to know of a project that was saved."""

from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.workspace.document import Document

_LACKING = "project_lacks"


def tell_what_is_in_it(document: Document) -> None:
    """Say that the file holds values of the table, where it does."""
    if document.project.saved_hierarchies():
        document.messages.info(
            tr("The project holds the hierarchies, so the values of the quasi-identifiers."),
            tr("Keep it as safe as the table."),
            key="project_holds",
        )


def tell_what_is_not_in_it(document: Document) -> None:
    """Name the hierarchies of identifiers, which are not saved."""
    project = document.project
    lacking = [name for name in project.hierarchies if name not in project.saved_hierarchies()]
    if not lacking:
        document.messages.clear(_LACKING)
        return
    document.messages.warning(
        tr("The hierarchies of identifiers are not saved: {columns}.", columns=", ".join(lacking)),
        tr("To keep one, give its column another role and save again before you close."),
        key=_LACKING,
    )
