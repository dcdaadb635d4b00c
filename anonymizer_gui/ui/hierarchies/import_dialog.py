"""A folder of hierarchy files before it is taken over: what matched, what is missing, what does not fit."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.hierarchy.files import FileMatch, FolderMatch
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.layout_pieces import resize_in_lines
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.ui.widgets.plain_text import plain

_ICONS = {"matched": ("done", "good"), "does not fit": ("warning", "warn"), "refused": ("error", "bad")}


class FolderImportDialog(QDialog):
    """A line per column with its file and how that went; the ticked ones are imported."""

    chosen = Signal(dict)
    """Hierarchies by column."""

    def __init__(self, found: FolderMatch, folder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("hierarchy_import")
        self._found = found
        self.words = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.words.setText(tr("Hierarchies found in {folder}:", folder=folder))
        self.table = named(QTableWidget(len(found.matches), 4), "hierarchy_matches")
        self.unused = named(QLabel(wordWrap=True), "hierarchy_unused_files")
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, parent=self
        )
        self._build()
        self._fill()
        self.table.itemChanged.connect(self._on_ticked)
        self.buttons.accepted.connect(self._on_accepted)
        self.buttons.rejected.connect(self.reject)
        theme.plain_buttons(self.buttons)
        self.finished.connect(self.deleteLater)

    def ticked(self) -> list[str]:
        """List the columns whose hierarchy is to be imported."""
        items = [self.table.item(row, 0) for row in range(self.table.rowCount())]
        return [item.text() for item in items if item and item.checkState() is Qt.CheckState.Checked]

    def _build(self) -> None:
        self.setWindowTitle(tr("Import Hierarchies"))
        resize_in_lines(self, 64, 24)
        self.table.setHorizontalHeaderLabels([tr("Column"), tr("File"), tr("State"), tr("Note")])
        self.table.setAccessibleName(tr("Columns and the files found for them"))
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.setShowGrid(False)
        self.table.setWordWrap(True)
        self.table.setTabKeyNavigation(False)
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.table.horizontalHeader().setSectionResizeMode(3, QHeaderView.ResizeMode.Stretch)
        layout = QVBoxLayout(self)
        for widget in (self.words, self.table, self.unused, self.buttons):
            layout.addWidget(widget)

    def _fill(self) -> None:
        for row, match in enumerate(self._found.matches):
            for column, item in enumerate(self._items(match)):
                self.table.setItem(row, column, item)
        self.table.resizeColumnsToContents()
        self.table.resizeRowsToContents()
        self.unused.setVisible(bool(self._found.unused))
        self.unused.setText(tr("Files of no column: {files}", files=", ".join(self._found.unused)))
        self._on_ticked()

    def _items(self, match: FileMatch) -> list[QTableWidgetItem]:
        words = {
            "matched": tr("fits"),
            "missing": tr("no file"),
            "does not fit": tr("does not fit"),
            "refused": tr("refused"),
        }
        is_repaired = match.state == "refused" and match.hierarchy is not None
        notes = [*map(tr, match.notes), *([tr("Tick it to import it repaired.")] if is_repaired else [])]
        note = " ".join(notes)
        items = [QTableWidgetItem(text) for text in (match.column, match.file, words[match.state], note)]
        usable = match.hierarchy is not None
        items[0].setFlags(
            Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
            if usable
            else Qt.ItemFlag.ItemIsSelectable
        )
        items[0].setCheckState(Qt.CheckState.Checked if usable and not is_repaired else Qt.CheckState.Unchecked)
        if match.state in _ICONS:
            items[2].setIcon(theme.icon(*_ICONS[match.state]))
        items[3].setToolTip(plain(note))
        return items

    def _on_ticked(self) -> None:
        n = len(self.ticked())
        button = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        button.setText(tr("Import {n}", n=n))
        button.setEnabled(n > 0)

    def _on_accepted(self) -> None:
        ticked = set(self.ticked())
        self.chosen.emit({match.column: match.hierarchy for match in self._found.matches if match.column in ticked})
        self.accept()
