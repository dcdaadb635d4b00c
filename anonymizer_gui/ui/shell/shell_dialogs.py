"""Opens the dialogs of the window itself; each is imported when it is first wanted."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog

from anonymizer_gui.ui.dialogs import file_questions
from anonymizer_gui.ui.i18n import chosen_language, tr

if TYPE_CHECKING:
    from anonymizer_gui.ui.shell.main_window import MainWindow


def show_palette(window: "MainWindow") -> None:
    """Let the user find a command by typing."""
    from anonymizer_gui.ui.shell.command_palette import CommandPalette

    _open(CommandPalette(window.commands, window))


def show_shortcuts(window: "MainWindow") -> None:
    """Show all shortcuts."""
    from anonymizer_gui.ui.dialogs.shortcuts import ShortcutsDialog

    _open(ShortcutsDialog(window.commands, window.settings, window))


def show_preferences(window: "MainWindow") -> None:
    """Show what can be set."""
    from anonymizer_gui.ui.dialogs.preferences import PreferencesDialog

    _open(PreferencesDialog(window.settings, window))


def show_log(window: "MainWindow") -> None:
    """Show the log."""
    from anonymizer_gui.ui.dialogs.log import LogDialog

    _open(LogDialog(window.logbook, window), modal=False)


def show_about(window: "MainWindow") -> None:
    """Show versions and licences."""
    from anonymizer_gui.ui.dialogs.about import AboutDialog

    _open(AboutDialog(window))


def show_help(window: "MainWindow", name: str = "") -> None:
    """Show a help page; without a name, that of the page in front."""
    from anonymizer_gui.ui.dialogs.help import HelpWindow

    page = window.pages.current_page
    shown = window.findChild(HelpWindow)
    if shown is None:
        shown = HelpWindow(chosen_language(window.settings.preferences.language), window)
        _open(shown, modal=False)
    shown.show_page(name or (page.help if page is not None else ""))
    shown.raise_()


def _open(dialog: QDialog, modal: bool = True) -> None:
    dialog.finished.connect(dialog.deleteLater)
    if modal:
        dialog.open()
    else:
        dialog.show()


def verify_release(window: "MainWindow") -> None:
    """Ask for a released file and check it against its certificate."""

    def show(path: str) -> None:
        from anonymizer_gui.ui.release.verify_dialog import VerifyDialog

        dialog = VerifyDialog(window.document, Path(path), window)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    file_questions.ask_any(window, tr("Choose the Released File"), show)
