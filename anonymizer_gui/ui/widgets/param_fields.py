"""One field for each kind of parameter: it shows a value and reads what was typed."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget

from anonymizer_gui.engine.core.params import Choice, Flag, Float, Int, Kind, ListOf, PerColumn, Shares, Text
from anonymizer_gui.engine.data.tables.io.options import CHARACTER_WORDS, Character
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.combos import ColumnOrder, ColumnWays, WideListCombo

_WORD_OF_CHARACTER = {character: word for word, character in CHARACTER_WORDS.items()}


class Field(QObject):
    """A widget for one parameter; `read` raises ValueError with the rule in words."""

    changed = Signal()

    def __init__(self, widget: QWidget, read: Callable[[], Any], show: Callable[[Any], None]) -> None:
        super().__init__(widget)
        self.widget = widget
        self.read = read
        self.show = show

    def take(self, value: Any) -> None:
        """Show a value that was chosen, and tell."""
        self.show(value)
        self.changed.emit()


class NumberEdit(QLineEdit):
    """A line for a number; the up and down keys step it."""

    def __init__(self, step: float) -> None:
        super().__init__()
        self._step = step

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step with the arrow keys."""
        direction = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()), 0)
        try:
            number = float(self.text().replace(",", ".")) if direction else 0.0
        except ValueError:
            direction = 0
        if not direction:
            super().keyPressEvent(event)
            return
        self.setText(f"{number + direction * self._step:.10g}")
        self.textEdited.emit(self.text())


def field_for(kind: Kind, columns: Sequence[str]) -> Field:
    """Make the field for a kind of parameter."""
    if isinstance(kind, Flag):
        return _flag()
    if isinstance(kind, Choice):
        return _choice(kind)
    if isinstance(kind, Text) and kind.column:
        return _column(kind, columns)
    if isinstance(kind, Character):
        return _character(kind)
    if isinstance(kind, ListOf) and isinstance(kind.of, Text) and kind.of.column:
        return _column_order(columns)
    if isinstance(kind, PerColumn) and isinstance(kind.of, Choice):
        return _column_ways(kind.of, columns)
    return _line(kind)


def _flag() -> Field:
    box = QCheckBox()
    field = Field(box, box.isChecked, box.setChecked)
    box.toggled.connect(lambda _on: field.changed.emit())
    return field


def _choice(kind: Choice) -> Field:
    box = WideListCombo()
    for name, words in kind.options.items():
        box.addItem(tr(words), name)
    box.make_room()
    field = Field(box, box.currentData, lambda value: box.setCurrentIndex(box.findData(value)))
    box.currentIndexChanged.connect(lambda _place: field.changed.emit())
    return field


def _column(kind: Text, columns: Sequence[str]) -> Field:
    box = WideListCombo()
    box.addItem(f"({tr(kind.empty)})" if kind.empty else "–", "")
    for name in columns:
        box.addItem(name, name)

    def show(value: str) -> None:
        if box.findData(value) < 0:
            box.addItem(value, value)
        box.setCurrentIndex(box.findData(value))

    field = Field(box, lambda: box.currentData() or "", show)
    box.currentIndexChanged.connect(lambda _place: field.changed.emit())
    return field


def _column_order(columns: Sequence[str]) -> Field:
    box = ColumnOrder(columns)
    field = Field(box, lambda: box.order, box.show_order)
    box.chosen.connect(field.changed)
    return field


def _column_ways(kind: Choice, columns: Sequence[str]) -> Field:
    box = ColumnWays(columns, kind.options)
    field = Field(box, lambda: tuple(box.ways.items()), box.show_ways)
    box.chosen.connect(field.changed)
    return field


def _character(kind: Character) -> Field:
    box = QComboBox(editable=True)
    box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    for word, character in CHARACTER_WORDS.items():
        if character or kind.optional:
            box.addItem(tr(word), character)
    if kind.optional:
        box.insertItem(0, '"', '"')
        box.insertItem(1, "'", "'")

    def read() -> str:
        place = box.findText(box.currentText())
        return box.itemData(place) if place >= 0 else kind.parse(box.currentText())

    def show(value: str) -> None:
        place = box.findData(value)
        box.setEditText(box.itemText(place) if place >= 0 else _WORD_OF_CHARACTER.get(value, value))

    field = Field(box, read, show)
    box.editTextChanged.connect(lambda _text: field.changed.emit())
    return field


def _line(kind: Kind) -> Field:
    line = NumberEdit(1 if isinstance(kind, Int) else 0.05) if isinstance(kind, Int | Float) else QLineEdit()
    if isinstance(kind, ListOf):
        line.setPlaceholderText(tr("none; several are separated by commas"))
    elif isinstance(kind, PerColumn):
        line.setPlaceholderText(tr("none; such as {example}", example="age=2"))
    elif isinstance(kind, Shares):
        line.setPlaceholderText(tr("such as {example}", example="flu=0.7, asthma=0.3"))
    field = Field(line, lambda: kind.parse(line.text()), lambda value: line.setText(_as_text(kind, value)))
    line.textEdited.connect(lambda _text: field.changed.emit())
    return field


def _as_text(kind: Kind, value: Any) -> str:
    if isinstance(kind, Float):
        return f"{value:.10g}"
    if isinstance(kind, ListOf):
        return ", ".join(_as_text(kind.of, item) for item in value)
    if isinstance(kind, PerColumn):
        return ", ".join(f"{column}={_as_text(kind.of, item)}" for column, item in value)
    if isinstance(kind, Shares):
        return ", ".join(f"{name.replace(',', ',,')}={share:.10g}" for name, share in value)
    return str(value)
