"""Choose a release; earlier releases kept in the project."""

from PySide6.QtCore import QDateTime, QLocale, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.projects.history import RunRecord
from anonymizer_gui.ui.i18n import format_decimal, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget, plain_text
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.layout import resize_in_text_lines
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document


class ReleaseHistoryDialog(QDialog):
    """Lists what is kept of releases that are not made yet in this session."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("earlier_releases")
        self.setWindowTitle(tr("Earlier Releases"))
        self._document = document
        self._shown: tuple[RunRecord, ...] = ()
        self.words = QLabel(wordWrap=True)
        self.list = name_widget(QTableWidget(0, 3), "earlier_list", spoken=tr("Earlier releases"))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.again = self.buttons.addButton(tr("Make Again"), QDialogButtonBox.ButtonRole.ActionRole)
        self.forget = self.buttons.addButton(tr("Forget"), QDialogButtonBox.ButtonRole.ActionRole)
        self._build()
        self._connect()
        self.show_kept()

    def show_kept(self) -> None:
        """List what is kept now."""
        self._shown = self._document.finished.earlier
        self.list.setRowCount(len(self._shown))
        for row, kept in enumerate(self._shown):
            for column, text in enumerate((kept.name, _when(kept.created), figures_summary(kept))):
                item = QTableWidgetItem(text)
                item.setToolTip(plain_text(text))
                self.list.setItem(row, column, item)
        if self._shown:
            self.list.selectRow(len(self._shown) - 1)
        self._show_buttons()

    def _build(self) -> None:
        self.words.setText(
            tr(
                "The project keeps settings, seed and figures of these releases, not their data. Made again from the "
                "same table and hierarchies, they come out the same."
            )
        )
        self.list.setHorizontalHeaderLabels([tr("Release"), tr("Made"), tr("Figures")])
        self.list.verticalHeader().hide()
        self.list.setTabKeyNavigation(False)
        self.list.setShowGrid(False)
        self.list.setAlternatingRowColors(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        head = self.list.horizontalHeader()
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setStretchLastSection(True)
        self.again.setObjectName("make_again")
        self.forget.setObjectName("forget_release")
        layout = QVBoxLayout(self)
        layout.addWidget(self.words)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.buttons)
        resize_in_text_lines(self, 48, 20)

    def _connect(self) -> None:
        self.again.clicked.connect(self._on_again)
        self.forget.clicked.connect(self._on_forget)
        self.list.itemSelectionChanged.connect(self._show_buttons)
        self._document.changed.connect(self._on_changed)
        self.buttons.rejected.connect(self.reject)
        self.finished.connect(self.deleteLater)

    def _chosen(self) -> RunRecord | None:
        rows = self.list.selectionModel().selectedRows()
        return self._shown[rows[0].row()] if rows and rows[0].row() < len(self._shown) else None

    def _show_buttons(self) -> None:
        chosen = self._chosen()
        self.again.setEnabled(chosen is not None and bool(self._document.files))
        self.forget.setEnabled(chosen is not None)

    def _on_again(self) -> None:
        chosen = self._chosen()
        if chosen is not None:
            self._document.finished.make_again(chosen)

    def _on_forget(self) -> None:
        chosen = self._chosen()
        if chosen is not None:
            self._document.finished.forget_earlier(chosen)

    def _on_changed(self, changed: frozenset[str]) -> None:
        if Change.RELEASES in changed:
            self.show_kept()


def figures_summary(kept: RunRecord) -> str:
    """Say what was made in the words of its room, and the seed by which it comes out the same again."""
    seed = kept.numbers.get("seed")
    told = [tr(kept.sentence), tr("seed {seed}", seed=format_decimal(seed, 0)) if isinstance(seed, int) else ""]
    return " · ".join(text for text in told if text)


def _when(created: str) -> str:
    made = QDateTime.fromString(created, Qt.DateFormat.ISODate)
    return QLocale().toString(made.toLocalTime(), QLocale.FormatType.ShortFormat) if made.isValid() else created


class ReleaseSelector(QWidget):
    """A list of all finished runs, the one that is shown chosen; what it says follows the document."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.box = WidePopupComboBox()
        self.box.setObjectName("shown_release")
        self.words = QLabel(wordWrap=True)
        self.earlier = name_widget(QPushButton(), "show_earlier")
        label = QLabel(tr("Release"))
        label.setBuddy(self.box)
        self.box.setAccessibleName(tr("Release that is shown"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(label)
        row.addWidget(self.box)
        row.addWidget(self.words, 1)
        row.addWidget(self.earlier)
        self.earlier.clicked.connect(lambda: ReleaseHistoryDialog(document, self.window()).open())
        self.box.activated.connect(self._on_chosen)

    def show_document(self) -> None:
        """List the releases there are now."""
        releases, selected = self._document.releases, self._document.selected
        kept = len(self._document.finished.earlier)
        self.earlier.setText(tr("Earlier Releases ({count})…", count=kept))
        self.earlier.setVisible(bool(kept))
        self.box.clear()
        for release in releases:
            self.box.addItem(release.name, release.id)
        self.box.make_room()
        if selected is None:
            return
        self.box.setCurrentIndex(self.box.findData(selected.id))
        self.words.setText(_words(self._document, selected))

    def _on_chosen(self, place: int) -> None:
        self._document.finished.select(self._document.finished.find(self.box.itemData(place)))


def _words(document: Document, release: object) -> str:
    state = tr("settings changed since") if document.finished.is_stale(release) else tr("up to date")
    return f"{tr(release.sentence())} · {state}"  # type: ignore[attr-defined]
