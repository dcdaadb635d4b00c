"""Messages lie over the page and go when they have been read."""

from collections.abc import Callable

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication

from anonymizer_gui.ui.rooms.microdata.view import VIEW
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.workspace.document import Document


def test_a_message_moves_nothing_on_the_page(window: MainWindow) -> None:
    window.show()
    before = window.pages.geometry()
    window.document.messages.error("Something did not work.", "Try again.")
    QApplication.processEvents()
    assert window.pages.geometry() == before
    assert window.message_bar.isVisible()
    assert window.pages.rect().contains(window.message_bar.geometry())


def test_an_old_error_goes_with_the_next_step(window: MainWindow) -> None:
    window.document.messages.error("Something did not work.")
    window.document.edit("Name it", name="another")
    assert window.message_bar.strips() == []


def test_nothing_lies_over_the_status_line(
    lecture_document: Document, make_window: Callable[[Document], MainWindow]
) -> None:
    """On every page, with a message, and after the window was made smaller: the line at the foot is itself."""
    window = make_window(lecture_document)
    for width, height in ((1920, 1080), (900, 560)):
        window.resize(width, height)
        for page in ("welcome", *(kind.name for kind in VIEW.pages())):
            window.show_page(page)
            window.document.messages.error("Something did not work.", "Try again.")
            QApplication.processEvents()
            line = window.statusBar()
            for at in range(4, line.width() - 4, 40):
                found = window.childAt(line.mapTo(window, QPoint(at, line.height() // 2)))
                assert found is line or line.isAncestorOf(found), (page, found)
