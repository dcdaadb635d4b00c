"""Actions of the window and the dialogs they open."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QWhatsThis

from anonymizer_gui.ui.actions import LAST_GROUP, Action
from anonymizer_gui.ui.dialogs import file_dialogs
from anonymizer_gui.ui.i18n import chosen_language, tr
from anonymizer_gui.workspace.document import Document

if TYPE_CHECKING:
    from anonymizer_gui.ui.shell.main_window import MainWindow


def show_palette(window: "MainWindow") -> None:
    """Let the user find a command by typing."""
    from anonymizer_gui.ui.shell.command_palette import CommandPalette

    _open(CommandPalette(window.commands, window))


def show_shortcuts(window: "MainWindow") -> None:
    """Show all shortcuts."""
    from anonymizer_gui.ui.dialogs.preferences import ShortcutsDialog

    _open(ShortcutsDialog(window.commands, window.settings, window))


def show_preferences(window: "MainWindow") -> None:
    """Show what can be set."""
    from anonymizer_gui.ui.dialogs.preferences import PreferencesDialog

    _open(PreferencesDialog(window.settings, window))


def show_log(window: "MainWindow") -> None:
    """Show the log."""
    from anonymizer_gui.ui.dialogs.about import LogDialog

    _open(LogDialog(window.logbook, window), modal=False)


def show_about(window: "MainWindow") -> None:
    """Show versions and licences."""
    from anonymizer_gui.ui.dialogs.about import AboutDialog

    _open(AboutDialog(window))


def show_help(window: "MainWindow", name: str = "") -> None:
    """Show a help page; without a name, that of the page in front."""
    from anonymizer_gui.ui.dialogs.help_window import HelpWindow

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

    file_dialogs.ask_file(window, tr("Choose the Released File"), show)


def _undo_title(document: Document) -> str:
    text = document.undo_stack.undoText()
    return tr("Undo: {step}", step=text) if text else tr("Undo")


def _redo_title(document: Document) -> str:
    text = document.undo_stack.redoText()
    return tr("Redo: {step}", step=text) if text else tr("Redo")


def _history_is_shown(window: "MainWindow") -> bool:
    return not window.history.isHidden()


def _theme_is(mode: str) -> Action:
    words = {"system": "Colours of the System", "light": "Light Colours", "dark": "Dark Colours"}
    return Action(
        f"view.theme_{mode}",
        words[mode],
        lambda window: window.settings.change(theme=mode),
        "View",
        "theme",
        status_tip="Change the colours of all windows",
        checked=lambda window: window.settings.preferences.theme == mode,
    )


def _is_not_empty(document: Document) -> bool:
    return not document.is_empty


_FILE = (
    Action(
        "file.new",
        "New",
        lambda window: window.files.new(),
        "File",
        "open",
        icon="new",
        shortcut="New",
        status_tip="Start over with nothing",
    ),
    Action(
        "file.open",
        "Open…",
        lambda window: window.files.open(),
        "File",
        "open",
        icon="open",
        shortcut="Open",
        status_tip="Open a table or a project",
    ),
    Action(
        "file.open_database",
        "Open Database…",
        lambda window: window.files.open_database(),
        "File",
        "open",
        icon="database",
        shortcut="Ctrl+Shift+O",
        status_tip="Open a table or a query of a database",
    ),
    Action(
        "file.save",
        "Save",
        lambda window: window.files.save(),
        "File",
        "save",
        icon="save",
        shortcut="Save",
        status_tip="Save the project",
        enabled=_is_not_empty,
        reason="There is nothing to save yet.",
    ),
    Action(
        "file.save_as",
        "Save As…",
        lambda window: window.files.save_as(),
        "File",
        "save",
        shortcut="Ctrl+Shift+S",
        status_tip="Save the project under another name",
        enabled=_is_not_empty,
        reason="There is nothing to save yet.",
    ),
    Action(
        "file.locate",
        "Locate the Table…",
        lambda window: window.files.locate_table(),
        "File",
        "save",
        status_tip="Say where the table of this project is now",
        enabled=_is_not_empty,
        reason="Open a project first.",
    ),
    Action(
        "file.other_room",
        "In Another Room…",
        lambda window: window.files.open_in_another_room(),
        "File",
        "save",
        status_tip="Start a project about the same file that leads to another kind of release",
        enabled=_is_not_empty,
        reason="Open a file first.",
    ),
    Action(
        "file.quit",
        "Quit",
        lambda window: window.close(),
        "File",
        LAST_GROUP,
        shortcut="Ctrl+Q",
        status_tip="Close the program",
    ),
)

_EDIT = (
    Action(
        "edit.undo",
        "Undo",
        lambda window: window.document.undo_stack.undo(),
        "Edit",
        "undo",
        icon="undo",
        shortcut="Undo",
        status_tip="Take back the last step",
        enabled=lambda document: document.undo_stack.canUndo(),
        reason="There is nothing to undo.",
        live_title=_undo_title,
    ),
    Action(
        "edit.redo",
        "Redo",
        lambda window: window.document.undo_stack.redo(),
        "Edit",
        "undo",
        icon="redo",
        shortcut="Redo",
        status_tip="Do the step again that was taken back",
        enabled=lambda document: document.undo_stack.canRedo(),
        reason="There is nothing to redo.",
        live_title=_redo_title,
    ),
)

_VIEW = (
    Action(
        "view.next_page",
        "Next Step",
        lambda window: window.step_page(1),
        "View",
        "pages",
        icon="down",
        shortcut="Ctrl+PgDown",
        status_tip="Go to the next step",
    ),
    Action(
        "view.previous_page",
        "Previous Step",
        lambda window: window.step_page(-1),
        "View",
        "pages",
        icon="up",
        shortcut="Ctrl+PgUp",
        status_tip="Go to the previous step",
    ),
    Action(
        "view.history",
        "History",
        lambda window: window.history.setVisible(window.history.isHidden()),
        "View",
        "panels",
        icon="history",
        shortcut="Ctrl+H",
        status_tip="Show every step and travel between them",
        checked=_history_is_shown,
    ),
    Action(
        "view.copy_history",
        "Copy History",
        lambda window: window.copy_history(),
        "View",
        "panels",
        icon="copy",
        status_tip="Copy every step as a line of text",
        enabled=lambda document: document.undo_stack.count() > 0,
        reason="There are no steps yet.",
    ),
    _theme_is("system"),
    _theme_is("light"),
    _theme_is("dark"),
    Action(
        "view.reset_layout",
        "Reset Layout",
        lambda window: window.reset_layout(),
        "View",
        "layout",
        status_tip="Put window and panels back to where they were at first",
    ),
)

_TOOLS = (
    Action(
        "tools.verify",
        "Verify a Release…",
        verify_release,
        "Tools",
        "verify",
        icon="check",
        status_tip="Measure a released file again and compare it with its certificate",
    ),
    Action(
        "tools.palette",
        "Commands…",
        show_palette,
        "Tools",
        "palette",
        icon="palette",
        shortcut="Ctrl+Shift+P",
        status_tip="Find any command by typing",
    ),
    Action(
        "tools.shortcuts",
        "Keyboard Shortcuts…",
        show_shortcuts,
        "Tools",
        "settings",
        shortcut="Ctrl+F1",
        status_tip="See and change all shortcuts",
    ),
    Action(
        "tools.preferences",
        "Preferences…",
        show_preferences,
        "Tools",
        "settings",
        icon="settings",
        shortcut="Ctrl+,",
        status_tip="Language, colours and what is remembered",
    ),
)

_HELP = (
    Action(
        "help.page",
        "Help on This Page",
        show_help,
        "Help",
        "help",
        icon="help",
        shortcut="HelpContents",
        status_tip="Open the help page for where you are",
    ),
    Action(
        "help.whats_this",
        "What's This?",
        lambda window: QWhatsThis.enterWhatsThisMode(),
        "Help",
        "help",
        shortcut="WhatsThis",
        status_tip="Point at a control to learn what it does",
    ),
    Action("help.log", "Log…", show_log, "Help", "about", status_tip="See what the program did"),
    Action(
        "help.about",
        "About Anonymizer",
        show_about,
        "Help",
        "about",
        icon="info",
        status_tip="Versions and licences",
    ),
)

ACTIONS = (*_FILE, *_EDIT, *_VIEW, *_TOOLS, *_HELP)

TOOLBAR = ("file.open", "file.save", "", "edit.undo", "edit.redo", "", "tools.palette", "help.page")
"""The actions of the toolbar, by id; an empty one is a gap."""
