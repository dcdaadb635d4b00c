"""The bar above a table: find a text, in all columns or one, and show only the rows that have it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget

TYPING_PAUSE_MS = 200


class FindBar(QWidget):
    """Asks for a search while typing; `step` asks for the next or previous row that has the text."""

    changed = Signal()
    step = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("find_bar")
        self.field = name_widget(QLineEdit(clearButtonEnabled=True), "find_text")
        self.columns = name_widget(QComboBox(), "find_column")
        self.only = name_widget(QCheckBox(tr("Only matching rows")), "find_only")
        self.only.setChecked(True)
        self.count = name_widget(QLabel(), "find_count")
        self.back = name_widget(QToolButton(autoRaise=True), "find_previous")
        self.forward = name_widget(QToolButton(autoRaise=True), "find_next")
        self._pause = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self._build()
        self._connect()

    @property
    def text(self) -> str:
        """What is looked for."""
        return self.field.text()

    @property
    def column(self) -> str:
        """The column that is searched; empty means all."""
        return self.columns.currentData() or ""

    def set_columns(self, names: Sequence[str]) -> None:
        """Offer the columns of another table."""
        self.columns.blockSignals(True)
        self.columns.clear()
        self.columns.addItem(tr("All columns"), "")
        for name in names:
            self.columns.addItem(name, name)
        self.columns.blockSignals(False)

    def show_count(self, shown: int, total: int) -> None:
        """Say how many rows are shown of how many."""
        everything = shown == total and not self.text
        words = tr("{total:row|rows}", total=format_integer(total))
        self.count.setText(
            words
            if everything
            else tr("{shown} of {total:row|rows}", shown=format_integer(shown), total=format_integer(total))
        )

    def activate(self) -> None:
        """Put the cursor into the field."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def _build(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        label = QLabel(tr("Find"))
        label.setBuddy(self.field)
        self.field.setPlaceholderText(tr("Text in a cell"))
        words = self.fontMetrics().horizontalAdvance(self.field.placeholderText())
        self.field.setMinimumWidth(words + self.fontMetrics().height())
        self.columns.setAccessibleName(tr("Search in"))
        self.columns.setMaximumWidth(self.fontMetrics().averageCharWidth() * 28)
        for button, icon, tip in ((self.back, "up", tr("Previous match")), (self.forward, "down", tr("Next match"))):
            theme.set_icon(button, icon)
            button.setToolTip(tip)
            button.setAccessibleName(tip)
        row.addWidget(label)
        row.addWidget(self.field, 1)
        for widget in (self.columns, self.back, self.forward, self.only, self.count):
            row.addWidget(widget)
        self.set_columns([])

    def _connect(self) -> None:
        self.field.textChanged.connect(self._on_typed)
        self.field.returnPressed.connect(self._on_return)
        self._pause.timeout.connect(self.changed)
        self.columns.currentIndexChanged.connect(self._on_choice)
        self.only.toggled.connect(self._on_choice)
        self.back.clicked.connect(lambda: self.step.emit(-1))
        self.forward.clicked.connect(lambda: self.step.emit(1))

    def _on_typed(self, text: str) -> None:
        if text:
            self._pause.start()
        else:
            self._pause.stop()
            self.changed.emit()

    def _on_return(self) -> None:
        if self._pause.isActive():
            self._pause.stop()
            self.changed.emit()
        self.step.emit(1)

    def _on_choice(self) -> None:
        self.changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Clear the search with Escape."""
        if event.key() == Qt.Key.Key_Escape and self.text:
            self.field.clear()
        else:
            super().keyPressEvent(event)
