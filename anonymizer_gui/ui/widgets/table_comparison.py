"""Counts asked of both tables: random ones, and the user's own."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.ui.i18n import format_percent, format_significant, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget, plain_text, set_tab_order
from anonymizer_gui.ui.widgets.message_strip import InlineMessage

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class CountQueryPanel(QWidget):
    """A field per column to type a query, and a list of the answers."""

    asked = Signal(object)
    """Carries the texts that were typed, by column."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("query_bench")
        self.fields: dict[str, QLineEdit] = {}
        self._asked: dict[str, dict[str, str]] = {}
        self.random = name_widget(QLabel(wordWrap=True), "random_queries")
        self.note = InlineMessage()
        self.ask_button = name_widget(QPushButton(tr("Ask")), "ask_query")
        self.answers = name_widget(QTableWidget(0, 4), "answers")
        self._build()

    def show_columns(self, columns: Sequence[str]) -> None:
        """Offer these columns."""
        if list(columns) == list(self.fields):
            return
        while self._rows.rowCount():
            self._rows.removeRow(0)
        self.fields = {}
        for name in columns:
            line = name_widget(QLineEdit(), f"query_{name}")
            line.setPlaceholderText(tr("all; or values separated by commas, or a range such as 30..40"))
            line.setAccessibleName(tr("Condition on {column}", column=name))
            line.returnPressed.connect(self.ask_button.click)
            label = name_widget(QLabel(name))
            label.setBuddy(line)
            self._rows.addRow(label, line)
            self.fields[name] = line
        set_tab_order(*self.fields.values(), self.ask_button)
        self._area.setMaximumHeight(self._rows.sizeHint().height())

    def add_answer(self, texts: dict[str, str], truth: float, estimate: float, error: float) -> None:
        """Put an answer on top of the list, in place of an earlier one to the same query."""
        self.note.show_note("info", "")
        words = " ∧ ".join(f"{name}: {text.strip()}" for name, text in texts.items() if text.strip()) or tr("all rows")
        if words in self._asked:
            self.answers.removeRow(list(self._asked).index(words))
        self._asked = {words: texts, **{other: query for other, query in self._asked.items() if other != words}}
        self.answers.insertRow(0)
        cells = (words, format_significant(truth, 3), format_significant(round(estimate, 3), 3), format_percent(error))
        for column, text in enumerate(cells):
            item = QTableWidgetItem(text)
            item.setTextAlignment(_RIGHT if column else _LEFT)
            item.setToolTip("" if column else plain_text(words))
            self.answers.setItem(0, column, item)

    def take_queries(self) -> list[dict[str, str]]:
        """Give the queries that were answered, oldest first, and take their answers off the list."""
        queries = list(reversed(self._asked.values()))
        self._asked = {}
        self.answers.setRowCount(0)
        return queries

    def _build(self) -> None:
        inside = QWidget()
        self._rows = QFormLayout(inside)
        self._area = QScrollArea(widgetResizable=True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidget(inside)
        self.answers.setHorizontalHeaderLabels([tr("Query"), tr("True count"), tr("From the release"), tr("Error")])
        self.answers.setAccessibleName(tr("Answers"))
        self.answers.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.answers.verticalHeader().hide()
        self.answers.setTabKeyNavigation(False)
        head = self.answers.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        layout = QVBoxLayout(self)
        layout.addWidget(self.random)
        layout.addWidget(QLabel(tr("How many records fulfil all of these?")))
        layout.addWidget(self._area, 1)
        layout.addWidget(self.note)
        layout.addWidget(self.ask_button, alignment=Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.answers, 1)
        self.ask_button.clicked.connect(self._on_ask)

    def _on_ask(self) -> None:
        self.asked.emit({name: line.text() for name, line in self.fields.items()})
