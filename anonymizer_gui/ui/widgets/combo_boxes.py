"""Combo boxes: wide popup, column order, column options, column type."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QHelpEvent, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QMenu,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolTip,
    QWidget,
)

from anonymizer_gui.engine.data.tables.set_valued_cells import SET_FORMATS
from anonymizer_gui.engine.data.tables.table import ColumnSchema, ColumnType
from anonymizer_gui.engine.data.tables.values import DATE_FORMATS, POINT_FORMATS
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import name_widget, plain_text

_FEWEST_LETTERS = 12

_MOST_LETTERS = 26


class WidePopupComboBox(QComboBox):
    """A narrow list to choose from that opens as wide as its longest words and tells what it had to shorten."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_FEWEST_LETTERS)

    def make_room(self) -> None:
        """Ask for the room its longest words need, within reason."""
        longest = max((len(self.itemText(place)) for place in range(self.count())), default=0)
        self.setMinimumContentsLength(min(max(longest, _FEWEST_LETTERS), _MOST_LETTERS))

    def shown_text(self) -> str:
        """Give the words that fit into the box."""
        option = self._option()
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        return option.fontMetrics.elidedText(self.currentText(), Qt.TextElideMode.ElideRight, field.width() - 2)

    def showPopup(self) -> None:
        """Make room for the words, then open."""
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + self.fontMetrics().height() * 2)
        super().showPopup()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Show by an ellipsis that words were cut."""
        painter, option = QStylePainter(self), self._option()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        option.currentText = self.shown_text()
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def event(self, event: QEvent) -> bool:
        """Tell the whole words beside the help where they were cut."""
        if isinstance(event, QHelpEvent) and self._is_cut_off(event):
            QToolTip.showText(event.globalPos(), f"{plain_text(self.currentText())}\n{self.toolTip()}".strip(), self)
            return True
        return super().event(event)

    def _is_cut_off(self, event: QHelpEvent) -> bool:
        return event.type() == QEvent.Type.ToolTip and self.shown_text() != self.currentText()

    def _option(self) -> QStyleOptionComboBox:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        return option


class _MenuCombo(WidePopupComboBox):
    """Opens a menu instead of a list; its words sum up what was chosen there."""

    chosen = Signal()

    def __init__(self, columns: Sequence[str]) -> None:
        super().__init__()
        self.columns = tuple(columns)
        self.menu = QMenu(self)

    def showPopup(self) -> None:
        """Open the menu under the box."""
        self.menu.popup(self.mapToGlobal(self.rect().bottomLeft()))

    def _sum_up(self, words: str) -> None:
        self.clear()
        self.addItem(words)


class ColumnOrderBox(_MenuCombo):
    """Columns in the order in which they were ticked."""

    def __init__(self, columns: Sequence[str]) -> None:
        super().__init__(columns)
        self.order: tuple[str, ...] = ()
        self.menu.aboutToShow.connect(self._fill_menu)
        self.show_order(())

    def show_order(self, order: Sequence[str]) -> None:
        """Show these columns as chosen."""
        self.order = tuple(order)
        self._sum_up(", ".join(self.order) or tr("none"))

    def _fill_menu(self) -> None:
        """List the columns, those chosen with a tick."""
        self.menu.clear()
        for name in dict.fromkeys((*self.columns, *self.order)):
            entry = self.menu.addAction(name.replace("&", "&&"))
            entry.setCheckable(True)
            entry.setChecked(name in self.order)
            entry.toggled.connect(lambda on, name=name: self._on_ticked(name, on))

    def _on_ticked(self, name: str, is_on: bool) -> None:
        others = tuple(known for known in self.order if known != name)
        self.show_order((*others, name) if is_on else others)
        self.chosen.emit()


class ColumnOptionBox(_MenuCombo):
    """A way for each column; those that are not named go the usual way."""

    def __init__(self, columns: Sequence[str], ways: Mapping[str, str]) -> None:
        super().__init__(columns)
        self._words = ways
        self.ways: dict[str, str] = {}
        self.menu.aboutToShow.connect(self._fill_menu)
        self.show_ways(())

    def show_ways(self, ways: Sequence[tuple[str, str]]) -> None:
        """Show these ways as chosen."""
        self.ways = dict(ways)
        words = (f"{name}: {tr(self._words.get(way, way))}" for name, way in self.ways.items())
        self._sum_up("; ".join(words) or tr("all as usual"))

    def _fill_menu(self) -> None:
        """List the ways under each column."""
        self.menu.clear()
        for name in dict.fromkeys((*self.columns, *self.ways)):
            below = self.menu.addMenu(name.replace("&", "&&"))
            for way, words in {"": tr("as usual"), **{way: tr(text) for way, text in self._words.items()}}.items():
                entry = below.addAction(words)
                entry.setCheckable(True)
                entry.setChecked(self.ways.get(name, "") == way)
                entry.triggered.connect(lambda _on=False, name=name, way=way: self._on_way(name, way))

    def _on_way(self, name: str, way: str) -> None:
        others = {known: chosen for known, chosen in self.ways.items() if known != name}
        self.show_ways(tuple({**others, **({name: way} if way else {})}.items()))
        self.chosen.emit()


def fill_combo(box: QComboBox, names: Sequence[str], place: int) -> None:
    """Offer columns, keeping the choice where it is still there."""
    kept = box.currentText()
    box.blockSignals(True)
    box.clear()
    box.addItems(names)
    box.setCurrentIndex(names.index(kept) if kept in names else place)
    box.blockSignals(False)


_FIRST_FORMAT = {
    ColumnType.DATE: next(iter(DATE_FORMATS)),
    ColumnType.DECIMAL: ".",
    ColumnType.SET: next(iter(SET_FORMATS)),
}

_EXAMPLES = {ColumnType.DATE: DATE_FORMATS, ColumnType.SET: SET_FORMATS, ColumnType.PLACE: POINT_FORMATS}


class ColumnTypeBox(QObject):
    """Shows the type of a column as two rows of a form and tells which one is wanted."""

    chosen = Signal(object, str)
    """Carries the type and its format."""

    def __init__(self, form: QFormLayout) -> None:
        """Add the two rows to a form, which owns them."""
        super().__init__(form)
        self.types = name_widget(QComboBox(), "column_type")
        self.format = name_widget(QComboBox(), "column_format")
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
