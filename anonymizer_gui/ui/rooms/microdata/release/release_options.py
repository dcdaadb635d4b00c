"""How the release leaves: order of rows, suppressed records, formulas, missing cells, key and ledger."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from anonymizer_gui.engine.errors import AnonymizerError
from anonymizer_gui.engine.files.keys import make_key
from anonymizer_gui.engine.rooms.microdata.leaving_table import ROW_ORDERS
from anonymizer_gui.engine.rooms.microdata.project import Publishing
from anonymizer_gui.ui.dialogs.file_questions import ask_any
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.combos import WideListCombo
from anonymizer_gui.ui.widgets.layout_pieces import name_file
from anonymizer_gui.ui.widgets.named import named


class ReleaseOptions(QWidget):
    """Edits the publishing part of a project; the files of key and ledger are the document's, never the project's."""

    edited = Signal(str, object)
    """Carries the sentence of the step and the new publishing."""
    files_chosen = Signal(object)
    """Carries what is chosen of key_file and ledger_file."""
    failed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._publishing = Publishing()
        self._rows = QFormLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._build()

    def show_publishing(self, publishing: Publishing) -> None:
        """Show how the release leaves."""
        self._publishing = publishing
        self.order.setCurrentIndex(self.order.findData(publishing.row_order))
        for box, name in self._flags.items():
            box.blockSignals(True)
            box.setChecked(getattr(publishing, name))
            box.blockSignals(False)
        if not self.missing.hasFocus():
            self.missing.setText(publishing.missing_token)

    def show_files(self, key_file: str, ledger_file: str) -> None:
        """Show which key and ledger are used."""
        name_file(self.key_label, key_file)
        name_file(self.ledger_label, ledger_file)
        self.no_ledger.setEnabled(bool(ledger_file))

    def set_key_file(self, path: str) -> None:
        """Use this key file."""
        self.files_chosen.emit({"key_file": path})

    def set_ledger_file(self, path: str) -> None:
        """Use this ledger."""
        self.files_chosen.emit({"ledger_file": path})

    def new_key(self, path: str) -> None:
        """Make a key and use it."""
        try:
            make_key(Path(path))
        except AnonymizerError as error:
            self.failed.emit(error)
            return
        self.set_key_file(path)

    def _build(self) -> None:
        self.order = WideListCombo()
        self.order.setObjectName("row_order")
        for name, words in ROW_ORDERS.items():
            self.order.addItem(tr(words), name)
        self.order.activated.connect(
            lambda place: self._edit(tr("Set the order of the rows"), row_order=self.order.itemData(place))
        )
        self.missing = named(QLineEdit(), "missing_token")
        self.missing.setPlaceholderText(tr("empty"))
        self.missing.editingFinished.connect(
            lambda: self._edit(tr("Set the sign for missing"), missing_token=self.missing.text().strip())
        )
        self._add(tr("Order of the rows"), self.order)
        self._add(tr("Missing cells are written as"), self.missing)
        self._flags = {
            QCheckBox(tr("Publish suppressed records with * instead of leaving them out")): "suppressed_as_stars",
            QCheckBox(tr("Disarm cells a spreadsheet would run as formula")): "escape_formulas",
            QCheckBox(tr("Same pseudonyms in other releases with this key")): "linkable",
        }
        for box, name in self._flags.items():
            box.setObjectName(name)
            box.toggled.connect(lambda on, name=name: self._edit(tr("Set how the release leaves"), **{name: on}))
            self._rows.addRow(box)
        self.key_label, self.ledger_label = QLabel(tr("none")), QLabel(tr("none"))
        choose, make, none = tr("Choose…"), tr("Make…"), tr("Clear")
        key, ledger = tr("Key file"), tr("Ledger of releases")
        self.choose_key = self._button(choose, key, lambda: ask_any(self, tr("Choose the Key File"), self.set_key_file))
        self.make_key = self._button(make, key, lambda: ask_any(self, tr("Make a Key File"), self.new_key, new=True))
        self.choose_ledger = self._button(
            choose, ledger, lambda: ask_any(self, tr("Choose or Make the Ledger"), self.set_ledger_file, new=True)
        )
        self.no_ledger = self._button(none, ledger, lambda: self.set_ledger_file(""))
        self.no_ledger.setEnabled(False)
        self._rows.addRow(key, _row(self.key_label, self.choose_key, self.make_key))
        self._rows.addRow(ledger, _row(self.ledger_label, self.choose_ledger, self.no_ledger))

    def _button(self, text: str, about: str, action: Callable[[], None]) -> QPushButton:
        button = QPushButton(text)
        button.setAccessibleName(f"{about}: {text}")
        button.clicked.connect(lambda: action())
        return button

    def _add(self, title: str, widget: QWidget) -> None:
        label = QLabel(title)
        label.setBuddy(widget)
        widget.setAccessibleName(title)
        self._rows.addRow(label, widget)

    def _edit(self, text: str, **fields: Any) -> None:
        changed = replace(self._publishing, **fields)
        if changed != self._publishing:
            self._publishing = changed
            self.edited.emit(text, changed)


def _row(label: QLabel, *buttons: QPushButton) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(label, 1)
    for button in buttons:
        row.addWidget(button)
    return row
