"""What the questions of a plan can speak of, whatever the shape of the data is."""

from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import data_kind
from anonymizer_gui.workspace.document import Document


def columns_of(document: Document) -> tuple[str, ...]:
    """Name what the data has; nothing before it is read."""
    return data_kind(document.project.shape).columns(document.table) if document.table is not None else ()
