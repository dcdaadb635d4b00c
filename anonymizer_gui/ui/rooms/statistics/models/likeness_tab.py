"""A synthetic table beside its original: for those who may see the original, and for nobody else."""

from typing import Any

from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.statistics.benches.synthetic_utility import SyntheticUtility, measure_utility
from anonymizer_gui.engine.rooms.statistics.public_domains import ColumnDomain
from anonymizer_gui.engine.rooms.statistics.questions.synthetic import Synthetic
from anonymizer_gui.engine.rooms.statistics.release import ModelOutput, Release
from anonymizer_gui.ui.charts.plots import BarPlot
from anonymizer_gui.ui.i18n import format_percent, tr
from anonymizer_gui.ui.rooms.statistics.models.utility_tabs import UtilityTabs
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow, Figure
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.workspace.document import Document

_MOST_PAIRS = 30


class LikenessTab(QWidget):
    """Figures above, columns and pairs below."""

    def __init__(self, document: Document, go_to_plan: Any) -> None:
        super().__init__()
        self.document = document
        self.inside, self.figures = InlineMessage(), CardRow()
        self.columns = ChartPanel(document.drawing, "likeness_columns")
        self.pairs = ChartPanel(document.drawing, "likeness_pairs")
        self.empty = EmptyState(
            tr("No release with a synthetic table yet: add one to the plan and run it."), tr("Go to Plan"), go_to_plan,
            icon="utility",
        )  # fmt: skip
        self.inside.show_note(
            "warn",
            tr("Measured against your data without noise: for you only. Publish neither these numbers nor pictures."),
        )
        overview, shown = QWidget(), QWidget()
        inner = QVBoxLayout(overview)
        for widget, stretch in ((self.figures, 0), (self.columns, 1), (self.pairs, 2)):
            inner.addWidget(widget, stretch)
        self.tabs = UtilityTabs(document, overview)
        layout = QVBoxLayout(shown)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.inside)
        layout.addWidget(self.tabs, 1)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(shown)

    def ask(self) -> None:
        """Measure the synthetic table of the chosen release."""
        release, table = self.document.selected, self.document.table
        made = next((each for each in (release.made if release is not None else ()) if each.table is not None), None)
        self._stack.setCurrentIndex(int(made is not None and table is not None))
        if made is not None and table is not None:
            domains, target = _asked(release, made)
            self.tabs.show_tables((table, made.table), domains, target)
            title = tr("Compare with the original")
            self.document.ask("likeness", _measured, release, made, table, then=self._on_measured, title=title)

    def _on_measured(self, found: SyntheticUtility) -> None:
        self.figures.show_figures(figures_of(found))
        if found.queries is not None:
            self.tabs.queries.random.setText(
                tr("Random counts are wrong by {share} of all rows on average.", share=format_percent(found.queries))
            )
        names = [name for name, _ in found.columns]
        self.columns.show_plot(
            BarPlot(tr("Rows that stand elsewhere, by column"), names,
                 {tr("synthetic table"): [distance for _, distance in found.columns]}, shares=True)
        )  # fmt: skip
        pairs = sorted(found.pairs, key=lambda pair: -pair.alone)[:_MOST_PAIRS]
        labels = [f"{pair.first} × {pair.second}" for pair in pairs]
        series = {
            tr("synthetic table"): [pair.distance for pair in pairs],
            tr("independent columns"): [pair.alone for pair in pairs],
        }
        self.pairs.show_plot(BarPlot(tr("Rows that stand elsewhere, by pair"), labels, series, shares=True))


def _asked(release: Release, made: ModelOutput) -> tuple[tuple[ColumnDomain, ...], str]:
    """Give the public values of a synthetic table, and the column that is foretold."""
    asked = release.project.questions[made.at]
    question = asked.question
    assert isinstance(question, Synthetic)
    return question.domains(release.project.public(asked)), question.target or question.columns()[-1]


def _measured(release: Release, made: ModelOutput, table: Table, progress: Progress) -> SyntheticUtility:
    assert made.table is not None
    return measure_utility(table, made.table, *_asked(release, made), progress)


def figures_of(found: SyntheticUtility) -> tuple[Figure, ...]:
    """Say how like the tables are, with what independent columns would give."""
    is_better = not found.pairs or found.double < found.alone
    words = tr("Independent columns: {alone}.", alone=format_percent(found.alone))
    figures = [
        Figure(
            "single", tr("Columns"), format_percent(found.single), tr("of rows stand elsewhere, on average"), "info"
        ),
        Figure("double", tr("Pairs of columns"), format_percent(found.double), words, "good" if is_better else "warn"),
    ]
    if found.queries is not None:
        figures.append(
            Figure(
                "queries", tr("Queries"), f"± {format_percent(found.queries)}", tr("of all rows, on average"), "info"
            )
        )
    if found.learned is not None:
        real, made = found.learned
        beside = tr("right guesses; learned from the original {real}.", real=format_percent(real.accuracy))
        figures.append(Figure("learned", tr("Learning"), format_percent(made.accuracy), beside, "info"))
    return tuple(figures)
