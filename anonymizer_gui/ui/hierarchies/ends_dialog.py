"""Asks from where on, and below what, values are published as one group; shows the outcome while one types."""

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLabel, QLineEdit, QWidget

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.data.tables.values import parse_by_type
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.hierarchies import commands as does
from anonymizer_gui.ui.hierarchies.commands import Selection
from anonymizer_gui.ui.i18n import told, tr
from anonymizer_gui.ui.widgets.named import named


class EndsDialog(QDialog):
    """Two fields, either of which may stay empty; what would come out, or why it cannot be, stands under them."""

    chosen = Signal(object, object)
    """The lower and the upper bound, as numbers or None."""

    def __init__(self, at: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("hierarchy_ends")
        self._at = at
        self.below = named(QLineEdit(), "hierarchy_below")
        self.above = named(QLineEdit(), "hierarchy_above")
        self.outcome = named(QLabel(wordWrap=True), "hierarchy_ends_outcome")
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, parent=self
        )
        self._build()
        self._connect()
        self._on_text_changed()

    def bounds(self) -> tuple[float | None, float | None]:
        """Give the bounds that are typed; None where there is none."""
        return _reading(self.below.text()), _reading(self.above.text())

    def _build(self) -> None:
        self.setWindowTitle(tr("Top and Bottom Coding"))
        self.setMinimumWidth(30 * self.fontMetrics().height())
        form = QFormLayout(self)
        form.addRow(_note(tr("Rare values at the ends point to people: put them into one group at every level.")))
        form.addRow(tr("One group for everything below:"), self.below)
        form.addRow(tr("One group for everything from this on:"), self.above)
        form.addRow(self.outcome)
        form.addRow(
            _note(tr("The values themselves stay at level 0: they leave as the group only where the column is raised."))
        )
        form.addRow(self.buttons)
        for field in (self.below, self.above):
            field.setPlaceholderText(tr("no bound"))
            field.setToolTip(tr("A number or a date"))
        self.outcome.setMinimumHeight(3 * self.fontMetrics().lineSpacing())
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText(tr("Group"))

    def _connect(self) -> None:
        self.below.textChanged.connect(self._on_text_changed)
        self.above.textChanged.connect(self._on_text_changed)
        self.buttons.accepted.connect(self._on_accepted)
        self.buttons.rejected.connect(self.reject)
        theme.plain_buttons(self.buttons)
        self.finished.connect(self.deleteLater)

    def _on_text_changed(self) -> None:
        try:
            step = does.code_ends(self._at, *self.bounds())
        except BadHierarchy as error:
            self.outcome.setText(told(error))
            self._enable(False)
            return
        tree = step.hierarchy
        counted = ((label, int(tree.leaf_counts[tree.node_of_label[label]])) for label in step.select)
        parts = (tr("{label}: {values:value|values}", label=label, values=values) for label, values in counted)
        self.outcome.setText(tr("Gives {parts}", parts="  ·  ".join(parts)))
        self._enable(True)

    def _enable(self, works: bool) -> None:
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(works)

    def _on_accepted(self) -> None:
        self.chosen.emit(*self.bounds())
        self.accept()


def _reading(text: str) -> float | None:
    found = parse_by_type([text.strip()])[0] if text.strip() else np.nan
    return None if np.isnan(found) else float(found)


def _note(words: str) -> QLabel:
    label = QLabel(words, wordWrap=True)
    label.setForegroundRole(label.foregroundRole().PlaceholderText)
    return label
