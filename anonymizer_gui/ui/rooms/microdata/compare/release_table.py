"""Table of releases: columns, model, view."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QItemSelection, QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFont, QResizeEvent
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

from anonymizer_gui.engine.core.params import to_json
from anonymizer_gui.engine.rooms.microdata.models.contract import Measurement, PrivacyModel, main_parameter
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.views.release_comparison import release_figure
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_decimal, format_integer, format_percent, tr
from anonymizer_gui.ui.rooms.microdata.figures import format_figure
from anonymizer_gui.ui.rooms.microdata.release_texts import MicrodataDocument, goals_text, parameters_text
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, name_widget, plain_tooltips
from anonymizer_gui.ui.widgets.table_view import ShiftScrollTable

NAME, GOALS, STATE = "name", "goals", "state"

COLUMN_TEXTS = (NAME, GOALS, STATE, "algorithm", "parameters")

NO_VALUE = "–"

_KIND = {"l": "distinct", "t": "emd"}
"""Which of several readings a column shows."""


@dataclass(frozen=True, slots=True)
class ReleaseColumn:
    """A column: its key, title, and what it tells; `of` is the sensitive column or the goal it is about."""

    key: str
    title: str
    tip: str
    of: str = ""


def release_columns(releases: Sequence[Release] = ()) -> list[ReleaseColumn]:
    """List the columns in the order they stand: l and t once for each sensitive column, goals that need their own.

    However many sensitive columns there are, risk and loss stand before them.
    """
    return [
        ReleaseColumn(NAME, tr("Name"), tr("Press F2 to rename a release")),
        ReleaseColumn(GOALS, tr("Goals"), tr("What had to hold when the release was made")),
        ReleaseColumn(STATE, tr("State"), tr("Whether the settings have changed since the run")),
        ReleaseColumn("k", "k", tr("Rows in the smallest class; more is safer")),
        ReleaseColumn("risk", tr("Highest risk"), tr("Chance to pick out the person in the smallest class")),
        ReleaseColumn("lm", tr("Loss (LM)"), tr("Share of its domain the average cell covers; less is more useful")),
        ReleaseColumn("query-error", tr("Query error"), tr("How wrong a typical count is when asked of the release")),
        ReleaseColumn("suppressed", tr("Suppressed"), tr("Rows left out or published as *")),
        ReleaseColumn("emptied", tr("Nothing left"), tr("Published rows with * or the root in every quasi-identifier")),
        *_of_goals(releases),
        *_of_sensitive("l", releases),
        *_of_sensitive("t", releases),
        ReleaseColumn("classes", tr("Classes"), tr("Number of equivalence classes")),
        ReleaseColumn("md", "MD", tr("Levels climbed, summed over all cells; less is more useful")),
        ReleaseColumn("seconds", tr("Seconds"), tr("Time to make and measure the release")),
        ReleaseColumn("algorithm", tr("Algorithm"), tr("How the release was made")),
        ReleaseColumn(
            "parameters", tr("Parameters"), tr("Parameters of the algorithm that differ from the usual ones")
        ),
    ]


def sensitive_columns(releases: Iterable[Release]) -> tuple[str, ...]:
    """Name the sensitive columns of all releases, each once."""
    return tuple(dict.fromkeys(name for release in releases for name in release.measured.per_sensitive))


def value_of(release: Release, head: ReleaseColumn) -> float | None:
    """Give the figure of a column as the release was measured; None where there is none."""
    if head.key == "goal":
        return next((found.value for label, found in _labelled(release) if label == head.of), None)
    if head.of:
        found = release.measured.per_sensitive.get(head.of)
        return None if found is None else found[head.key][_KIND[head.key]]
    return release_figure(release, head.key)


def promise_of(release: Release, head: ReleaseColumn) -> str:
    """Say which goals of the release the figure is about, what each asked for, and what it reached."""
    return "\n".join(
        tr("Goal: {goal}; reached {value}", goal=tr(model.sentence()), value=is_reached(found.value))
        for model, found in release.measured.goals
        if _is_about(model, head)
    )


def format_cell(key: str, value: float | None) -> str:
    """Write a figure for people; a dash where there is none."""
    if value is None or math.isnan(value):
        return NO_VALUE
    if key == "goal":
        return is_reached(value)
    if key in ("risk", "average-risk", "lm", "query-error"):
        return format_percent(value)
    if key == "t":
        return format_decimal(value, 3)
    return format_decimal(value, 2) if key == "seconds" else format_integer(value)


def is_reached(value: float) -> str:
    """Write what a goal reached."""
    return "∞" if math.isinf(value) else format_figure(value)


def _of_sensitive(key: str, releases: Sequence[Release]) -> list[ReleaseColumn]:
    names = sensitive_columns(releases)
    found = []
    for name in names:
        tip = tr("Fewest different values of “{column}” in a class; more is safer", column=name)
        if key == "t":
            tip = tr("Largest distance of a class from all published rows in “{column}”; less is safer", column=name)
        found.append(ReleaseColumn(key, f"{key}: {name}" if len(names) > 1 else key, tip, name))
    return found


def _of_goals(releases: Sequence[Release]) -> list[ReleaseColumn]:
    """Give a column to each goal whose value no other column shows."""
    labels = dict.fromkeys(
        label
        for release in releases
        for (label, found), (model, _) in zip(_labelled(release), release.measured.goals, strict=True)
        if not _is_shown(release, model, found)
    )
    return [ReleaseColumn("goal", label, tr("What the release reaches for this goal"), label) for label in labels]


def _is_shown(release: Release, model: PrivacyModel, found: Measurement) -> bool:
    if not model.is_the_figure or not model.needs_sensitive:
        return model.is_the_figure
    each = release.measured.per_sensitive.items()
    return any(both[model.figure][_KIND[model.figure]] == found.value for name, both in each if model.looks_at(name))


def _is_about(model: PrivacyModel, head: ReleaseColumn) -> bool:
    if head.key == "goal":
        return _label(model) == head.of
    return model.is_the_figure and model.figure == head.key and (not head.of or model.looks_at(head.of))


def _labelled(release: Release) -> list[tuple[str, Measurement]]:
    return [(_label(model), found) for model, found in release.measured.goals]


_UNTOLD: tuple[object, ...] = ("", "each", False, "published", [])
"""What parameters say when they say nothing special."""


def _label(model: PrivacyModel) -> str:
    """Name a goal without the number it asks for, so that a range of numbers shares one column."""
    asked = main_parameter(type(model)).name
    others = [str(item) for name, item in to_json(model).items() if name != asked and item not in _UNTOLD]
    return f"{tr(model.title)}: {', '.join(others)}" if others else tr(model.title)


_NOWHERE = QModelIndex()

_ROLE = Qt.ItemDataRole

_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

WAITING_TEXT = "…"


@plain_tooltips
class ReleaseModel(QAbstractTableModel):
    """Shows the releases, pinned ones first, otherwise in the order of a column or of their making."""

    renamed = Signal(object, str)
    """Carries a release and the name somebody typed for it."""

    def __init__(self, document: MicrodataDocument) -> None:
        super().__init__()
        self._document = document
        self._heads = release_columns()
        self._errors: Mapping[str, float | None] = {}
        self._sort_by, self._descending = -1, False
        self.shown: list[Release] = []

    @property
    def keys(self) -> list[str]:
        """The keys of the columns."""
        return [head.key for head in self._heads]

    @property
    def sorted_by(self) -> int:
        """The column the releases are sorted by, -1 when they stand in the order of their making."""
        return self._sort_by

    def refresh(self, errors: Mapping[str, float | None]) -> None:
        """Take over the releases there are; `errors` has the query error by identity of the published table."""
        self._errors = errors
        wanted = release_columns(self._document.releases)
        if len(self.shown) != len(self._document.releases) or wanted != self._heads:
            self.beginResetModel()
            sorted_by = self._heads[self._sort_by] if self._sort_by >= 0 else None
            self._sort_by = wanted.index(sorted_by) if sorted_by in wanted else -1
            self._heads = wanted
            self.shown = self._ordered()
            self.endResetModel()
            return
        self.layoutAboutToBeChanged.emit()
        before = [(index, self.shown[index.row()].id) for index in self.persistentIndexList()]
        self.shown = self._ordered()
        place = {release.id: row for row, release in enumerate(self.shown)}
        for index, release_id in before:
            moved = self.index(place[release_id], index.column()) if release_id in place else QModelIndex()
            self.changePersistentIndex(index, moved)
        self.layoutChanged.emit()

    def release_at(self, row: int) -> Release:
        """Give the release of a row."""
        return self.shown[row]

    def row_of(self, release: Release | None) -> int:
        """Give the row of a release, -1 when it is not there."""
        return next((row for row, shown in enumerate(self.shown) if shown is release), -1)

    def error_of(self, release: Release) -> float | None:
        """Give the query error of a release once it is known."""
        return self._errors.get(release.id)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; releases without the figure come last."""
        self._sort_by, self._descending = column, order == Qt.SortOrder.DescendingOrder
        self.refresh(self._errors)

    def rowCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the releases."""
        return 0 if parent.isValid() else len(self.shown)

    def columnCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the columns."""
        return 0 if parent.isValid() else len(self._heads)

    def flags(self, index: ModelIndex) -> Qt.ItemFlag:
        """Let names be edited."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() and index.column() == 0 else flags

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        """Give the title of a column and what it tells."""
        if orientation == Qt.Orientation.Vertical or not 0 <= section < len(self._heads):
            return None
        head = self._heads[section]
        if role == _ROLE.TextAlignmentRole and head.key not in COLUMN_TEXTS:
            return _RIGHT
        return {_ROLE.DisplayRole: head.title, _ROLE.ToolTipRole: head.tip}.get(_ROLE(role))

    def data(self, index: ModelIndex, role: int = _ROLE.DisplayRole) -> Any:
        """Give the text of a cell and how it looks."""
        release, head = self.shown[index.row()], self._heads[index.column()]
        key = head.key
        answers: dict[int, Callable[[], Any]] = {
            _ROLE.DisplayRole: lambda: self._text(release, head),
            _ROLE.EditRole: lambda: self._text(release, head),
            _ROLE.ToolTipRole: lambda: self._tip(release, head),
            _ROLE.TextAlignmentRole: lambda: None if key in COLUMN_TEXTS else _RIGHT,
            _ROLE.ForegroundRole: lambda: theme.color("muted") if self._document.finished.is_stale(release) else None,
            _ROLE.DecorationRole: lambda: self._icon(release, key),
            _ROLE.FontRole: lambda: self._font(release, key),
        }
        answer = answers.get(role)
        return answer() if answer else None

    def setData(self, index: ModelIndex, value: Any, role: int = _ROLE.EditRole) -> bool:
        """Ask for another name."""
        name = str(value).strip()
        if role != _ROLE.EditRole or not name or name == self.shown[index.row()].name:
            return False
        self.renamed.emit(self.shown[index.row()], name)
        return True

    def _ordered(self) -> list[Release]:
        releases = list(self._document.releases)
        if 0 <= self._sort_by < len(self._heads):
            head = self._heads[self._sort_by]
            known = [release for release in releases if self._sortable(release, head) is not None]
            unknown = [release for release in releases if self._sortable(release, head) is None]
            known.sort(key=lambda release: self._sortable(release, head), reverse=self._descending)
            releases = known + unknown
        return sorted(releases, key=lambda release: not self._document.finished.is_pinned(release))

    def _sortable(self, release: Release, head: ReleaseColumn) -> Any:
        if head.key in COLUMN_TEXTS:
            return self._text(release, head).casefold()
        value = self.error_of(release) if head.key == "query-error" else value_of(release, head)
        return None if value is None or math.isnan(value) else value

    def _text(self, release: Release, head: ReleaseColumn) -> str:
        if head.key in COLUMN_TEXTS:
            return self._words(release, head.key)
        if head.key == "query-error":
            error = self.error_of(release)
            asked = release.id in self._errors
            return format_cell(head.key, error) if error is not None else WAITING_TEXT if asked else NO_VALUE
        return format_cell(head.key, value_of(release, head))

    def _words(self, release: Release, key: str) -> str:
        algorithm = release.project.algorithm
        if key == NAME:
            return release.name
        if key == GOALS:
            return goals_cell_text(release)
        if key == STATE:
            return {"stale": tr("Settings changed"), "beside": tr("Tried beside"), "set": tr("Up to date")}[
                self._state(release)
            ]
        if algorithm is None:
            return ""
        return tr(algorithm.title) if key == "algorithm" else parameters_text(algorithm)

    def _tip(self, release: Release, head: ReleaseColumn) -> str:
        if head.key == STATE:
            return {
                "stale": tr(
                    "The settings have changed since this run; its figures are still those of its own settings."
                ),
                "beside": tr("Tried from the settings as they are now, with another algorithm or value."),
                "set": tr("Made with the settings as they are now."),
            }[self._state(release)]
        if head.key == "risk" and release.measured.k:
            return tr("1 in {size} at worst", size=release.measured.fewest)
        return self._text(release, head) if head.key in COLUMN_TEXTS else promise_of(release, head)

    def _icon(self, release: Release, key: str) -> Any:
        if key == NAME and self._document.finished.is_pinned(release):
            return theme.icon("pin", "accent")
        if key == STATE:
            icon, tint = {"stale": ("stale", "warn"), "beside": ("info", "info"), "set": ("check", "good")}[
                self._state(release)
            ]
            return theme.icon(icon, tint)
        return None

    def _state(self, release: Release) -> str:
        """Say how a release stands to the settings: of earlier ones, tried beside them, or made by them."""
        if self._document.finished.is_stale(release):
            return "stale"
        return "set" if self._document.finished.has_settings_of(release) else "beside"

    def _font(self, release: Release, key: str) -> QFont | None:
        if key != NAME or release is not self._document.selected:
            return None
        font = QFont()
        font.setBold(True)
        return font


def goals_cell_text(release: Release) -> str:
    """Write the goals of a release and its suppression limit in one line."""
    goals = goals_text(release.project.goals) or tr("none")
    limit = release.project.suppression
    return tr("{goals}; suppress up to {share}", goals=goals, share=format_percent(limit)) if limit else goals


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
