"""Documents with finished runs, for the tests of the Compare page."""

from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Algorithm
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.algorithms.top_down import TopDown
from anonymizer_gui.workspace.document import Document
from tests.engine.rooms.microdata.making import hospital_project, hospital_table

EVERY_KIND: tuple[Algorithm, ...] = (BottomUp(), Mondrian(), TopDown())


def run_all(document: Document, *algorithms: Algorithm, rows: int = 40, **changes: object) -> Document:
    """Put the small hospital into a document and run algorithms on it, one after the other."""
    document.set_table(hospital_table(rows), hospital_project(**changes))
    for algorithm in algorithms:
        document.edit("Choose an algorithm", algorithm=algorithm)
        document.run()
    return document
