"""What the tests of the import dialog do with it and read from it."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.data.tables.table import ColumnType
from anonymizer_gui.ui.dialogs.import_table import ImportTableDialog


def names(dialog: ImportTableDialog) -> list[str]:
    heads = range(dialog.model.columnCount())
    return [dialog.model.headerData(place, Qt.Orientation.Horizontal).split("\n")[0] for place in heads]


def first_row(dialog: ImportTableDialog) -> list[str]:
    return [dialog.model.index(0, place).data() for place in range(dialog.model.columnCount())]


def write(tmp_path: Path, text: str, encoding: str = "utf-8") -> Path:
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode(encoding))
    return path


def put(qtbot: QtBot, dialog: ImportTableDialog, name: str, value: object) -> None:
    """Change one option as a person would."""
    widget = dialog.side.form.fields[name].widget
    if isinstance(widget, QComboBox) and widget.isEditable():
        widget.setEditText(str(value))
    elif isinstance(widget, QComboBox):
        widget.setCurrentIndex(widget.findData(value))
    elif isinstance(widget, QLineEdit):
        widget.selectAll()
        qtbot.keyClicks(widget, str(value))
    else:
        widget.click()


def choose(qtbot: QtBot, dialog: ImportTableDialog, name: str, value: object) -> None:
    """Change one option and wait until the preview follows."""
    with qtbot.waitSignal(dialog.model.modelReset):
        put(qtbot, dialog, name, value)


def pick_type(dialog: ImportTableDialog, column: str, column_type: ColumnType) -> None:
    """Choose the type of a column in the lists beside the preview."""
    for box, place in (
        (dialog.side.column, dialog.side.column.findText(column)),
        (dialog.side.type.types, dialog.side.type.types.findData(column_type)),
    ):
        box.setCurrentIndex(place)
        box.activated.emit(place)
