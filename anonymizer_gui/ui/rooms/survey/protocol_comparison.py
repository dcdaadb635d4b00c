"""Protocols of a question, their errors, proof."""

import math
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QTabWidget, QVBoxLayout, QWidget

from anonymizer_gui.engine.dp.local.protocol import PROTOCOLS
from anonymizer_gui.engine.rooms.survey.cost_preview import ALONG, WANTED_ERROR, ProtocolPreview
from anonymizer_gui.ui.i18n import error_text, format_integer, format_percent, format_significant, tr
from anonymizer_gui.ui.rooms.survey.charts import ErrorCurvesPlot
from anonymizer_gui.ui.widgets.accessibility import breakable, name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.figure_cards import CardRow, Figure
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.text_table import MarkedTableModel, marked_table_view
from anonymizer_gui.workspace.document import Document


class ProofTable(QWidget):
    """The transition matrix of the protocol that is chosen: a row for each answer, a column for each report."""

    def __init__(self) -> None:
        super().__init__()
        self.words = name_widget(QLabel(wordWrap=True), "proof_words")
        self.exact = name_widget(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "proof_exact")
        self.exact.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.model = MarkedTableModel(1)
        self.table = marked_table_view(self.model, "transition_matrix", tr("Chances of reports"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.addWidget(self.words)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.exact)

    def show_outlook(self, seen: ProtocolPreview) -> None:
        """Show the chances, and the two of one column that differ most."""
        at, likely, rare = _most_telling(seen)
        self.model.show_rows(
            [tr("Answer"), *seen.reports],
            [
                [answer, *(format_significant(float(chance), 6) for chance in row)]
                for answer, row in zip(seen.answers, seen.matrix, strict=True)
            ],
        )
        words = tr(
            "Report “{report}” is likelier for “{one}” than for “{other}”, and no report tells more: {high} / {low} = "
            "{ratio}, at most e^ε = {limit}.",
            report=seen.reports[at],
            one=seen.answers[likely],
            other=seen.answers[rare],
            high=format_significant(float(seen.matrix[likely][at]), 6),
            low=format_significant(float(seen.matrix[rare][at]), 6),
            ratio=format_significant(float(seen.ratio), 9),
            limit=format_significant(math.exp(seen.epsilon), 9),
        )
        more = tr("Answers and reports that are not shown have the same chances.") if _is_part(seen) else ""
        self.words.setText(f"{words} {more}".strip())
        ratio = f"{seen.ratio.numerator} / {seen.ratio.denominator}"
        self.exact.setText(breakable(tr("Exactly: {ratio}", ratio=ratio)))


def _most_telling(seen: ProtocolPreview) -> tuple[int, int, int]:
    """Find the report with the largest ratio, and the answers it is likeliest and rarest for."""
    columns = [[row[at] for row in seen.matrix] for at in range(len(seen.reports))]
    at = max(range(len(columns)), key=lambda place: max(columns[place]) / min(columns[place]))
    return at, columns[at].index(max(columns[at])), columns[at].index(min(columns[at]))


def _is_part(seen: ProtocolPreview) -> bool:
    return any(sum(row) < 1 for row in seen.matrix) or len(seen.answers) < seen.size


_LINES = 8


class ProtocolComparison(QWidget):
    """The right half of the Design page."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.model = MarkedTableModel(1)
        self.table = marked_table_view(self.model, "protocol_table", tr("Protocols"))
        self.reason = name_widget(QLabel(wordWrap=True), "best_reason")
        self.problem = InlineMessage()
        self.along = name_widget(WidePopupComboBox(), "curve_along", spoken=tr("What the chart shows"))
        for name, words in ALONG.items():
            self.along.addItem(tr(words), name)
        self.along.make_room()
        self.chart = ChartPanel(document.drawing, "protocol_curves")
        self.proof = ProofTable()
        self.figures = CardRow()
        self.table.setMinimumHeight((self.fontMetrics().lineSpacing() + 8) * _LINES)
        self._lay_out()

    def _lay_out(self) -> None:
        errors = QWidget()
        column = QVBoxLayout(errors)
        column.setContentsMargins(0, 4, 0, 0)
        column.addWidget(self.along)
        column.addWidget(self.chart, 1)
        self.tabs = name_widget(QTabWidget(documentMode=True), "design_tabs")
        self.tabs.addTab(errors, tr("Error"))
        self.tabs.addTab(self.proof, tr("Proof"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for widget in (self.problem, self.table, self.reason, self.tabs, self.figures):
            layout.addWidget(widget, int(widget is self.tabs))

    def show_outlook(self, seen: ProtocolPreview | None, project: Any) -> None:
        """Show what is known of a question, or nothing."""
        problem = None if seen is None else seen.problem
        self.problem.show_note("bad", error_text(problem) if problem is not None else "")
        self.tabs.setVisible(problem is None)
        design = None if seen is None else seen.design
        if seen is None or design is None:
            self.model.show_rows([], [])
            self.reason.setText("")
            self.chart.show_plot(None)
            self.figures.show_figures(())
            return
        smallest = tr("Smallest share") if seen.size else tr("95% error")
        heads = [tr("Protocol"), "p", "q", tr("Variance"), tr("Bits"), tr("Error"), smallest]
        names = [entry.name for entry in design.entries]
        best = names.index(design.best)
        self.model.show_rows(heads, [_row(entry, entry.name == design.best) for entry in design.entries], best)
        chosen = names.index(seen.chosen) if seen.chosen in names else best
        self.table.selectRow(chosen)
        self.reason.setText(tr(design.reason))
        self._offer(seen)
        self.chart.show_plot(self._plot(seen, project))
        self.proof.show_outlook(seen)
        self.figures.show_figures(_figures(seen, chosen))

    def _offer(self, seen: ProtocolPreview) -> None:
        """Offer what errors can be drawn along: a number has no values to vary."""
        listed: Any = self.along.model()
        listed.item(self.along.findData("values")).setEnabled(bool(seen.size))
        self.along.setCurrentIndex(self.along.findData(seen.along))

    def _plot(self, seen: ProtocolPreview, project: Any) -> ErrorCurvesPlot:
        x = {"epsilon": tr("Epsilon"), "values": tr("Values"), "answers": tr("Answers")}[seen.along]
        now = {"epsilon": float(seen.epsilon), "values": float(seen.size), "answers": float(project.answers)}
        curves = {tr(PROTOCOLS.get(name).title): points for name, points in seen.curves.items()}
        y = tr("Error of a share") if seen.size else tr("Error of the mean, of its range")
        return ErrorCurvesPlot(tr(ALONG[seen.along]), curves, now[seen.along], x=x, y=y)


def _row(entry: Any, is_best: bool) -> list[str]:
    title = tr("Best: {protocol}", protocol=tr(entry.title)) if is_best else tr(entry.title)
    return [
        title,
        format_significant(entry.p, 6),
        format_significant(entry.q, 6),
        format_significant(entry.variance_per_answer, 6),
        format_integer(entry.bits),
        format_significant(entry.sd, 4),
        format_percent(entry.smallest_share, 2),
    ]


def _figures(seen: ProtocolPreview, chosen: int) -> tuple[Figure, ...]:
    ratio, limit = float(seen.ratio), math.exp(seen.epsilon)
    proof = tr(
        "The largest ratio of the exact chances of one report is {ratio}, at most e^ε = {limit}.",
        ratio=format_significant(ratio, 9),
        limit=format_significant(limit, 9),
    )
    cards = [Figure("proof", tr("Proof"), f"e^{format_significant(math.log(ratio), 6)}", proof, "good")]
    if seen.design is not None:
        entry = seen.design.entries[chosen]
        words = tr("A smaller estimated share may well be nobody.") if seen.size else tr("of the range")
        title = tr("Smallest share") if seen.size else tr("95% error")
        cards.append(Figure("smallest", title, format_percent(entry.smallest_share, 2), words, "info"))
    if seen.needed:
        needed = tr(
            "so that a share is off by ± {error} at most, 95 times in 100.", error=format_percent(WANTED_ERROR, 0)
        )
        cards.append(Figure("needed", tr("Answers needed"), format_integer(seen.needed), needed, "info"))
    return tuple(cards)
