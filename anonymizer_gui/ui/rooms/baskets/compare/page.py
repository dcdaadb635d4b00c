"""The fifth step: releases side by side, each basket before and after, the tree with its cut, usefulness."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSplitter, QStackedLayout, QTabWidget, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.rooms.baskets.release import Release
from anonymizer_gui.engine.rooms.baskets.utility import CutView, Utility, measure_utility, view_cut
from anonymizer_gui.ui.i18n import format_decimal, format_integer, format_percent, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.baskets.compare.before_after import BeforeAfterModel, before_after_view
from anonymizer_gui.ui.rooms.baskets.compare.cut_tree import CutTree
from anonymizer_gui.ui.rooms.baskets.compare.losses import losses_of
from anonymizer_gui.ui.rooms.baskets.figures import figures_of
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow
from anonymizer_gui.ui.widgets.layout import section
from anonymizer_gui.ui.widgets.text_table import TextTableModel, text_table_view
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document

_ROOM = "baskets"
_MOST_SETS = 500
_MOST_NODES = 1000
_LINES = 7


class ComparePage(Page):
    """Releases above, what became of the baskets below."""

    name = "compare"
    title = "Compare"
    order = 40
    icon = "compare"
    help = "baskets/compare"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say how many releases there are."""
        if document.room != _ROOM or not document.releases:
            return StepStatus(StepState.EMPTY, tr("Protect the baskets first."))
        return StepStatus(StepState.DONE, tr("{releases:release|releases}", releases=len(document.releases)))

    def _build(self) -> None:
        head = (
            tr("Release"), tr("Promises"), tr("Loss (NCP)"), tr("Values left"), tr("Deleted"), tr("Smallest support"),
            tr("Exposed before"), tr("Exposed after"), tr("Seconds"),
        )  # fmt: skip
        self.releases = TextTableModel(head, range(2, 9))
        self.release_view = text_table_view(self.releases, "basket_releases", tr("Releases"), 0)
        self.release_view.setMinimumHeight(_LINES * (self.fontMetrics().lineSpacing() + 8))
        self.figures = CardRow()
        self.pairs = BeforeAfterModel()
        self.pair_view = before_after_view(self.pairs, "before_after")
        self.tree = CutTree()
        self.losses = ChartPanel(self.document.drawing, "basket_losses")
        self.sets = TextTableModel((tr("Frequent set"), tr("Before"), tr("Estimate after"), tr("Error")), (1, 2, 3))
        self.rules = TextTableModel((tr("If"), tr("Then"), tr("Confidence before"), tr("After")), (2, 3))
        self.use_words = name_widget(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "usefulness")
        self.empty = EmptyState(
            tr("Protect the baskets first."), tr("Go to Protect"), lambda: self.go.emit("protect"), icon="compare"
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        self.tabs = name_widget(QTabWidget(documentMode=True), "compare_baskets_tabs")
        self.tabs.addTab(self.pair_view, tr("Before and After"))
        self.tabs.addTab(self.tree, tr("Tree With the Cut"))
        use = QWidget()
        column = QVBoxLayout(use)
        column.addWidget(self.use_words)
        both = name_widget(QSplitter(childrenCollapsible=False), "usefulness_splitter")
        both.addWidget(
            section(tr("Frequent sets"), text_table_view(self.sets, "frequent_sets", tr("Frequent sets"), 0))
        )
        both.addWidget(section(tr("Rules"), text_table_view(self.rules, "association_rules", tr("Rules"), 0)))
        column.addWidget(both, 1)
        self.tabs.addTab(use, tr("Usefulness"))
        self.tabs.addTab(self.losses, tr("Chart"))
        split = name_widget(QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False), "compare_baskets_splitter")
        split.addWidget(section(tr("Releases"), self.release_view))
        split.addWidget(self.tabs)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 5)
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.addWidget(self.figures)
        layout.addWidget(split, 1)
        return inside

    def _connect(self) -> None:
        self.release_view.selectionModel().currentRowChanged.connect(lambda now, _before: self._on_chosen(now.row()))

    def _show(self, changed: frozenset[str]) -> None:
        has_any = self.document.room == _ROOM and bool(self.document.releases)
        self._stack.setCurrentIndex(int(has_any))
        if not has_any:
            return
        if is_affected(changed, Change.RELEASES):
            self.releases.show_rows([_row(release) for release in self.document.releases])
            self.losses.show_plot(losses_of(self.document.releases))
        if is_affected(changed, Change.RELEASES, Change.RESULTS, "table"):
            self._show_release()

    def _show_release(self) -> None:
        release, baskets = self.document.selected, self.document.files.get("table")
        if release is None or baskets is None:
            return
        self.release_view.selectRow([kept.id for kept in self.document.releases].index(release.id))
        self.figures.show_figures(figures_of(release))
        self.pairs.show_release(release, baskets)
        self.document.ask("cut", _cut, release, then=self.tree.show_cut, title=tr("Count the tree"))
        self.document.ask(
            "usefulness", _usefulness, release, baskets, then=self._on_useful, title=tr("Measure usefulness")
        )

    def _on_chosen(self, row: int) -> None:
        if 0 <= row < len(self.document.releases):
            self.document.finished.select(self.document.releases[row])

    def _on_useful(self, found: Utility) -> None:
        words = tr(
            "Supports of {sets:frequent set|frequent sets} are wrong by {error} on average; {kept} of "
            "{rules:rule|rules} are still found.",
            sets=len(found.sets),
            error=format_percent(found.mean_error),
            kept=format_integer(found.kept),
            rules=len(found.rules),
        )
        self.use_words.setText(words)
        self.sets.show_rows(
            [
                (
                    " + ".join(each.items),
                    format_integer(each.before),
                    format_decimal(each.after, 1),
                    format_percent(each.error),
                )
                for each in found.sets[:_MOST_SETS]
            ]
        )
        self.rules.show_rows(
            [
                (each.one, each.other, format_percent(each.before), format_percent(each.after))
                for each in found.rules[:_MOST_SETS]
            ]
        )


def _row(release: Release) -> tuple[str, ...]:
    found = release.measured
    return (
        tr(release.name),
        ", ".join(goal.short() for goal in release.project.goals),
        format_decimal(found.ncp, 5),
        format_integer(found.values_left),
        format_percent(found.share_deleted, 2),
        format_integer(found.smallest_support),
        format_integer(found.exposed_before),
        format_integer(found.exposed_after),
        format_decimal(sum(release.seconds.values()), 2),
    )


def _cut(release: Any, progress: Progress) -> CutView:
    return view_cut(release, _MOST_NODES, progress)


def _usefulness(release: Any, baskets: Baskets, progress: Progress) -> Utility:
    return measure_utility(release, baskets, progress)
