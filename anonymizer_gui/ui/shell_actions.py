"""The actions of the window itself; pages bring their own."""

from typing import TYPE_CHECKING

from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.workspace.document import Document

if TYPE_CHECKING:
    from anonymizer_gui.ui.main_window import MainWindow


def _undo_title(document: Document) -> str:
    text = document.undo_stack.undoText()
    return tr("Undo: {step}", step=text) if text else tr("Undo")


def _redo_title(document: Document) -> str:
    text = document.undo_stack.redoText()
    return tr("Redo: {step}", step=text) if text else tr("Redo")


def _history_is_shown(window: "MainWindow") -> bool:
    return not window.history.isHidden()


ACTIONS = (
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
)
