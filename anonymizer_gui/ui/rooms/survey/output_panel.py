"""What leaves of a survey: estimates with their intervals, and the reports beside them when that is wanted."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QSplitter, QVBoxLayout, QWidget

from anonymizer_gui.engine.dp.accountant import posterior_odds
from anonymizer_gui.engine.rooms.survey.release import Release
from anonymizer_gui.engine.rooms.survey.release_candidate import ReleaseCandidate
from anonymizer_gui.ui.i18n import format_integer, format_percent, format_significant, tr
from anonymizer_gui.ui.release.output_panel import OutputPanel, Way
from anonymizer_gui.ui.rooms.survey.charts import answer_label, estimate_plot, interval_texts
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.figure_cards import Figure
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.text_table import MarkedTableModel, marked_table_view
from anonymizer_gui.workspace.document import Document


class EstimatesOutputPanel(OutputPanel):
    """The estimates of all questions above, a chart of the chosen question below."""

    fields = frozenset({"with_reports"})

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.way = Way(tr("Nothing to release yet: count the reports first."), tr("Go to Estimate"), "estimate")
        self._release: Release | None = None
        self._places: list[int] = []
        self.model = MarkedTableModel(2)
        self.table = marked_table_view(self.model, "leaving_estimates", tr("Estimates"), 1)
        self.chart, self.notes = ChartPanel(document.drawing, "leaving_chart"), InlineMessage()
        self.with_reports = name_widget(QCheckBox(tr("Publish the reports, too")), "with_reports")
        self.with_reports.setToolTip(tr("Anybody can then count again; the reports tell nothing about their senders."))
        self.what, self.how = self._laid_out(), self.with_reports
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._show_chart())
        self.with_reports.toggled.connect(self._on_with_reports)

    def show_project(self, release: Any) -> None:
        """Show the estimates of a release."""
        is_another = self._release is not release
        self._release = release
        self.with_reports.blockSignals(True)
        self.with_reports.setChecked(self.document.project.with_reports)
        self.with_reports.blockSignals(False)
        self.notes.show_note("warn", " ".join(tr(note) for note in release.notes))
        self.figures.show_figures(release_figures(release))
        if is_another:
            self._fill(release)

    def sentence(self, leaving: ReleaseCandidate) -> str:
        """Say what will leave."""
        return tr("“{name}”: {words}", name=leaving.release.name, words=tr(leaving.release.sentence()))

    def success(self, leaving: ReleaseCandidate, path: Path) -> str:
        """Say what has left."""
        return tr("The estimates went to {name}; read back and found the same.", name=path.name)

    def _laid_out(self) -> QWidget:
        split = name_widget(QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False), "leaving_splitter")
        split.addWidget(self.table)
        split.addWidget(self.chart)
        whole_panel = QWidget()
        layout = QVBoxLayout(whole_panel)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.notes)
        layout.addWidget(split, 1)
        return whole_panel

    def _fill(self, release: Release) -> None:
        heads = [tr("Question"), tr("Answer"), tr("Estimated"), tr("From"), tr("To")]
        rows, self._places = [], []
        for place, result in enumerate(release.results):
            for cell in result.cells:
                rows.append([result.question.name, answer_label(cell, result), *interval_texts(cell, result)])
                self._places.append(place)
        self.model.show_rows(heads, rows)
        self.table.selectRow(0)
        self._show_chart()

    def _show_chart(self) -> None:
        row = self.table.currentIndex().row()
        if self._release is not None and 0 <= row < len(self._places):
            self.chart.show_plot(estimate_plot(self._release.results[self._places[row]]))

    def _on_with_reports(self, is_on: bool) -> None:
        self.document.edit(tr("Decide whether the reports leave"), with_reports=is_on)


def release_figures(release: Release) -> tuple[Figure, ...]:
    """Say how many reports there are, what each cost, and what that means for a guess."""
    sure = posterior_odds(release.collection.epsilon)
    bad = len(release.problems)
    not_counted = tr("{bad:report does|reports do} not count", bad=bad) if bad else tr("all of them counted")
    words = tr("A guess at 50% becomes at most so sure.")
    return (
        Figure("reports", tr("Reports"), format_integer(release.n), not_counted, "warn" if bad else "good"),
        Figure(
            "epsilon",
            tr("One respondent"),
            f"ε {format_significant(float(release.collection.epsilon), 4)}",
            tr("for all answers together"),
            "info",
        ),
        Figure(
            "odds",
            tr("Odds"),
            f"{format_percent(0.5, 0)} → {format_percent(sure)}",
            words,
            "good" if sure < 0.95 else "warn",
        ),
    )
