"""Whether a file is opened alone, or all files of its folder, where each may hold one record."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.data.trees.reading import files_beside
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import name_widget


def ask_folder(parent: QWidget, path: Path, then: Callable[[Path], object]) -> None:
    """Ask only where the folder has more files of that sort; a folder that was chosen as such is taken."""
    others = _beside(path)
    if len(others) < 2:
        then(path)
        return
    box = QMessageBox(QMessageBox.Icon.Question, tr("One File or All"), _words(path, len(others)), parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)  # names of files are no markup
    every = box.addButton(tr("All {count} Files", count=len(others)), QMessageBox.ButtonRole.AcceptRole)
    one = box.addButton(tr("Only This File"), QMessageBox.ButtonRole.AcceptRole)
    box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
    name_widget(every, "all_files")
    name_widget(one, "only_this_file")
    box.setObjectName("folder_question")
    every.clicked.connect(lambda: then(path.parent))
    one.clicked.connect(lambda: then(path))
    box.finished.connect(box.deleteLater)
    box.open()


def _beside(path: Path) -> list[Path]:
    try:
        return [] if path.is_dir() else files_beside(path)
    except (AnonymizerError, OSError):
        return []  # what is wrong with the file is told when it is opened


def _words(path: Path, count: int) -> str:
    return tr(
        "The folder of “{name}” has {count} files of this sort. If each holds one record, open them all: they leave as "
        "one file.",
        name=path.name,
        count=count,
    )
