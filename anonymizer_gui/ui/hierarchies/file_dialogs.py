"""Asks for hierarchy files and folders without waiting: the answer goes to a function."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from anonymizer_gui.engine.hierarchy.files import known_formats
from anonymizer_gui.engine.hierarchy.formats.contract import USUAL_FORMAT
from anonymizer_gui.ui.dialogs.file_questions import start_folder
from anonymizer_gui.ui.i18n import tr

Then = Callable[[Path], None]


def ask_file(parent: QWidget, then: Then) -> None:
    """Ask for a hierarchy file to read."""
    filters = [tr("Hierarchies (*.csv *.txt *.json *.hrc *.grc)"), tr("All files (*)")]
    dialog = _dialog(parent, tr("Import Hierarchy"), then)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilters(filters)
    dialog.open()


def ask_folder(parent: QWidget, title: str, then: Then) -> None:
    """Ask for a folder to read from or write to."""
    dialog = _dialog(parent, title, then)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.open()


def ask_target(parent: QWidget, name: str, then: Callable[[Path, str], None]) -> None:
    """Ask where to write a hierarchy and in which format; the format's name goes to the function too."""
    kinds = {f"{tr(kind.title)} (*{kind.suffixes[0]})": kind for kind in known_formats() if kind.suffixes}
    dialog = _dialog(parent, tr("Export Hierarchy"), lambda path: then(path, kinds[dialog.selectedNameFilter()].name))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(list(kinds))
    first = next(title for title, kind in kinds.items() if kind.name == USUAL_FORMAT)
    dialog.filterSelected.connect(lambda title: dialog.setDefaultSuffix(kinds[title].suffixes[0].lstrip(".")))
    dialog.selectNameFilter(first)
    dialog.setDefaultSuffix("csv")
    dialog.selectFile(name)
    dialog.open()


def _dialog(parent: QWidget, title: str, then: Then) -> QFileDialog:
    dialog = QFileDialog(parent, title, start_folder(parent))
    dialog.fileSelected.connect(lambda name: then(Path(name)))
    dialog.finished.connect(dialog.deleteLater)
    return dialog
