"""Agreeing to publish columns without a role: each with what speaks against it, none that points to people ticked."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.data.tables.column_profile import ColumnFacts
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget, plain_text
from anonymizer_gui.ui.widgets.layout import resize_in_text_lines


class AgreeDialog(QDialog):
    """Lists columns; what is ticked is agreed to, everything else stays as it is."""

    agreed = Signal(object)
    """Carries the names of the ticked columns."""

    def __init__(self, names: Sequence[str], reasons: Mapping[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("agree_dialog")
        self.setWindowTitle(tr("Agree to Publish"))
        self._names, self._reasons = list(names), reasons
        self._cells = [[QTableWidgetItem() for _ in range(4)] for _ in names]
        self.words = QLabel(wordWrap=True)
        self.list = name_widget(QTableWidget(len(names), 4), "agree_columns", spoken=tr("Columns without a role"))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.agree = self.buttons.addButton("", QDialogButtonBox.ButtonRole.AcceptRole)
        self._build()
        self._fill()
        self._connect()

    def show_facts(self, facts: Sequence[ColumnFacts]) -> None:
        """Show how many values each column has and how many rows have one of their own."""
        for one in facts:
            if one.name in self._names:
                row = self._names.index(one.name)
                for column, text in ((1, format_integer(one.distinct)), (2, format_percent(one.unique_share))):
                    self._cells[row][column].setText(text)

    def ticked(self) -> list[str]:
        """Name the ticked columns."""
        checked = Qt.CheckState.Checked
        return [name for row, name in enumerate(self._names) if self._cells[row][0].checkState() == checked]

    def _build(self) -> None:
        self.agree.setObjectName("agree_ticked")
        self.words.setText(
            tr(
                "Ticked columns are published unchanged, for every record. Those that seem to point to a person or to "
                "be sensitive are not ticked: give them a role or leave them out instead."
            )
        )
        self.list.setHorizontalHeaderLabels([tr("Column"), tr("Distinct"), tr("Unique"), tr("What speaks against it")])
        self.list.verticalHeader().hide()
        self.list.setTabKeyNavigation(False)
        self.list.setShowGrid(False)
        self.list.setAlternatingRowColors(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        head = self.list.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setStretchLastSection(True)
        layout = QVBoxLayout(self)
        layout.addWidget(self.words)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.buttons)
        resize_in_text_lines(self, 52, 26)

    def _fill(self) -> None:
        for row, name in enumerate(self._names):
            why = self._reasons.get(name, "")
            texts = (name, "…", "…", tr(why) if why else tr("nothing found"))
            for column, text in enumerate(texts):
                item = self._cells[row][column]
                item.setText(text)
                item.setToolTip(plain_text(text))
                if column in (1, 2):
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.list.setItem(row, column, item)
            self._cells[row][0].setCheckState(Qt.CheckState.Unchecked if why else Qt.CheckState.Checked)
            if why:
                self._cells[row][3].setIcon(theme.icon("warning", "warn"))
        self._count()

    def _connect(self) -> None:
        self.list.itemChanged.connect(lambda _item: self._count())
        self.buttons.accepted.connect(self._on_accepted)
        self.buttons.rejected.connect(self.reject)
        self.finished.connect(self.deleteLater)

    def _count(self) -> None:
        count = len(self.ticked())
        self.agree.setText(tr("Agree to {count:Column|Columns}", count=count))
        self.agree.setEnabled(bool(count))

    def _on_accepted(self) -> None:
        self.agreed.emit(self.ticked())
        self.accept()
