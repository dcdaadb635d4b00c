"""Messages lie over the page and go when they have been read."""

from PySide6.QtWidgets import QApplication

from anonymizer_gui.ui.shell.main_window import MainWindow


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
