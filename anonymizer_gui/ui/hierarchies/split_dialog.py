"""Asks where an interval is to be cut, and shows the parts while one types."""

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLabel, QLineEdit, QWidget

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.data.tables.values import parse_by_type
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.hierarchies import commands as does
from anonymizer_gui.ui.hierarchies.commands import Selection
from anonymizer_gui.ui.hierarchies.interval_words import middle
from anonymizer_gui.ui.i18n import told, tr
from anonymizer_gui.ui.widgets.named import named


class SplitDialog(QDialog):
    """One field for one or several cuts; what would come out, or why it cannot be, stands under it."""

    chosen = Signal(tuple)
    """The cuts, as numbers."""

    def __init__(self, at: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("hierarchy_split")
        self._at = at
        self.field = named(QLineEdit(), "hierarchy_cuts")
        self.outcome = named(QLabel(wordWrap=True), "hierarchy_split_outcome")
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, parent=self
        )
        self._build()
        self._connect()
        self.field.setText(middle(at.hierarchy, at.first()))
        self.field.selectAll()

    def cuts(self) -> tuple[float, ...]:
        """Give the cuts that are typed; what is no number or date is left out."""
        texts = [text.strip() for text in self.field.text().replace(";", ",").split(",") if text.strip()]
        found = parse_by_type(texts) if texts else np.empty(0)
        return tuple(found[~np.isnan(found)].tolist())

    def _build(self) -> None:
        self.setWindowTitle(tr("Split Interval"))
        self.setMinimumWidth(24 * self.fontMetrics().height())
        self._form = form = QFormLayout(self)
        asked = QLabel(tr("Cut “{label}” at:", label=self._at.labels()[0]), textFormat=Qt.TextFormat.PlainText)
        asked.setBuddy(self.field)
        form.addRow(asked, self.field)
        form.addRow(self.outcome)
        form.addRow(self.buttons)
        self.field.setToolTip(tr("One or several numbers or dates, separated by commas"))
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText(tr("Split"))

    def _connect(self) -> None:
        self.field.textChanged.connect(self._on_text_changed)
        self.buttons.accepted.connect(self._on_accepted)
        self.buttons.rejected.connect(self.reject)
        theme.plain_buttons(self.buttons)
        self.finished.connect(self.deleteLater)

    def _on_text_changed(self) -> None:
        try:
            parts = does.split(self._at, self.cuts()).select
            self.outcome.setText(tr("Gives {parts}", parts="  ·  ".join(parts)))
            self._enable(True)
        except BadHierarchy as error:
            self.outcome.setText(told(error))
            self._enable(False)

    def _make_room(self) -> None:
        """Grow with the outcome: nothing of it may be cut off."""
        self.resize(self.width(), max(self.height(), self._form.totalHeightForWidth(self.width())))

    def _enable(self, works: bool) -> None:
        self._make_room()
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(works)

    def _on_accepted(self) -> None:
        self.chosen.emit(self.cuts())
        self.accept()
