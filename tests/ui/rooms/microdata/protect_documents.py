"""Documents about a small hospital, ready to be protected, and pages over them."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from anonymizer_gui.ui.page import Page
from anonymizer_gui.workspace.document import Document
from tests.engine.rooms.microdata.making import hospital_project, hospital_table

P = TypeVar("P", bound=Page)


def hospital_document(**changes: object) -> Document:
    """Give a document with roles, hierarchies, goals and algorithm set; its jobs run at once."""
    document = Document(inline_jobs=True)
    document.set_table(hospital_table(), hospital_project(**changes))
    return document


def made_pages(qtbot: QtBot, kind: type[P], *, run: bool = True) -> Iterator[Callable[..., tuple[P, Document]]]:
    """Give a function that makes a page over a small hospital, protected already unless `run` is false."""
    documents: list[Document] = []

    def make(**changes: object) -> tuple[P, Document]:
        document = hospital_document(**changes)
        documents.append(document)
        if run:
            document.run()
        page = kind(document)
        qtbot.addWidget(page)
        page.resize(824, 590)
        page.show()
        return page, document

    yield make
    for document in documents:
        document.close()


def type_into(qtbot: QtBot, line: QLineEdit, text: str) -> None:
    """Type a text over what a line holds."""
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
