"""Values without a place: list, placement, message."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QLocale, QObject, Qt
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QLabel, QPushButton, QTableView, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.errors import NoPlace
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Schema, Table
from anonymizer_gui.engine.hierarchy.fit import ColumnStatus, Fit, column_status, suggest_places
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui.hierarchies import tree_commands as does
from anonymizer_gui.ui.hierarchies.tree_editor import HierarchyEditor
from anonymizer_gui.ui.hierarchies.tree_model import HierarchyTexts
from anonymizer_gui.ui.hierarchies.value_counts import ValueCountModel, set_up_count_view
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.workspace.document import Document


class UnplacedValuesView(QWidget):
    """Lists the values without a place, most rows first; hidden while there are none."""

    def __init__(self, said: HierarchyTexts) -> None:
        super().__init__()
        self._said = said
        self.setObjectName("hierarchy_tray")
        self.title = name_widget(QLabel(wordWrap=True), "hierarchy_tray_title")
        self.reasons = name_widget(QLabel(wordWrap=True), "hierarchy_tray_reasons")
        self.model = ValueCountModel(said.counted, draggable=True, parent=self)
        self.view = name_widget(QTableView(), "hierarchy_tray_values")
        self.place = name_widget(QPushButton(tr("Place under Selected")), "hierarchy_place")
        self.suggest = name_widget(QPushButton(tr("Suggest Places")), "hierarchy_suggest")
        self.other = name_widget(QPushButton(tr("All under “Other”")), "hierarchy_other")
        self._build()
        self.hide()  # before anything is measured: a tray that is never needed makes no page wider

    def show_fit(self, fit: Fit | None) -> None:
        """Show what lacks a place."""
        lacking = sorted(fit.without_place, key=lambda misfit: -misfit.rows) if fit else []
        self.setVisible(bool(lacking))
        self.model.show([misfit.value for misfit in lacking], [misfit.rows for misfit in lacking])
        if fit is not None:
            values, rows = QLocale().toString(len(lacking)), QLocale().toString(fit.rows_without_place)
            self.title.setText(tr(self._said.tray, values=values, rows=rows))
            self.reasons.setText(" ".join(_reasons(fit)))
            self.reasons.setVisible(bool(self.reasons.text()))

    def selected(self) -> tuple[str, ...]:
        """Give the selected values, all of them when none is selected."""
        rows = sorted(index.row() for index in self.view.selectionModel().selectedRows())
        return tuple(self.model.labels[row] for row in rows) or tuple(self.model.labels)

    def _build(self) -> None:
        self.title.setTextFormat(Qt.TextFormat.RichText)
        self.title.setBuddy(self.view)
        self.reasons.setTextFormat(Qt.TextFormat.PlainText)
        self.reasons.setForegroundRole(self.reasons.foregroundRole().PlaceholderText)
        self.view.setModel(self.model)
        self.view.setAccessibleName(tr("Values without a place"))
        self.view.setToolTip(tr("Drag values into the tree, or select them and press a button"))
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.view.setDragEnabled(True)
        set_up_count_view(self.view)
        self.view.horizontalHeader().hide()
        self.view.setMinimumHeight(5 * self.fontMetrics().height())
        self.place.setToolTip(tr("Put the selected values into the group selected in the tree (Alt+Return)"))
        self.suggest.setToolTip(tr("Put every value where the most similar labels are"))
        self.other.setToolTip(tr("Put every value into a group of its own"))
        pair = QHBoxLayout()
        pair.addWidget(self.suggest)
        pair.addWidget(self.other)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for widget in (self.title, self.reasons, self.view, self.place):
            layout.addWidget(widget)
        layout.addLayout(pair)


def _reasons(fit: Fit) -> list[str]:
    """Say why values have no place, as far as that can be told."""
    lacking = {misfit.value for misfit in fit.without_place}
    twins = [twin for twin in fit.case_twins if twin.value in lacking]
    found = []
    if twins:
        found.append(tr("“{value}” differs from “{leaf}” only in case.", value=twins[0].value, leaf=twins[0].leaf))
    if fit.outside_intervals:
        found.append(tr("Outside all intervals: {n}.", n=QLocale().toString(len(fit.outside_intervals))))
    if fit.named_like_groups:
        found.append(tr("“{value}” is the name of a group.", value=fit.named_like_groups[0].value))
    return found


class ValuePlacement(QObject):
    """Does what the buttons of the tray say; each is one step that can be undone."""

    def __init__(self, document: Document, editor: HierarchyEditor, tray: UnplacedValuesView) -> None:
        super().__init__(tray)
        self._document, self._editor, self._tray = document, editor, tray
        tray.place.clicked.connect(self.under_selected)
        tray.suggest.clicked.connect(self.beside_similar)
        tray.other.clicked.connect(self.under_other)

    def under_selected(self) -> None:
        """Put the values selected in the tray into the group selected in the tree."""
        values = self._tray.selected()
        if values:
            self._editor.apply(lambda at: does.place(at, values, does.target_group(at)))

    def under_other(self) -> None:
        """Put values into a group of their own."""
        values = self._tray.selected()
        if values:
            self._editor.apply(lambda at: does.place_under_other(at, values))

    def beside_similar(self) -> None:
        """Put values where the most similar labels are; comparing many takes a while."""
        at, values = self._editor.selection(), self._tray.selected()
        if at is not None and values:
            self._document.jobs.start(
                tr("Look for similar labels"),
                _suggest,
                values,
                at.hierarchy,
                on_done=partial(self._on_suggested, at.hierarchy),
                replace_key="suggest places",
            )

    def _on_suggested(self, tree: Hierarchy, places: dict[str, int]) -> None:
        at = self._editor.selection()
        if at is not None and at.hierarchy is tree:
            self._editor.apply(lambda now: does.place_as_suggested(now, places))


def _suggest(values: tuple[str, ...], tree: Hierarchy, progress: Progress) -> dict[str, int]:
    progress(0.0)
    return suggest_places(values, tree)


def report_unplaced(document: Document, error: NoPlace, go: Callable[[str], object]) -> None:
    """Say which column is concerned; the button leads to its hierarchy."""
    document.messages.error(
        error.message, error.hint, actions=[(tr("Place Them"), lambda: go("hierarchies"))], key="unplaced"
    )


def column_statuses(document: Document) -> dict[str, ColumnStatus]:
    """Say how the hierarchies of the quasi-identifiers stand, as far as that is found out.

    All columns are one question: a table may have hundreds of them.
    """
    table, project = document.table, document.project
    if table is None:
        return {}
    about, title = (table, project.schema, project.hierarchies), tr("Look for places of values")
    return document.answer("hierarchy standings", _all_standings, *about, title=title) or {}


def _all_standings(
    table: Table, schema: Schema, hierarchies: Mapping[str, Hierarchy], progress: Progress
) -> dict[str, ColumnStatus]:
    names = [name for name in schema.quasi if name in table.names and name in hierarchies]
    found = {}
    for at, name in enumerate(names):
        progress(at / len(names))
        found[name] = column_status(table.whole(name), hierarchies[name], schema.column(name))
    return found
