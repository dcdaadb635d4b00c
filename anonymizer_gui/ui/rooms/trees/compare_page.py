"""The fifth step: releases side by side, each record before and after, and what every path lost."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSpinBox, QSplitter, QStackedLayout, QTabWidget, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.params import params_of
from anonymizer_gui.engine.rooms.trees.published_records import RecordComparison
from anonymizer_gui.engine.rooms.trees.release import Release
from anonymizer_gui.ui.i18n import format_decimal, format_integer, format_percent, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.trees.record_views import RecordBeforeAfter, release_figures
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow
from anonymizer_gui.ui.widgets.layout import section
from anonymizer_gui.ui.widgets.text_table import TextTableModel, text_table_view
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
    def mark(cls, document: Document) -> StepStatus:
        """Say how many releases there are."""
        if document.room != _ROOM or not document.releases:
            return StepStatus(StepState.EMPTY, tr("Protect the records first."))
        return StepStatus(StepState.DONE, tr("{releases:release|releases}", releases=len(document.releases)))

    def _build(self) -> None:
        self._differing: RecordComparison | None = None
        head = (
            tr("Release"), tr("Settings"), tr("Loss (LM)"), tr("Vertices suppressed"), tr("Records changed"),
            tr("Taken apart"), tr("Smallest set"), tr("Seconds"),
        )  # fmt: skip
        self.releases = TextTableModel(head, range(2, 8))
        self.release_view = text_table_view(self.releases, "tree_releases", tr("Releases"), 1)
        self.figures = CardRow()
        self.number = name_widget(QSpinBox(minimum=1, maximum=1), "record_number", spoken=tr("Record"))
        self.of_all = QLabel()
        self.record = RecordBeforeAfter()
        self.losses = TextTableModel((tr("Path"), tr("Loss (LM)")), (1,))
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
        self.tabs = name_widget(QTabWidget(documentMode=True), "compare_trees_tabs")
        self.tabs.addTab(record, tr("Before and After"))
        self.tabs.addTab(
            text_table_view(self.losses, "path_losses", tr("Loss of every path"), 0), tr("Loss of Every Path")
        )
        split = name_widget(QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False), "compare_trees_splitter")
        split.addWidget(section(tr("Releases"), self.release_view))
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
        if is_affected(changed, Change.RELEASES):
            self.releases.show_rows([_row(release) for release in self.document.releases])
        if is_affected(changed, Change.RELEASES, Change.RESULTS, "table"):
            self._show_release()

    def _show_release(self) -> None:
        release: Any = self.document.selected
        if release is None:
            return
        self.release_view.selectRow([kept.id for kept in self.document.releases].index(release.id))
        self.figures.show_figures(release_figures(release))
        self._differing = RecordComparison(release)
        self.number.setMaximum(max(release.measured.records, 1))
        self.of_all.setText(tr("of {all}", all=format_integer(release.measured.records)))
        losses = sorted({**release.measured.by_path, **release.measured.gone}.items(), key=lambda each: -each[1])
        self.losses.show_rows([(path, format_percent(loss)) for path, loss in losses])
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
        tr(release.name),
        settings,
        format_percent(found.lm),
        format_percent(found.share_suppressed),
        format_percent(found.changed / max(found.records, 1)),
        format_integer(found.disassociated),
        format_integer(found.smallest_class),
        format_decimal(sum(release.seconds.values()), 2),
    )
