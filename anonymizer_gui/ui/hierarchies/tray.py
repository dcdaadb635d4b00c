"""The tray of values that have no place in the hierarchy yet: dragged into the tree, or placed by buttons."""

from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QLabel, QPushButton, QTableView, QVBoxLayout, QWidget

from anonymizer_gui.engine.hierarchy.fit import Fit
from anonymizer_gui.ui.hierarchies.bars import shape_counts
from anonymizer_gui.ui.hierarchies.counts_model import CountsModel
from anonymizer_gui.ui.hierarchies.page_words import PageWords
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.named import named


class HierarchyTray(QWidget):
    """Lists the values without a place, most rows first; hidden while there are none."""

    def __init__(self, said: PageWords) -> None:
        super().__init__()
        self._said = said
        self.setObjectName("hierarchy_tray")
        self.title = named(QLabel(wordWrap=True), "hierarchy_tray_title")
        self.reasons = named(QLabel(wordWrap=True), "hierarchy_tray_reasons")
        self.model = CountsModel(said.counted, draggable=True, parent=self)
        self.view = named(QTableView(), "hierarchy_tray_values")
        self.place = named(QPushButton(tr("Place under Selected")), "hierarchy_place")
        self.suggest = named(QPushButton(tr("Suggest Places")), "hierarchy_suggest")
        self.other = named(QPushButton(tr("All under “Other”")), "hierarchy_other")
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
        shape_counts(self.view)
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
