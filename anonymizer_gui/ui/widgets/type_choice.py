"""Two lists in which one chooses how the texts of a column are read: the type, and its format where it has one."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout

from anonymizer_gui.engine.data.tables.set_valued_cells import SET_FORMATS
from anonymizer_gui.engine.data.tables.table import ColumnSchema, ColumnType
from anonymizer_gui.engine.data.tables.values import DATE_FORMATS, POINT_FORMATS
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.named import named

_FIRST_FORMAT = {
    ColumnType.DATE: next(iter(DATE_FORMATS)),
    ColumnType.DECIMAL: ".",
    ColumnType.SET: next(iter(SET_FORMATS)),
}
_EXAMPLES = {ColumnType.DATE: DATE_FORMATS, ColumnType.SET: SET_FORMATS, ColumnType.PLACE: POINT_FORMATS}


class TypeChoice(QObject):
    """Shows the type of a column as two rows of a form and tells which one is wanted."""

    chosen = Signal(object, str)
    """Carries the type and its format."""

    def __init__(self, form: QFormLayout) -> None:
        """Add the two rows to a form, which owns them."""
        super().__init__(form)
        self.types = named(QComboBox(), "column_type")
        self.format = named(QComboBox(), "column_format")
        self._form = form
        self._shown = ColumnSchema("")
        for column_type in ColumnType:
            self.types.addItem(tr(column_type.value), column_type)
        self._form.addRow(tr("Type"), self.types)
        self._form.addRow(tr("Format"), self.format)
        self._form.setRowVisible(self.format, False)
        self.types.activated.connect(self._on_type)
        self.format.activated.connect(self._on_format)

    def show_type(self, schema: ColumnSchema) -> None:
        """Show the type of a column, without telling."""
        self._shown = schema
        self.types.setCurrentIndex(self.types.findData(schema.type))
        self.format.clear()
        for form, example in _EXAMPLES.get(schema.type, {}).items():
            self.format.addItem(example, form)
        if schema.type is ColumnType.DECIMAL:
            self.format.addItem(tr("decimal point"), ".")
            self.format.addItem(tr("decimal comma"), ",")
        self.format.setCurrentIndex(max(self.format.findData(schema.format), 0))
        self._form.setRowVisible(self.format, self.format.count() > 0)

    def _on_type(self) -> None:
        wanted = self.types.currentData()
        is_same = wanted is self._shown.type
        self.chosen.emit(wanted, self._shown.format if is_same else first_format(wanted))

    def _on_format(self) -> None:
        self.chosen.emit(self.types.currentData(), self.format.currentData() or "")


def first_format(column_type: ColumnType) -> str:
    """Give the format a type has unless another one is stated."""
    return _FIRST_FORMAT.get(column_type, "")
