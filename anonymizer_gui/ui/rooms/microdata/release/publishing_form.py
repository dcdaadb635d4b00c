"""How a table is published: order of rows, suppressed records, formulas, missing cells."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from anonymizer_gui.engine.rooms.microdata.project import Publishing
from anonymizer_gui.engine.rooms.microdata.release.output_table import ROW_ORDERS
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox


class PublishingForm(QWidget):
    """Edits the publishing part of a project."""

    edited = Signal(str, object)
    """Carries the sentence of the step and the new publishing."""
    public_wanted = Signal()
    """Asks which columns have values that everybody may know."""

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
        self.public.setEnabled(publishing.labels_file)
        if not self.missing.hasFocus():
            self.missing.setText(publishing.missing_token)

    def _build(self) -> None:
        self.order = WidePopupComboBox()
        self.order.setObjectName("row_order")
        for name, words in ROW_ORDERS.items():
            self.order.addItem(tr(words), name)
        self.order.activated.connect(
            lambda place: self._edit(tr("Set the order of the rows"), row_order=self.order.itemData(place))
        )
        self.missing = name_widget(QLineEdit(), "missing_token")
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
            QCheckBox(tr("Write what stands behind the labels into a file of its own")): "labels_file",
        }
        for box, name in self._flags.items():
            box.setObjectName(name)
            box.toggled.connect(lambda on, name=name: self._edit(tr("Set how the release leaves"), **{name: on}))
            self._rows.addRow(box)
        about = tr("Choose the columns whose values everybody may know; only their values stand in the file")
        self.public = name_widget(QPushButton(tr("Public Values…")), "public_values", tip=about)
        self.public.clicked.connect(self.public_wanted)
        self._rows.addRow(self.public)

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
