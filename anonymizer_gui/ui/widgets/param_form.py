"""Form and fields made of declared parameters."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLabel, QLineEdit, QMenu, QToolButton, QWidget

from anonymizer_gui.engine.core.params import (
    Choice,
    Flag,
    Float,
    Int,
    Kind,
    ListOf,
    Param,
    PerColumn,
    Shares,
    Text,
    params_of,
    to_json,
)
from anonymizer_gui.engine.data.tables.io.options import CHARACTER_WORDS, Character
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_significant, tr
from anonymizer_gui.ui.widgets.combo_boxes import ColumnOptionBox, ColumnOrderBox, WidePopupComboBox

_WORD_OF_CHARACTER = {character: word for word, character in CHARACTER_WORDS.items()}


class ParamField(QObject):
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


def field_for(kind: Kind, columns: Sequence[str]) -> ParamField:
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


def _flag() -> ParamField:
    box = QCheckBox()
    field = ParamField(box, box.isChecked, box.setChecked)
    box.toggled.connect(lambda _on: field.changed.emit())
    return field


def _choice(kind: Choice) -> ParamField:
    box = WidePopupComboBox()
    for name, words in kind.options.items():
        box.addItem(tr(words), name)
    box.make_room()
    field = ParamField(box, box.currentData, lambda value: box.setCurrentIndex(box.findData(value)))
    box.currentIndexChanged.connect(lambda _place: field.changed.emit())
    return field


def _column(kind: Text, columns: Sequence[str]) -> ParamField:
    box = WidePopupComboBox()
    box.addItem(f"({tr(kind.empty)})" if kind.empty else "–", "")
    for name in columns:
        box.addItem(name, name)

    def show(value: str) -> None:
        if box.findData(value) < 0:
            box.addItem(value, value)
        box.setCurrentIndex(box.findData(value))

    field = ParamField(box, lambda: box.currentData() or "", show)
    box.currentIndexChanged.connect(lambda _place: field.changed.emit())
    return field


def _column_order(columns: Sequence[str]) -> ParamField:
    box = ColumnOrderBox(columns)
    field = ParamField(box, lambda: box.order, box.show_order)
    box.chosen.connect(field.changed)
    return field


def _column_ways(kind: Choice, columns: Sequence[str]) -> ParamField:
    box = ColumnOptionBox(columns, kind.options)
    field = ParamField(box, lambda: tuple(box.ways.items()), box.show_ways)
    box.chosen.connect(field.changed)
    return field


def _character(kind: Character) -> ParamField:
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

    field = ParamField(box, read, show)
    box.editTextChanged.connect(lambda _text: field.changed.emit())
    return field


def _line(kind: Kind) -> ParamField:
    line = NumberEdit(1 if isinstance(kind, Int) else 0.05) if isinstance(kind, Int | Float) else QLineEdit()
    if isinstance(kind, ListOf):
        line.setPlaceholderText(tr("none; several are separated by commas"))
    elif isinstance(kind, PerColumn):
        line.setPlaceholderText(tr("none; such as {example}", example="age=2"))
    elif isinstance(kind, Shares):
        line.setPlaceholderText(tr("such as {example}", example="flu=0.7, asthma=0.3"))
    field = ParamField(line, lambda: kind.parse(line.text()), lambda value: line.setText(_as_text(kind, value)))
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


class ParamForm(QWidget):
    """Edits a value of a class with declared parameters; tells every valid value and every mistake."""

    changed = Signal(object)
    """Carries the new value, when all fields are right."""
    invalid = Signal(str)
    """Carries the sentence of the first field that is wrong."""

    def __init__(
        self,
        declared: type,
        value: object | None = None,
        *,
        columns: Sequence[str] = (),
        names: Iterable[str] | None = None,
    ) -> None:
        """Make the form; `columns` are offered where a column is asked for, `names` limits the parameters shown."""
        super().__init__()
        self._declared = declared
        self._names = None if names is None else set(names)
        self._base: Any = value if value is not None else declared()
        self.fields: dict[str, ParamField] = {}
        self.rules: dict[str, QLabel] = {}
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._build(columns)
        self.set_value(self._base)

    @property
    def error(self) -> str:
        """The sentence of the first field that is wrong; empty when all are right."""
        for param in params_of(self._declared):
            if param.name in self.fields and (rule := self._mistake(param.name)):
                return tr("{label} must be {rule}.", label=tr(param.label), rule=rule)
        return ""

    def value(self) -> Any:
        """Give the value, or None while a field is wrong."""
        if self.error:
            return None
        entries = {name: field.read() for name, field in self.fields.items()}
        kept = {name: item for name, item in to_json(self._base).items() if name not in entries}
        kinds = {param.name: param.kind for param in params_of(self._declared)}
        return self._declared(**{name: kinds[name].check(item) for name, item in {**kept, **entries}.items()})

    def set_value(self, value: Any) -> None:
        """Show another value, without telling."""
        self._base = value
        for name, field in self.fields.items():
            field.blockSignals(True)
            field.show(getattr(value, name))
            field.blockSignals(False)
        self._show_rules()
        self._show_what_counts()

    def show_only(self, names: Iterable[str]) -> None:
        """Show these fields and hide the others, which keep their values."""
        wanted = set(names)
        for name, field in self.fields.items():
            self._form.setRowVisible(field.widget, name in wanted)

    def _build(self, columns: Sequence[str]) -> None:
        for param in params_of(self._declared):
            if self._names is not None and param.name not in self._names:
                continue
            field = field_for(param.kind, columns)
            field.widget.setObjectName(f"param_{param.name}")
            field.widget.setToolTip(tr(param.help))
            field.widget.setWhatsThis(tr(param.help))
            field.changed.connect(self._on_changed)
            if param.presets and isinstance(field.widget, QLineEdit):
                _offer_presets(param, field, field.widget)
            self.fields[param.name] = field
            self._add_row(param.name, tr(param.label), field.widget)

    def _add_row(self, name: str, label: str, widget: QWidget) -> None:
        if isinstance(widget, QCheckBox):
            widget.setText(label)
            self._form.addRow(widget)
        else:
            title = QLabel(label)
            title.setBuddy(widget)
            self._form.addRow(title, widget)
        widget.setAccessibleName(label)
        rule = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        rule.setVisible(False)
        rule.setObjectName(f"rule_{name}")
        self._form.addRow(rule)
        self.rules[name] = rule

    def _mistake(self, name: str) -> str:
        try:
            self.fields[name].read()
        except ValueError as error:
            return tr(error.args[0])
        return ""

    def _show_rules(self) -> None:
        for name, rule in self.rules.items():
            mistake = self._mistake(name)
            rule.setText(tr("Must be {rule}.", rule=mistake) if mistake else "")
            rule.setVisible(bool(mistake))
            palette = rule.palette()
            palette.setColor(palette.ColorRole.WindowText, theme.color("bad"))
            rule.setPalette(palette)

    def _show_what_counts(self) -> None:
        """Hide fields that say nothing beside what others say."""
        for param in params_of(self._declared):
            if param.when is None or param.name not in self.fields:
                continue
            other, wanted = param.when
            is_read = other in self.fields and not self._mistake(other)
            now = self.fields[other].read() if is_read else getattr(self._base, other)
            self._form.setRowVisible(self.fields[param.name].widget, now == wanted)

    def _on_changed(self) -> None:
        self._show_rules()
        self._show_what_counts()
        error = self.error
        if error:
            self.invalid.emit(error)
        else:
            self.changed.emit(self.value())


def _offer_presets(param: Param, field: ParamField, line: QLineEdit) -> None:
    """Offer values that somebody recommends or prescribes at the end of the line, each with its source."""
    menu = QMenu(line)
    for value, source in param.presets:
        words = tr("{value}: {source}", value=format_significant(value, 3), source=source)
        entry = menu.addAction(words.replace("&", "&&"))  # a single one would mark a letter
        entry.triggered.connect(lambda _checked=False, value=value: field.take(value))
    told = tr("Values that somebody recommends or prescribes, with the source")
    action = line.addAction(theme.icon("library"), QLineEdit.ActionPosition.TrailingPosition)
    action.setObjectName(f"presets_{param.name}")
    action.setToolTip(told)
    action.triggered.connect(lambda: menu.popup(line.mapToGlobal(line.rect().bottomLeft())))
    for button in line.findChildren(QToolButton):  # the one Qt has made: an icon without words beside it
        theme.set_icon(button, "library")
        button.setText("")
        button.setAccessibleName(tr("Recommended Values"))
