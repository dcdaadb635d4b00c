"""Data page: baskets, items; open dialog; texts of the Hierarchies page."""

from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtWidgets import QSplitter, QStackedLayout, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.baskets.baskets import BasketOptions, Baskets
from anonymizer_gui.engine.data.baskets.reading import BasketsReadReport, read_baskets, sniff_options, table_columns
from anonymizer_gui.ui.dialogs.open_data import OpenDataDialog
from anonymizer_gui.ui.hierarchies.page import HierarchiesPage
from anonymizer_gui.ui.hierarchies.tree_model import HierarchyTexts
from anonymizer_gui.ui.i18n import format_decimal, format_integer, format_percent, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow, Figure
from anonymizer_gui.ui.widgets.layout import section
from anonymizer_gui.ui.widgets.text_table import TextTableModel, text_table_view
from anonymizer_gui.workspace.document import Document

PREVIEW_ROWS = 200


class OpenBasketsDialog(OpenDataDialog):
    """How the file is read at the left, its first baskets at the right."""

    room: ClassVar[str] = "baskets"
    title: ClassVar[str] = "Open Baskets"
    options: ClassVar[type] = BasketOptions

    def preview(self) -> QWidget:
        """List the first baskets."""
        self.model = TextTableModel((tr("Basket"), tr("Items")), (0,))
        self.view = text_table_view(self.model, "basket_preview", tr("The first baskets"), 1)
        return self.view

    @staticmethod
    def sniff(path: Path, progress: Progress) -> tuple[BasketOptions, tuple[str, ...]]:
        """Look at the beginning of the file."""
        progress(0.0)
        return sniff_options(path), table_columns(path)

    @staticmethod
    def look(path: Path, options: BasketOptions, progress: Progress) -> tuple[Baskets, BasketsReadReport]:
        """Read the first baskets."""
        return read_baskets(path, options, progress, limit=PREVIEW_ROWS)

    def show_data(self, data: Baskets | None, found: BasketsReadReport | None) -> str:
        """Show the baskets, and count what is remarkable about them."""
        rows = [(format_integer(at + 1), ", ".join(held)) for at, held in enumerate(data.sets() if data else ())]
        self.model.show_rows(rows)
        if found is None:
            return ""
        return tr(
            "The first {baskets:basket|baskets}: {items:item|items}, {empty} empty, {twice} twice in a basket.",
            baskets=found.baskets,
            items=found.items,
            empty=format_integer(found.empty),
            twice=format_integer(found.duplicates),
        )


class DataPage(Page):
    """Baskets at the left, items at the right, the figures above."""

    name = "data"
    title = "Data"
    order = 10
    icon = "data"
    help = "baskets/baskets"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say how many baskets there are."""
        baskets: Any = document.table
        if baskets is None:
            return StepStatus(StepState.EMPTY, tr("Open baskets first."))
        return StepStatus(StepState.DONE, tr("{baskets:basket|baskets}", baskets=len(baskets)))

    def _build(self) -> None:
        self.figures = CardRow()
        self.baskets = TextTableModel((tr("Basket"), tr("Size"), tr("Items")), (0, 1))
        self.items = TextTableModel((tr("Item"), tr("Baskets"), tr("Share")), (1, 2))
        self.basket_view = text_table_view(self.baskets, "baskets", tr("Baskets"), 2)
        self.item_view = text_table_view(self.items, "items", tr("Items"), 0)
        self.empty = EmptyState(tr("Open baskets first."), tr("Open…"), lambda: self.do.emit("file.open"), icon="data")
        split = name_widget(QSplitter(childrenCollapsible=False), "baskets_splitter")
        split.addWidget(section(tr("Baskets"), self.basket_view))
        split.addWidget(section(tr("Items"), self.item_view))
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 1)
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.addWidget(self.figures)
        layout.addWidget(split, 1)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(inside)

    def _show(self, changed: frozenset[str]) -> None:
        baskets: Any = self.document.table
        self._stack.setCurrentIndex(int(baskets is not None))
        if baskets is not None and is_affected(changed, "table"):
            self._show_baskets(baskets)

    def _show_baskets(self, baskets: Baskets) -> None:
        self.figures.show_figures(_figures(baskets))
        sizes, counts = baskets.sizes, baskets.counts().tolist()
        order = sorted(range(len(counts)), key=lambda code: (-counts[code], baskets.items[code]))
        self.baskets.show_many(
            len(baskets),
            lambda at: (format_integer(at + 1), format_integer(int(sizes[at])), ", ".join(baskets.held(at))),
        )
        self.items.show_many(
            len(order),
            lambda at: (
                baskets.items[order[at]],
                format_integer(counts[order[at]]),
                format_percent(counts[order[at]] / max(len(baskets), 1)),
            ),
        )


def _figures(baskets: Baskets) -> tuple[Figure, ...]:
    sizes = baskets.sizes
    mean, largest = (float(sizes.mean()), int(sizes.max())) if len(sizes) else (0.0, 0)
    empty = int((sizes == 0).sum())
    beside = ", ".join(baskets.beside.names) or tr("none")
    return (
        Figure(
            "baskets",
            tr("Baskets"),
            format_integer(len(baskets)),
            tr("{empty} of them empty", empty=format_integer(empty)),
            "info",
        ),
        Figure(
            "items",
            tr("Different items"),
            format_integer(len(baskets.items)),
            tr("each counts once in a basket"),
            "info",
        ),
        Figure(
            "size",
            tr("Items in a basket"),
            format_decimal(mean, 1),
            tr("at most {n}", n=format_integer(largest)),
            "info",
        ),
        Figure("beside", tr("Columns beside them"), format_integer(len(baskets.beside.names)), beside, "info"),
    )


class ItemHierarchyPage(HierarchiesPage):
    """The shared page about the one column of baskets: their items."""

    words: ClassVar[HierarchyTexts] = HierarchyTexts(
        unmarked="Open baskets first.",
        some="The items have no tree yet",
        unplaced="Some items have no place in the tree",
        contradicted="Some groups of the tree contradict the items below them",
        done="The items have a tree",
        propose="Propose a tree for the items",
        no_data="Open baskets to shape the tree of their items.",
        no_column="Open baskets to shape the tree of their items.",
        way_out="The tree says which items become a group together.",
        go="Go to Baskets",
        level="<b>The items at level</b>",
        one_class="One group of all items, {rows:occurrence|occurrences} in all; LM {loss}",
        classes="{classes:group|groups} of items, the rarest with {rows:occurrence|occurrences}; LM {loss}",
        counted="Occurrences",
        counted_tip="How often an item under this label stands in a basket",
        node="{label}: level {level} of {height}, {rows:occurrence|occurrences}, {leaves:leaf|leaves}, LM {loss}",
        tray="<b>Without a place</b>: items {values}, occurrences {rows}",
        is_one=True,
    )
