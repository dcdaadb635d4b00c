"""Which number is varied over which values: for rooms whose promises and methods have declared ones."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QFormLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.params import ListOf, Param
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.message_strip import InlineMessage


class ParameterSweepDialog(QDialog):
    """Lets the user choose a number of a promise or of the method, and the values it takes."""

    chosen = Signal(object, object)
    """Carries what varies, and the values."""

    def __init__(
        self,
        choices: Sequence[tuple[str, Param]],
        parent: QWidget | None = None,
        shown_on: str = "",
        titles: Mapping[str, str] | None = None,
    ) -> None:
        """Offer numbers, each with the promise or method it is of; `shown_on` names the page of the releases.

        `titles` are what people call these promises and methods.
        """
        super().__init__(parent)
        self._shown_on, self._titles = shown_on or tr("Compare"), titles or {}
        self.setObjectName("number_sweep_dialog")
        self.setWindowTitle(tr("Sweep"))
        self.choices = choices
        self.what = name_widget(QComboBox(), "sweep_what", spoken=tr("What varies"))
        self.values = name_widget(QLineEdit(), "sweep_values", spoken=tr("Values, separated by commas"))
        self.note = InlineMessage()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self._build()
        self._on_what()
        self.finished.connect(self.deleteLater)

    def accept(self) -> None:
        """Tell the values, unless one of them is wrong."""
        values = self._read()
        if values:
            super().accept()
            self.chosen.emit(self.choices[self.what.currentIndex()], values)

    def _build(self) -> None:
        for name, param in self.choices:
            self.what.addItem(f"{self._titles.get(name, name)}: {tr(param.label)}" if name else tr(param.label))
        words = tr(
            "One release is made for each value; they appear on the page “{page}” as they come.", page=self._shown_on
        )
        rows = QFormLayout()
        for widget in (self.what, self.values):
            label = QLabel(widget.accessibleName())
            label.setBuddy(widget)
            rows.addRow(label, widget)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText(tr("Run"))
        self.buttons.button(QDialogButtonBox.StandardButton.Cancel).setText(tr("Cancel"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        theme.strip_button_icons(self.buttons)
        self.what.currentIndexChanged.connect(self._on_what)
        self.values.textEdited.connect(lambda _text: self._show_note())
        layout = QVBoxLayout(self)
        layout.addWidget(QLabel(words, wordWrap=True))
        layout.addLayout(rows)
        layout.addWidget(self.note)
        layout.addWidget(self.buttons)
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * 60)

    def _read(self) -> tuple[Any, ...]:
        if not self.choices:
            return ()
        try:
            return ListOf(self.choices[self.what.currentIndex()][1].kind).parse(self.values.text())
        except ValueError:
            return ()

    def _show_note(self) -> None:
        fine = bool(self._read())
        rule = self.choices[self.what.currentIndex()][1].kind.rule() if self.choices else ""
        self.note.show_note("bad", "" if fine else tr("Each value must be {rule}.", rule=tr(rule)))
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(fine)

    def _on_what(self) -> None:
        if self.choices:
            param = self.choices[self.what.currentIndex()][1]
            self.values.setText(", ".join(f"{value:g}" for value in param.series or (param.default,)))
        self._show_note()
