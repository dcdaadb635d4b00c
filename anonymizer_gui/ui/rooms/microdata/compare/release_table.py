"""The table of releases with what can be done to one: select, pin, rename, delete."""

from collections.abc import Mapping

from PySide6.QtCore import QItemSelection, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.rooms.microdata.compare.release_model import ReleaseModel
from anonymizer_gui.ui.rooms.microdata.document import MicrodataDocument
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.table_view import ShiftScrollTable

_WIDEST = {"name": 30, "goals": 24, "state": 30, "l": 18, "t": 18, "goal": 30}
_WIDEST_OF_OTHERS = 26
_FIRST_TO_GROW = ("name", "goals", "l", "t", "goal", "parameters")


class ReleaseTable(QWidget):
    """One row per release; the selected row is the release that all pages show."""

    measure_asked = Signal()
    """Asks for the query errors that are not there yet."""

    def __init__(self, document: MicrodataDocument) -> None:
        super().__init__()
        self.setObjectName("release_table_box")
        self.document = document
        self.model = ReleaseModel(document)
        self.view = name_widget(ShiftScrollTable(), "release_table")
        self.count = name_widget(QLabel(wordWrap=True), "release_count")
        self._sized_by_hand = self._quiet = False
        self._build()
        self._connect()

    def refresh(self, errors: Mapping[str, float | None]) -> None:
        """Show the releases as they are, and which of them is selected."""
        self.model.refresh(errors)
        self._select_row()
        releases = self.document.releases
        stale = sum(self.document.finished.is_stale(release) for release in releases)
        words = tr("{count:release|releases}", count=len(releases))
        self.count.setText(
            tr("{releases}, {stale} with changed settings", releases=words, stale=stale) if stale else words
        )
        self._show_buttons()
        self._fit()

    def rename_selected(self) -> None:
        """Let the user type another name."""
        row = self.model.row_of(self.document.selected)
        if row >= 0:
            self.view.setCurrentIndex(self.model.index(row, 0))
            self.view.edit(self.model.index(row, 0))

    def pin_selected(self) -> None:
        """Pin the selected release, or let it go."""
        release = self.document.selected
        if release is not None:
            self.document.finished.pin(release, not self.document.finished.is_pinned(release))

    def delete_selected(self) -> None:
        """Forget the selected release; a message offers to bring it back."""
        if self.document.selected is not None:
            self._delete([self.document.selected])

    def delete_unpinned(self) -> None:
        """Forget every release that is not pinned."""
        self._delete([release for release in self.document.releases if not self.document.finished.is_pinned(release)])

    def _build(self) -> None:
        self.view.setModel(self.model)
        self.view.setAccessibleName(tr("Releases"))
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.view.setAlternatingRowColors(True)
        self.view.setSortingEnabled(True)
        self.view.setWordWrap(False)
        self.view.setTabKeyNavigation(False)
        self.view.setShowGrid(False)
        self.view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.verticalHeader().hide()
        self.view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.view.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.7))
        head = self.view.horizontalHeader()
        head.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        head.setSortIndicatorClearable(True)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setHighlightSections(False)
        head.setTextElideMode(Qt.TextElideMode.ElideRight)
        head.setStretchLastSection(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(self._tool_row())
        layout.addWidget(self.view, 1)

    def _tool_row(self) -> QHBoxLayout:
        self.pin_button = self._button("pin", tr("Pin"), tr("Keep this release at the top (P)"), "release_pin")
        self.rename_button = self._button("edit", tr("Rename"), tr("Give it another name (F2)"), "release_rename")
        self.delete_button = self._button("delete", tr("Delete"), tr("Forget this release (Delete)"), "release_delete")
        words = tr("Forget all releases that are not pinned")
        self.clear_button = self._button("close", tr("Delete Unpinned"), words, "release_clear")
        words = tr("Ask every release the same random counts")
        self.measure_button = self._button("utility", tr("Query Errors"), words, "release_measure")
        row = QHBoxLayout()
        row.addWidget(self.count, 1)
        for button in self._buttons():
            row.addWidget(button)
        return row

    def _buttons(self) -> tuple[QToolButton, ...]:
        return self.measure_button, self.pin_button, self.rename_button, self.delete_button, self.clear_button

    def _button(self, icon: str, title: str, tip: str, name: str) -> QToolButton:
        button = name_widget(QToolButton(autoRaise=True), name, tip=tip)
        button.setText(title)
        button.setStatusTip(tip)
        button.setProperty("icon_name", icon)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        side = self.fontMetrics().height()
        button.setIconSize(QSize(side, side))
        return button

    def _connect(self) -> None:
        self.view.selectionModel().selectionChanged.connect(self._on_selected)
        self.view.customContextMenuRequested.connect(self._on_menu)
        self.view.horizontalHeader().sectionResized.connect(self._on_resized)
        self.model.renamed.connect(self.document.finished.rename)
        self.model.modelReset.connect(self._on_reset)
        self.pin_button.clicked.connect(self.pin_selected)
        self.rename_button.clicked.connect(self.rename_selected)
        self.delete_button.clicked.connect(self.delete_selected)
        self.clear_button.clicked.connect(self.delete_unpinned)
        self.measure_button.clicked.connect(self.measure_asked)

    def _show_buttons(self) -> None:
        for button in self._buttons():
            button.setIcon(theme.icon(button.property("icon_name")))
        release = self.document.selected
        for button in (self.pin_button, self.rename_button, self.delete_button):
            button.setEnabled(release is not None)
        pinned = [r for r in self.document.releases if self.document.finished.is_pinned(r)]
        self.pin_button.setText(tr("Unpin") if release is not None and release in pinned else tr("Pin"))
        self.clear_button.setEnabled(0 < len(pinned) < len(self.document.releases))
        missing = [r for r in self.document.releases if self.model.error_of(r) is None]
        self.measure_button.setVisible(bool(missing))

    def _select_row(self) -> None:
        row = self.model.row_of(self.document.selected)
        rows = {index.row() for index in self.view.selectionModel().selectedRows()}
        if row >= 0 and rows != {row}:
            self._quiet = True
            self.view.selectRow(row)
            self._quiet = False
            self.view.scrollTo(self.model.index(row, 0))

    def _fit(self) -> None:
        """Give columns the width of their content within reason; room that is left goes to names and goals."""
        if self._sized_by_hand or not self.document.releases:
            return
        self._quiet = True
        self.view.resizeColumnsToContents()
        head, unit = self.view.horizontalHeader(), self.fontMetrics()
        keys = self.model.keys
        wanted = [head.sectionSize(place) + unit.height() // 3 for place in range(len(keys))]
        widest = [unit.averageCharWidth() * _WIDEST.get(key, _WIDEST_OF_OTHERS) for key in keys]
        given = [
            most if key == "name" else min(want, most) for key, want, most in zip(keys, wanted, widest, strict=True)
        ]
        room = self.view.viewport().width() - sum(given)
        for place in sorted(range(len(keys)), key=lambda place: _turn(keys[place])):
            more = max(min(room, wanted[place] - given[place]), 0)
            given[place], room = given[place] + more, room - more
        for place, width in enumerate(given):
            head.resizeSection(place, width)
        self._quiet = False

    def _delete(self, releases: list[Release]) -> None:
        for release in releases:
            self.document.finished.remove(release)
        if not releases:
            return
        text = tr("Deleted “{name}”.", name=releases[0].name)
        if len(releases) > 1:
            text = tr("Deleted {count:release|releases}.", count=len(releases))
        self.document.messages.info(
            text, actions=[(tr("Bring Back"), lambda: self._bring_back(releases))], key="release_deleted"
        )

    def _bring_back(self, releases: list[Release]) -> None:
        for release in releases:
            self.document.finished.add(release)
        self.document.messages.clear("release_deleted")

    def _on_selected(self, _new: QItemSelection, _old: QItemSelection) -> None:
        rows = self.view.selectionModel().selectedRows()
        if rows and not self._quiet:
            self.document.finished.select(self.model.release_at(rows[0].row()))

    def _on_resized(self) -> None:
        if not self._quiet and QApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._sized_by_hand = True

    def _on_reset(self) -> None:
        """Let the mark of the order stay at its column when columns came or went before it."""
        head = self.view.horizontalHeader()
        if head.sortIndicatorSection() != self.model.sorted_by:
            head.setSortIndicator(self.model.sorted_by, head.sortIndicatorOrder())

    def _on_menu(self, point: QPoint) -> None:
        if self.view.indexAt(point).isValid():
            self.menu().popup(self.view.viewport().mapToGlobal(point))

    def menu(self) -> QMenu:
        """Give the menu of the selected release."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(theme.icon("pin"), f"{self.pin_button.text()}\tP", self.pin_selected)
        menu.addAction(theme.icon("edit"), tr("Rename") + "\tF2", self.rename_selected)
        menu.addAction(theme.icon("delete"), tr("Delete") + "\tDel", self.delete_selected)
        return menu

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use the room there is."""
        super().resizeEvent(event)
        self._fit()


def _turn(key: str) -> int:
    """Say when a column is given room that is left; the others come last."""
    return _FIRST_TO_GROW.index(key) if key in _FIRST_TO_GROW else len(_FIRST_TO_GROW)
