"""Starts the window."""

import sys

from PySide6.QtWidgets import QApplication

from anonymizer_gui import __version__
from anonymizer_gui.ui import i18n, theme
from anonymizer_gui.ui.main_window import MainWindow
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.settings import Settings


def main(arguments: list[str]) -> int:
    """Open the window and run until it is closed; return the exit code."""
    app = QApplication([sys.argv[0], *arguments])
    app.setApplicationName("Anonymizer")
    app.setOrganizationName("Anonymizer")
    app.setApplicationVersion(__version__)
    settings = Settings()
    theme.apply(app, settings.preferences.theme)
    i18n.install(app, i18n.chosen_language(settings.preferences.language))
    window = MainWindow(Document(), settings)
    window.load_pages()
    window.show()
    return app.exec()
