"""A form made from declared parameters: each rule stands at its field while one types."""

from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLabel, QLineEdit, QMenu, QToolButton, QWidget

from anonymizer_gui.engine.core.params import Param, params_of, to_json
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import rounded, tr
from anonymizer_gui.ui.widgets.param_fields import Field, field_for


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
        self.fields: dict[str, Field] = {}
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


def _offer_presets(param: Param, field: Field, line: QLineEdit) -> None:
    """Offer values that somebody recommends or prescribes at the end of the line, each with its source."""
    menu = QMenu(line)
    for value, source in param.presets:
        words = tr("{value}: {source}", value=rounded(value, 3), source=source)
        entry = menu.addAction(words.replace("&", "&&"))  # a single one would mark a letter
        entry.triggered.connect(lambda _checked=False, value=value: field.take(value))
    told = tr("Values that somebody recommends or prescribes, with the source")
    action = line.addAction(theme.icon("library"), QLineEdit.ActionPosition.TrailingPosition)
    action.setObjectName(f"presets_{param.name}")
    action.setToolTip(told)
    action.triggered.connect(lambda: menu.popup(line.mapToGlobal(line.rect().bottomLeft())))
    for button in line.findChildren(QToolButton):  # the one Qt has made: an icon without words beside it
        theme.put_icon(button, "library")
        button.setText("")
        button.setAccessibleName(tr("Recommended Values"))
