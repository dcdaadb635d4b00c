"""Which goal is varied over which values."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QFormLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from anonymizer_gui.engine.params import Float, Int, Listing, Param, params_of
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PrivacyModel
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.ui.widgets.note import Note


class SweepDialog(QDialog):
    """Lets the user choose a number of a goal and the values it takes."""

    chosen = Signal(int, str, object)
    """Carries the place of the goal, the name of its parameter, and the values."""

    def __init__(self, goals: Sequence[PrivacyModel], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sweep_dialog")
        self.setWindowTitle(tr("Sweep"))
        self.choices: list[tuple[int, Param]] = [
            (place, param)
            for place, goal in enumerate(goals)
            for param in params_of(type(goal))
            if isinstance(param.kind, Int | Float)
        ]
        self._goals = goals
        self.what = named(QComboBox(), "sweep_what")
        self.values = named(QLineEdit(), "sweep_values")
        self.note = Note()
        self._build()
        self._on_what()
        self.finished.connect(self.deleteLater)

    def accept(self) -> None:
        """Tell the values, unless one of them is wrong."""
        values = self._read()
        if values:
            place, param = self.choices[self.what.currentIndex()]
            super().accept()
            self.chosen.emit(place, param.name, values)

    def _build(self) -> None:
        for place, param in self.choices:
            self.what.addItem(f"{tr(self._goals[place].title)}: {param.label}")
        intro = QLabel(
            tr("One release is made for each value; they appear on the Compare page as they come."), wordWrap=True
        )
        rows = QFormLayout()
        for title, widget in ((tr("What varies"), self.what), (tr("Values, separated by commas"), self.values)):
            label = QLabel(title)
            label.setBuddy(widget)
            widget.setAccessibleName(title)
            rows.addRow(label, widget)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText(tr("Run"))
        self.buttons.button(QDialogButtonBox.StandardButton.Cancel).setText(tr("Cancel"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        theme.plain_buttons(self.buttons)
        self.what.currentIndexChanged.connect(self._on_what)
        self.values.textEdited.connect(lambda _text: self._show_note())
        layout = QVBoxLayout(self)
        layout.addWidget(intro)
        layout.addLayout(rows)
        layout.addWidget(self.note)
        layout.addWidget(self.buttons)
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * 60)

    def _read(self) -> tuple[Any, ...]:
        if not self.choices:
            return ()
        kind = self.choices[self.what.currentIndex()][1].kind
        try:
            return Listing(kind).parse(self.values.text())
        except ValueError:
            return ()

    def _show_note(self) -> None:
        fine = bool(self._read())
        rule = self.choices[self.what.currentIndex()][1].kind.rule() if self.choices else ""
        self.note.show_note("bad", "" if fine else tr("Each value must be {rule}.", rule=tr(rule)))
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(fine)

    def _on_what(self) -> None:
        if self.choices:
            place, param = self.choices[self.what.currentIndex()]
            usual = param.series or (getattr(self._goals[place], param.name),)
            self.values.setText(", ".join(f"{value:g}" for value in usual))
        self._show_note()
