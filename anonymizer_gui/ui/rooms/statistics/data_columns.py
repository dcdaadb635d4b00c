"""What the questions of a plan can speak of, whatever the shape of the data is."""

from anonymizer_gui.engine.rooms.statistics.shape import shape_of
from anonymizer_gui.workspace.document import Document


def columns_of(document: Document) -> tuple[str, ...]:
    """Name what the data has; nothing before it is read."""
    return shape_of(document.project.shape).columns(document.table) if document.table is not None else ()
