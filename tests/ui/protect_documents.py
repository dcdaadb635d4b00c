"""Documents about a small hospital, ready to be protected."""

from anonymizer_gui.workspace.document import Document
from tests.engine.making import hospital_project, hospital_table


def hospital_document(**changes: object) -> Document:
    """Give a document with roles, hierarchies, goals and algorithm set; its jobs run at once."""
    document = Document(inline_jobs=True)
    document.set_table(hospital_table(), hospital_project(**changes))
    return document
