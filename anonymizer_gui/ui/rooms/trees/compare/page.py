"""The fifth step: releases side by side, each record before and after, and what every path lost."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSpinBox, QSplitter, QStackedLayout, QTabWidget, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.params import params_of
from anonymizer_gui.engine.rooms.trees.published_records import RecordComparison
from anonymizer_gui.engine.rooms.trees.release import Release
from anonymizer_gui.ui.i18n import decimal, percent, tr, whole
from anonymizer_gui.ui.page import Mark, Page, State, concerns
from anonymizer_gui.ui.rooms.trees.compare.record_tree import RecordTree
from anonymizer_gui.ui.rooms.trees.figures import figures_of
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import FigureCards
from anonymizer_gui.ui.widgets.layout_pieces import titled
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.ui.widgets.rows_model import RowsModel, rows_view
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document

_ROOM = "trees"


class ComparePage(Page):
    """Releases above, one record and the losses below."""

    name = "compare"
    title = "Compare"
    order = 40
    icon = "compare"
    help = "trees/compare"

    @classmethod
    def mark(cls, document: Document) -> Mark:
        """Say how many releases there are."""
        if document.room != _ROOM or not document.releases:
            return Mark(State.EMPTY, tr("Protect the records first."))
        return Mark(State.DONE, tr("{releases:release|releases}", releases=len(document.releases)))

    def _build(self) -> None:
        self._differing: RecordComparison | None = None
        head = (
            tr("Release"), tr("Settings"), tr("Loss (LM)"), tr("Vertices suppressed"), tr("Records changed"),
            tr("Taken apart"), tr("Smallest set"), tr("Seconds"),
        )  # fmt: skip
        self.releases = RowsModel(head, range(2, 8))
        self.release_view = rows_view(self.releases, "tree_releases", tr("Releases"), 1)
        self.figures = FigureCards()
        self.number = named(QSpinBox(minimum=1, maximum=1), "record_number", spoken=tr("Record"))
        self.of_all = QLabel()
        self.record = RecordTree()
        self.losses = RowsModel((tr("Path"), tr("Loss (LM)")), (1,))
        self.empty = EmptyState(
            tr("Protect the records first."), tr("Go to Protect"), lambda: self.go.emit("protect"), icon="compare"
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        record = QWidget()
        column = QVBoxLayout(record)
        choice = QHBoxLayout()
        label = QLabel(tr("Record"))
        label.setBuddy(self.number)
        for widget in (label, self.number, self.of_all):
            choice.addWidget(widget)
        choice.addStretch()
        column.addLayout(choice)
        column.addWidget(self.record, 1)
        self.tabs = named(QTabWidget(documentMode=True), "compare_trees_tabs")
        self.tabs.addTab(record, tr("Before and After"))
        self.tabs.addTab(rows_view(self.losses, "path_losses", tr("Loss of every path"), 0), tr("Loss of Every Path"))
        split = named(QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False), "compare_trees_splitter")
        split.addWidget(titled(tr("Releases"), self.release_view))
        split.addWidget(self.tabs)
        split.setStretchFactor(0, 1)
        split.setStretchFactor(1, 3)
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.addWidget(self.figures)
        layout.addWidget(split, 1)
        return inside

    def _connect(self) -> None:
        self.release_view.selectionModel().currentRowChanged.connect(lambda now, _before: self._on_chosen(now.row()))
        self.number.valueChanged.connect(lambda _value: self._show_record())

    def _show(self, changed: frozenset[str]) -> None:
        has_any = self.document.room == _ROOM and bool(self.document.releases)
        self._stack.setCurrentIndex(int(has_any))
        if not has_any:
            return
        if concerns(changed, Change.RELEASES):
            self.releases.show_rows([_row(release) for release in self.document.releases])
        if concerns(changed, Change.RELEASES, Change.RESULTS, "table"):
            self._show_release()

    def _show_release(self) -> None:
        release: Any = self.document.selected
        if release is None:
            return
        self.release_view.selectRow([kept.id for kept in self.document.releases].index(release.id))
        self.figures.show_figures(figures_of(release))
        self._differing = RecordComparison(release)
        self.number.setMaximum(max(release.measured.records, 1))
        self.of_all.setText(tr("of {all}", all=whole(release.measured.records)))
        losses = sorted({**release.measured.by_path, **release.measured.gone}.items(), key=lambda each: -each[1])
        self.losses.show_rows([(path, percent(loss)) for path, loss in losses])
        self._show_record()

    def _show_record(self) -> None:
        if self._differing is not None:
            self.record.show_lines(self._differing.lines(self.number.value() - 1))

    def _on_chosen(self, row: int) -> None:
        if 0 <= row < len(self.document.releases):
            self.document.finished.select(self.document.releases[row])


def _row(release: Release) -> tuple[str, ...]:
    found = release.measured
    algorithm = release.project.algorithm
    settings = ", ".join(f"{tr(each.label)} = {getattr(algorithm, each.name):g}" for each in params_of(type(algorithm)))
    return (
        tr(release.name), settings, percent(found.lm), percent(found.share_suppressed),
        percent(found.changed / max(found.records, 1)), whole(found.disassociated), whole(found.smallest_class),
        decimal(sum(release.seconds.values()), 2),
    )  # fmt: skip
