"""All questions about files: open, save, folder, unsaved, kind."""

import enum
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from PySide6.QtCore import Qt
from PySide6.QtGui import QDropEvent, QIcon
from PySide6.QtWidgets import QDialog, QFileDialog, QLabel, QMessageBox, QVBoxLayout, QWidget

from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.room_view import RoomView
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.empty_state import CommandLinkButton
from anonymizer_gui.workspace.document import Document

OPENABLE = (
    "*.csv *.tsv *.txt *.xlsx *.parquet *.sqlite *.db *.dta *.sav *.sas7bdat *.deid "
    "*.duckdb *.json *.jsonl *.xml *.gz *.xz *.zip"
)

WRITABLE = {"CSV": "csv", "Excel": "xlsx", "Parquet": "parquet"}


class UnsavedChoice(enum.Enum):
    """What to do with unsaved changes."""

    SAVE = "save"
    DISCARD = "discard"
    CANCEL = "cancel"


@runtime_checkable
class _Window(Protocol):
    """The window of the program."""

    document: Document


def start_folder(parent: QWidget) -> str:
    """Give the folder a question about files begins in: beside the data that is open."""
    window: QWidget | None = parent
    while window is not None and not isinstance(window, _Window):
        window = window.parentWidget()
    if window is None or window.document.is_empty:
        return ""
    places = [source.path for source in window.document.project.sources().values() if "://" not in source.path]
    return str(Path(places[0]).parent) if places else ""


def ask_open(parent: QWidget, folder: str, then: Callable[[Path], None], tables_only: bool = False) -> None:
    """Ask for a table or project to open."""
    tables = tr("Tables ({patterns})", patterns=OPENABLE)
    kinds = [tables] if tables_only else [tr("Tables and projects ({patterns})", patterns=f"*.anon {OPENABLE}"), tables]
    dialog = QFileDialog(parent, tr("Open"), folder or start_folder(parent))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilters([*kinds, tr("Projects (*.anon)"), tr("All files (*)")])
    _open(dialog, then)


def ask_folder(parent: QWidget, folder: str, title: str, then: Callable[[Path], None]) -> None:
    """Ask for a folder to read from."""
    dialog = QFileDialog(parent, title, folder or start_folder(parent))
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    _open(dialog, then)


def ask_save(parent: QWidget, suggestion: Path, then: Callable[[Path], None]) -> None:
    """Ask where to save the project."""
    dialog = QFileDialog(parent, tr("Save Project"), str(suggestion.parent))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix("anon")
    dialog.setNameFilters([tr("Projects (*.anon)")])
    dialog.selectFile(suggestion.name)
    _open(dialog, then)


def ask_recipe(parent: QWidget, folder: str, then: Callable[[Path], None]) -> None:
    """Ask for a project whose settings are to be applied."""
    dialog = QFileDialog(parent, tr("Choose a Recipe"), folder)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilters([tr("Projects (*.anon)")])
    _open(dialog, then)


def ask_target(
    parent: QWidget,
    title: str,
    suggestion: str,
    then: Callable[[Path], None],
    formats: Mapping[str, str] = WRITABLE,
) -> None:
    """Ask where to write a table; the kind of file follows from the ending."""
    dialog = QFileDialog(parent, title, start_folder(parent))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters([f"{kind} (*.{suffix})" for kind, suffix in formats.items()])
    dialog.setDefaultSuffix("csv")
    dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix(chosen.rpartition(".")[2].rstrip(")")))
    dialog.selectFile(suggestion)
    _open(dialog, then)


def ask_file(parent: QWidget, title: str, then: Callable[[str], None], new: bool = False) -> None:
    """Ask for a file of any kind; a new one may be one that is there already, which is not overwritten."""
    dialog = QFileDialog(parent, title, start_folder(parent))
    if new:
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)
    _open(dialog, lambda path: then(str(path)))


def ask_unsaved(parent: QWidget, name: str, then: Callable[[UnsavedChoice], None], running: str = "") -> None:
    """Ask what to do with the unsaved changes of a project; what is running is stopped by the same answer."""
    box = QMessageBox(
        QMessageBox.Icon.Warning,
        tr("Unsaved Changes"),
        tr("Save the changes of “{name}”?", name=name),
        QMessageBox.StandardButton.Save | QMessageBox.StandardButton.Discard | QMessageBox.StandardButton.Cancel,
        parent,
    )
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setObjectName("unsaved_changes")
    lost = tr("What is not saved is lost.")
    stopped = tr("“{what}” is still running and will be stopped.", what=running) if running else ""
    box.setInformativeText(f"{stopped} {lost}".strip())
    answers = {
        QMessageBox.StandardButton.Save: UnsavedChoice.SAVE,
        QMessageBox.StandardButton.Discard: UnsavedChoice.DISCARD,
    }
    for button in box.buttons():
        button.setIcon(QIcon())
    box.setDefaultButton(QMessageBox.StandardButton.Save)
    box.finished.connect(lambda code: then(answers.get(QMessageBox.StandardButton(code), UnsavedChoice.CANCEL)))
    box.finished.connect(box.deleteLater)
    box.open()


def ask_stop(parent: QWidget, what: str, then: Callable[[], None]) -> None:
    """Ask whether to stop what is still running; go on only if so."""
    box = QMessageBox(
        QMessageBox.Icon.Question,
        tr("Still Working"),
        tr("“{what}” is still running.", what=what),
        QMessageBox.StandardButton.Cancel,
        parent,
    )
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setObjectName("still_working")
    box.setInformativeText(tr("Stopping it leaves everything as it was before."))
    stop = box.addButton(tr("Stop and Close"), QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(stop)
    box.finished.connect(lambda _code: then() if box.clickedButton() is stop else None)
    box.finished.connect(box.deleteLater)
    box.open()


def ask_room(parent: QWidget, name: str, views: Sequence[RoomView], then: Callable[[RoomView], None]) -> None:
    """Ask what is to become of a file that leads to several kinds of release."""
    dialog = name_widget(QDialog(parent), "ask_room")
    dialog.setWindowTitle(tr("What is to become of it?"))
    layout = QVBoxLayout(dialog)
    layout.addWidget(
        QLabel(
            tr("“{name}” can be opened in several rooms:", name=name), wordWrap=True, textFormat=Qt.TextFormat.PlainText
        )
    )
    for view in views:
        button = CommandLinkButton(tr(view.title), tr(view.summary), view.icon, f"room_{view.name}")
        button.clicked.connect(dialog.accept)
        button.clicked.connect(lambda _=False, view=view: then(view))
        layout.addWidget(button)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def _open(dialog: QFileDialog, then: Callable[[Path], None]) -> None:
    dialog.fileSelected.connect(lambda name: then(Path(name)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def local_paths(event: QDropEvent) -> list[Path]:
    """List the files on this computer that are dragged."""
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
