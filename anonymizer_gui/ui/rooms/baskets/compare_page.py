"""Releases of baskets: pairs, cut in the hierarchy, usefulness; registered: view 75, help 42, tour 46."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen
from PySide6.QtWidgets import (
    QHeaderView,
    QLabel,
    QSplitter,
    QStackedLayout,
    QStyleOptionViewItem,
    QTabWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.rooms.baskets.release import Release
from anonymizer_gui.engine.rooms.baskets.sweep import varied_parameter
from anonymizer_gui.engine.rooms.baskets.utility import CutNode, CutView, Utility, measure_utility, view_cut
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.charts.plots import BarPlot, LinePlot
from anonymizer_gui.ui.i18n import format_decimal, format_integer, format_percent, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.baskets.before_after import BasketPairModel, before_after_view, release_figures
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow
from anonymizer_gui.ui.widgets.layout import section
from anonymizer_gui.ui.widgets.text_table import TextTableModel, text_table_view
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document

_SIDE = int(Qt.ItemDataRole.UserRole) + 1

_WIDTH, _SPARE = 3, 6

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class HierarchyCutView(QWidget):
    """Every node with how many baskets held something of it before, and how many are published with it."""

    def __init__(self) -> None:
        super().__init__()
        self.words = name_widget(QLabel(wordWrap=True), "cut_words")
        self.tree = name_widget(TreeWithLine(), "cut_tree", spoken=tr("Tree of items with the cut"))
        self.tree.setHeaderLabels([tr("Item or group"), tr("Published"), tr("Baskets before"), tr("Baskets after")])
        self.tree.setAlternatingRowColors(True)
        self.tree.setUniformRowHeights(True)
        self.tree.header().setStretchLastSection(False)
        layout = QVBoxLayout(self)
        layout.addWidget(self.words)
        layout.addWidget(self.tree, 1)

    def show_cut(self, cut: CutView) -> None:
        """Show the tree of a release; where groups of baskets have cuts of their own, counts alone tell."""
        words = (
            tr(
                "The line is the cut: what is bold beside it is published, what is struck through was deleted "
                "everywhere, what lies right of the line was replaced."
            )
            if cut.is_one
            else tr("Each group of baskets has a cut of its own: what is bold is published somewhere.")
        )
        if cut.all > len(cut.nodes):
            words += " " + tr(
                "{shown} of {all:node|nodes} are shown.", shown=format_integer(len(cut.nodes)), all=cut.all
            )
        self.words.setText(words)
        self.tree.has_line = cut.is_one
        self.tree.clear()
        look = _Look.of(self.tree)
        made = [look.item(node) for node in cut.nodes]
        for node, item in zip(cut.nodes, made, strict=True):
            if node.parent >= 0:
                made[node.parent].addChild(item)
        self.tree.addTopLevelItems([item for node, item in zip(cut.nodes, made, strict=True) if node.parent < 0])
        for node, item in zip(cut.nodes, made, strict=True):
            item.setExpanded(node.side == "above")
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)


@dataclass(frozen=True, slots=True)
class _Look:
    """How nodes look, made once for all of them: there may be a thousand, and the window waits for each."""

    size: QSize
    fonts: dict[tuple[bool, bool], QFont]
    """By whether something is published, and whether it is gone."""
    changed: QColor
    bad: QColor
    muted: QColor

    @classmethod
    def of(cls, tree: QTreeWidget) -> "_Look":
        fonts = {}
        for is_published, is_gone in itertools.product((False, True), repeat=2):
            font = fonts[is_published, is_gone] = tree.font()
            font.setBold(is_published)
            font.setStrikeOut(is_gone)
        size = QSize(0, tree.fontMetrics().lineSpacing() + _SPARE)
        return cls(size, fonts, theme.color("changed"), theme.color("bad"), theme.color("muted"))

    def item(self, node: CutNode) -> QTreeWidgetItem:
        is_published = node.side == "published" and not node.is_gone
        item = QTreeWidgetItem(
            [node.label, "●" if is_published else "", format_integer(node.before), format_integer(node.after)]
        )
        item.setData(0, _SIDE, node.side)
        item.setSizeHint(0, self.size)
        if is_published or node.is_gone:
            item.setFont(0, self.fonts[is_published, node.is_gone])
        if is_published:
            item.setBackground(0, self.changed)
        if node.is_gone:
            item.setForeground(0, self.bad)
        if node.side == "below":
            item.setForeground(0, self.muted)
        for column in (2, 3):
            item.setTextAlignment(column, _RIGHT)
        return item


class TreeWithLine(QTreeWidget):
    """A tree through which a line goes down, right of what is above the cut and left of what is published."""

    has_line = False

    def drawRow(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw the row, and the piece of the line beside it."""
        super().drawRow(painter, option, index)
        if not self.has_line:
            return
        here, rect = self.model().index(index.row(), 0, index.parent()), option.rect
        above = self.indexAbove(here)
        x, was = self.line_at(here), self.line_at(above if above.isValid() else here)
        painter.save()
        painter.setPen(QPen(theme.color("accent"), _WIDTH))
        painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom() + 1))
        painter.drawLine(QPointF(was, rect.top()), QPointF(x, rect.top()))
        painter.restore()

    def line_at(self, place: QModelIndex) -> float:
        """Give where the line goes through a row: behind the words of what is above the cut, before what is at it."""
        side = place.data(_SIDE)
        if side == "above":
            return self.visualRect(place).left() + self.fontMetrics().horizontalAdvance(f"{place.data()}   ")
        while side == "below":
            place = place.parent()
            side = place.data(_SIDE)
        return self.visualRect(place).left() - self.indentation() + _WIDTH


def loss_plot(releases: Sequence[Release]) -> BarPlot | LinePlot:
    """Draw loss, values left, deletions and who is still exposed, each as a share of what there was."""
    found = [release.measured for release in releases]
    series = {
        tr("Values left"): [each.values_left / max(each.items, 1) for each in found],
        tr("Loss (NCP)"): [each.ncp for each in found],
        tr("Deleted"): [each.share_deleted for each in found],
        tr("Exposed"): [each.exposed_after / max(each.baskets, 1) for each in found],
    }
    varied = varied_parameter([release.project for release in releases])
    if varied is None:
        labels = [tr(release.name) for release in releases]
        return BarPlot(tr("What the releases lose"), labels, series, shares=True)
    label, values = varied
    order = sorted(range(len(values)), key=lambda at: values[at])
    sorted_series = {name: [100 * shares[at] for at in order] for name, shares in series.items()}
    title = tr("What is lost along {label}", label=tr(label))
    return LinePlot(title, [values[at] for at in order], sorted_series, x=tr(label), y=tr("Percent"))


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
        self.pairs = BasketPairModel()
        self.pair_view = before_after_view(self.pairs, "before_after")
        self.tree = HierarchyCutView()
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
            self.losses.show_plot(loss_plot(self.document.releases))
        if is_affected(changed, Change.RELEASES, Change.RESULTS, "table"):
            self._show_release()

    def _show_release(self) -> None:
        release, baskets = self.document.selected, self.document.files.get("table")
        if release is None or baskets is None:
            return
        self.release_view.selectRow([kept.id for kept in self.document.releases].index(release.id))
        self.figures.show_figures(release_figures(release))
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
