"""What a synthetic table is good for: distributions, two columns, queries and learning, beside its original."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtWidgets import QComboBox, QTabWidget, QWidget

from anonymizer_gui.engine.rooms.statistics.benches.synthetic_utility import (
    Both,
    ColumnComparison,
    PairComparison,
    QueryComparison,
    compare_column,
    compare_models,
    compare_pair,
    compare_query,
)
from anonymizer_gui.engine.rooms.statistics.dp_sgd import PlainEvaluation
from anonymizer_gui.engine.rooms.statistics.public_domains import ColumnDomain
from anonymizer_gui.ui.charts.plots import BarPlot, HeatmapPlot
from anonymizer_gui.ui.i18n import error_text, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.combo_boxes import fill_combo
from anonymizer_gui.ui.widgets.layout import with_selectors
from anonymizer_gui.ui.widgets.table_comparison import CountQueryPanel
from anonymizer_gui.workspace.document import Document

_FULL_COLOUR = 5


class UtilityTabs(QTabWidget):
    """A tab for each kind of question about both tables; the first holds what is measured of all columns."""

    def __init__(self, document: Document, first: QWidget) -> None:
        super().__init__(documentMode=True)
        self.setObjectName("likeness_tabs")
        self.document = document
        self._both: Both | None = None
        self._domains: dict[str, ColumnDomain] = {}
        self.column, self.one, self.other, self.target = (
            name_widget(QComboBox(), f"likeness_{name}") for name in ("column", "rows", "columns_of", "target")
        )
        self.spread, self.heat, self.learning = (
            ChartPanel(document.drawing, f"likeness_{name}") for name in ("spread", "heat", "learning")
        )
        self.queries = CountQueryPanel()
        self.addTab(first, tr("Overview"))
        self.addTab(with_selectors(self.spread, (tr("Column"), self.column)), tr("Distributions"))
        self.addTab(with_selectors(self.heat, (tr("Rows"), self.one), (tr("Columns"), self.other)), tr("Two Columns"))
        self.addTab(self.queries, tr("Queries"))
        self.addTab(with_selectors(self.learning, (tr("Target"), self.target)), tr("Learning"))
        self.column.currentIndexChanged.connect(lambda _at: self._ask_spread())
        for box in (self.one, self.other):
            box.currentIndexChanged.connect(lambda _at: self._ask_together())
        self.target.currentIndexChanged.connect(lambda _at: self._ask_learning())
        self.queries.asked.connect(self._on_query)

    def show_tables(self, both: Both, domains: Sequence[ColumnDomain], target: str) -> None:
        """Offer the columns of a synthetic table, and compare those that are chosen."""
        is_other = self._both is None or self._both[1] is not both[1]
        self._both, self._domains = both, {domain.column: domain for domain in domains}
        names = list(self._domains)
        for box, place in ((self.column, 0), (self.one, 0), (self.other, len(names) - 1)):
            fill_combo(box, names, place)
        few = [name for name, domain in self._domains.items() if 2 <= len(domain.labels) <= 20]
        fill_combo(self.target, few, few.index(target) if target in few else len(few) - 1)
        self.queries.show_columns(names)
        for texts in self.queries.take_queries() if is_other else ():
            self._on_query(texts)
        self._ask_spread()
        self._ask_together()
        self._ask_learning()

    def _start(
        self, key: object, title: str, work: Callable[..., Any], *args: Any, then: Callable[[Any], None]
    ) -> None:
        self.document.jobs.start(title, work, self._both, *args, on_done=then, replace_key=("likeness", key))

    def _ask_spread(self) -> None:
        domain = self._domains.get(self.column.currentText())
        if domain is not None:
            self._start("spread", tr("Compare distributions"), compare_column, domain, then=self._on_spread)

    def _on_spread(self, found: ColumnComparison) -> None:
        series = {tr("original"): found.before, tr("synthetic table"): found.after}
        title = tr("“{column}” in the original and in the synthetic table", column=found.column)
        self.spread.show_plot(
            BarPlot(title, found.labels, series, x=found.column, y=tr("Share of the records"), shares=True)
        )

    def _ask_together(self) -> None:
        one, other = (self._domains.get(box.currentText()) for box in (self.one, self.other))
        if one is not None and other is not None:
            self._start("heat", tr("Compare two columns"), compare_pair, one, other, then=self._on_together)

    def _on_together(self, found: PairComparison) -> None:
        title = tr("Change of each share, in percentage points; the colour is full from {full} on", full=_FULL_COLOUR)
        x, y = self.other.currentText(), self.one.currentText()
        self.heat.show_plot(HeatmapPlot(title, found.rows, found.columns, found.change, x=x, y=y, full=_FULL_COLOUR))

    def _on_query(self, texts: dict[str, str]) -> None:
        asked = self._both

        def done(found: QueryComparison) -> None:
            if asked is self._both:
                self.queries.add_answer(texts, found.truth, found.estimate, found.error)

        self.document.jobs.start(
            tr("Ask both tables"), compare_query, self._both, texts, on_done=done,
            on_error=lambda error: self.queries.note.show_note("bad", error_text(error)),
            replace_key=("likeness query", tuple(texts.items())),
        )  # fmt: skip

    def _ask_learning(self) -> None:
        target = self.target.currentText()
        if target:
            self._start("learning", tr("Learn from both tables"), compare_models, list(self._domains.values()), target,
                        then=self._on_learned)  # fmt: skip

    def _on_learned(self, found: tuple[PlainEvaluation, PlainEvaluation] | None) -> None:
        if found is None:
            self.learning.show_plot(None)
            return
        has_area = all(each.area is not None for each in found)
        labels = [tr("Accuracy"), *(["AUC"] if has_area else [])]
        both = [[each.accuracy, *([each.area] if each.area is not None and has_area else [])] for each in found]
        series = {tr("learned from the original"): both[0], tr("learned from the synthetic table"): both[1]}
        title = tr(
            "“{column}” foretold for rows of the original that neither has seen", column=self.target.currentText()
        )
        self.learning.show_plot(BarPlot(title, labels, series, "", "", shares=True))
