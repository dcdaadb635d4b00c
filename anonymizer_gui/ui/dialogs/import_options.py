"""The side of the import dialog: how a source is read, as far as its format asks, and the types of its columns."""

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QGroupBox, QLineEdit, QVBoxLayout, QWidget

from anonymizer_gui.engine.data.tables.io import ReadOptions
from anonymizer_gui.engine.data.tables.io.read_write import ImportPreview
from anonymizer_gui.engine.data.tables.table import ColumnType, Schema
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.ui.widgets.param_form import ParamForm
from anonymizer_gui.ui.widgets.type_choice import TypeChoice

_ASKED = (
    "delimiter", "quote", "encoding", "header", "skip_lines", "decimal", "missing", "short_rows", "long_rows",
    "stray_bytes",
)  # fmt: skip


class ImportOptions(QWidget):
    """Shows only what makes a difference to the source that is looked at."""

    changed = Signal(object)
    """Carries the new options."""
    invalid = Signal(str)
    type_chosen = Signal(str, object, str)
    """Carries a column, its type and the format."""

    def __init__(self) -> None:
        super().__init__()
        self._options: ReadOptions | None = None
        self._schema = Schema()
        self.part = named(QComboBox(), "import_part")
        self.query = named(QLineEdit(placeholderText="SELECT …"), "import_query")
        self.form = ParamForm(ReadOptions, names=_ASKED)
        self.column = named(QComboBox(), "import_column")
        self._types = QGroupBox(tr("Types of the columns"))
        types = QFormLayout(self._types)
        types.addRow(tr("Column"), self.column)
        self.type = TypeChoice(types)
        self._build()
        self._connect()

    def show_look(self, seen: ImportPreview) -> None:
        """Show the options proposed for a source, and hide those that are nothing to it."""
        self._options = seen.options
        self.form.set_value(seen.options)
        self.form.show_only(seen.choices)
        self.form.setVisible(any(name in seen.choices for name in _ASKED))
        self.part.clear()
        self.part.addItems(list(seen.parts))
        self.part.setCurrentText(seen.options.part)
        self.query.setText(seen.options.query)
        self._parts.setRowVisible(self.part, len(seen.parts) > 0)
        self._parts.setRowVisible(self.query, "query" in seen.choices)

    def show_schema(self, schema: Schema) -> None:
        """Show the types of the columns, staying at the one that is looked at."""
        here = self.column.currentText()
        self._schema = schema
        self.column.clear()
        self.column.addItems([column.name for column in schema.columns])
        self.column.setCurrentIndex(max(self.column.findText(here), 0) if schema.columns else -1)
        self._types.setVisible(bool(schema.columns))
        self._on_column()

    def show_column(self, place: int) -> None:
        """Look at another column."""
        self.column.setCurrentIndex(place)
        self._on_column()

    def _build(self) -> None:
        self._parts = QFormLayout()
        self._parts.addRow(tr("Sheet or table"), self.part)
        self._parts.addRow(tr("Query"), self.query)
        self._parts.setRowVisible(self.part, False)
        self._parts.setRowVisible(self.query, False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, self.fontMetrics().height() // 2, 0)
        layout.addLayout(self._parts)
        layout.addWidget(self.form)
        layout.addWidget(self._types)
        layout.addStretch()
        self._types.hide()
        self.form.hide()  # delimiter and quotes are nothing to a database; what is asked follows from the source
        for box in (self.part, self.column):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(12)
        for field in self.form.fields.values():
            _widen(field.widget)

    def _connect(self) -> None:
        self.form.changed.connect(self._on_options)
        self.form.invalid.connect(self.invalid)
        self.part.activated.connect(self._on_part)
        self.query.textEdited.connect(self._on_part)
        self.column.activated.connect(self._on_column)
        self.type.chosen.connect(self._on_type)

    def _on_options(self, options: ReadOptions) -> None:
        before = self._options or options
        self._tell(replace(options, part=before.part, query=before.query))

    def _on_part(self) -> None:
        if self._options is not None:
            self._tell(replace(self._options, part=self.part.currentText(), query=self.query.text().strip()))

    def _tell(self, options: ReadOptions) -> None:
        self._options = options
        self.changed.emit(options)

    def _on_column(self) -> None:
        if self.column.currentText():
            self.type.show_type(self._schema.column(self.column.currentText()))

    def _on_type(self, column_type: ColumnType, column_format: str) -> None:
        self.type_chosen.emit(self.column.currentText(), column_type, column_format)


def _widen(widget: QWidget) -> None:
    """Make room for the longest words a field can show; a row too narrow for them is put under its label."""
    if isinstance(widget, QComboBox):
        widget.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        widget.setMinimumWidth(0 if widget.isEditable() else widget.sizeHint().width())
    elif isinstance(widget, QLineEdit):
        metrics = widget.fontMetrics()
        widget.setMinimumWidth(metrics.horizontalAdvance(widget.placeholderText()) + metrics.height())
