"""The form of one question: its words, what can be answered, and the protocol."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QLabel, QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.params import Float, Int
from anonymizer_gui.engine.dp.local.protocol import PROTOCOLS
from anonymizer_gui.engine.rooms.survey.collection import BEST, MOST_BINS, Question
from anonymizer_gui.ui.i18n import format_significant, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.number_fields import AmountField, in_row

_LINES = 6
_USUAL_BINS = 10


class QuestionForm(QWidget):
    """Edits one question; what is typed is taken when the field is left."""

    edited = Signal(object)
    """Carries the question as it is now."""
    column_wanted = Signal(str)
    """Carries the column whose values are to be taken."""
    hierarchy_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._question: Question | None = None
        self._levels: tuple[tuple[str, ...], ...] = ()
        self.name = name_widget(QLineEdit(), "question_name", spoken=tr("Short name"))
        self.text = name_widget(QLineEdit(), "question_text", spoken=tr("Question"))
        self.kind = name_widget(WidePopupComboBox(), "question_asks", spoken=tr("Asks for"))
        self.values = name_widget(
            QPlainTextEdit(tabChangesFocus=True), "question_values", spoken=tr("Values, one per line")
        )
        self.column = name_widget(WidePopupComboBox(), "values_from_column", spoken=tr("Values of a column"))
        self.tree = name_widget(
            QPushButton(tr("Hierarchy…")), "values_from_hierarchy", tip=tr("Take the values of a level")
        )
        self.level = name_widget(WidePopupComboBox(), "values_of_level", spoken=tr("Level of the hierarchy"))
        self.low = name_widget(AmountField(Float()), "question_low", spoken=tr("From"))
        self.high = name_widget(AmountField(Float()), "question_high", spoken=tr("To"))
        self.bins = name_widget(AmountField(Int(low=2, high=MOST_BINS)), "question_bins", spoken=tr("Ranges"))
        self.protocol = name_widget(WidePopupComboBox(), "question_protocol", spoken=tr("Protocol"))
        self.take = name_widget(QPushButton(tr("Take Values")), "take_values", tip=tr("Use what is typed above"))
        self._build()
        self._connect()

    def show_question(self, question: Question, columns: Sequence[str]) -> None:
        """Show a question without telling."""
        self._question = question
        for line, text in ((self.name, question.name), (self.text, question.text)):
            if line.text() != text:
                line.setText(text)
        if not self.values.hasFocus() or not question.values:
            self.values.setPlainText("\n".join(question.values))
        self.low.show_amount(format_significant(question.low, 9))
        self.high.show_amount(format_significant(question.high, 9))
        self.bins.show_amount(str(question.bins))
        self.kind.setCurrentIndex(self.kind.findData(_kind(question)))
        self._show_columns(columns)
        self._show_protocols(question)
        self._show_kind()

    def show_levels(self, levels: tuple[tuple[str, ...], ...]) -> None:
        """Offer the levels of a hierarchy that was read, and take its leaves."""
        self._levels = levels
        self.level.clear()
        for at, level in enumerate(levels):
            self.level.addItem(tr("Level {at}: {values:value|values}", at=at, values=len(level)))
        self.level.make_room()
        self.level.setVisible(bool(levels))
        if levels:
            self._edit(values=levels[0])

    def _build(self) -> None:
        self.kind.addItem(tr("One of several values"), "values")
        self.kind.addItem(tr("A number, for its mean"), "number")
        self.kind.addItem(tr("A number, for a histogram"), "ranges")
        self.values.setFixedHeight(self.fontMetrics().lineSpacing() * _LINES)
        self.level.hide()
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for widget in (self.text, self.name, self.kind, self.values):
            self._row(widget.accessibleName(), widget)
        self._taken = QWidget()
        rows = QVBoxLayout(self._taken)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(in_row(self.take, self.column))
        rows.addWidget(in_row(self.tree, self.level))
        self._form.addRow("", self._taken)
        for widget in (self.low, self.high, self.bins, self.protocol):
            self._row(widget.accessibleName(), widget)

    def _row(self, words: str, widget: QWidget) -> None:
        label = QLabel(words)
        label.setBuddy(widget)
        self._form.addRow(label, widget)

    def _connect(self) -> None:
        self.name.editingFinished.connect(lambda: self._edit(name=self.name.text().strip()))
        self.text.editingFinished.connect(lambda: self._edit(text=self.text.text().strip()))
        self.kind.activated.connect(self._on_kind)
        self.take.clicked.connect(self._on_values)
        self.column.activated.connect(self._on_column)
        self.level.activated.connect(lambda at: self._edit(values=self._levels[at]))
        self.tree.clicked.connect(self.hierarchy_wanted)
        self.low.chosen.connect(lambda number: self._edit(low=number))
        self.high.chosen.connect(lambda number: self._edit(high=number))
        self.bins.chosen.connect(lambda number: self._edit(bins=number))
        self.protocol.activated.connect(lambda _at: self._edit(protocol=self.protocol.currentData()))

    def _on_column(self, at: int) -> None:
        if at > 0:
            self.column_wanted.emit(self.column.itemText(at))
        self.column.setCurrentIndex(0)

    def _on_kind(self, _at: int) -> None:
        kind = self.kind.currentData()
        if self._question is not None and kind != _kind(self._question):
            bounds: dict[str, Any] = {"values": (), "bins": _USUAL_BINS if kind == "ranges" else 0}
            if not self._question.low < self._question.high:
                bounds |= {"low": 0.0, "high": 100.0}
            values: dict[str, Any] = {"values": (tr("yes"), tr("no")), "bins": 0}
            self._edit(protocol=BEST, **(values if kind == "values" else bounds))

    def _on_values(self) -> None:
        lines = [line.strip() for line in self.values.toPlainText().splitlines()]
        self._edit(values=tuple(dict.fromkeys(line for line in lines if line)))

    def _edit(self, **fields: Any) -> None:
        if self._question is None:
            return
        changed = replace(self._question, **fields)
        if changed != self._question and changed.name:
            self._question = changed
            self.edited.emit(changed)

    def _show_columns(self, columns: Sequence[str]) -> None:
        known = [self.column.itemText(at) for at in range(1, self.column.count())]
        if known != list(columns) or not self.column.count():
            self.column.clear()
            self.column.addItem(tr("From a column…"))
            self.column.addItems(list(columns))
            self.column.make_room()
        self.column.setEnabled(bool(columns))

    def _show_protocols(self, question: Question) -> None:
        self.protocol.clear()
        self.protocol.addItem(tr("The best one"), BEST)
        for kind in PROTOCOLS:
            if kind.asks == question.asks and (len(question.domain) == 2 or kind.most > 2):
                self.protocol.addItem(tr(kind.title), kind.name)
        self.protocol.setCurrentIndex(max(self.protocol.findData(question.protocol), 0))
        self.protocol.make_room()

    def _show_kind(self) -> None:
        asks = self.kind.currentData()
        for widget in (self.values, self._taken):
            self._form.setRowVisible(widget, asks == "values")
        for line in (self.low, self.high):
            self._form.setRowVisible(line, asks != "values")
        self._form.setRowVisible(self.bins, asks == "ranges")


def _kind(question: Question) -> str:
    return "values" if question.values else "ranges" if question.bins else "number"
