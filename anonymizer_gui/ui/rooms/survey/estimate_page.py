"""Reports and estimates, poisoning."""

from typing import Any

from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.local.estimation import max_loss, poison_counts, poison_mean
from anonymizer_gui.engine.dp.local.protocol import FrequencyProtocol, MeanProtocol
from anonymizer_gui.engine.rooms.survey.estimates import QuestionEstimates, true_answer
from anonymizer_gui.engine.rooms.survey.release import Release
from anonymizer_gui.engine.rooms.survey.run import reports_among
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.dialogs.file_dialogs import ask_file, start_folder
from anonymizer_gui.ui.i18n import format_integer, format_significant, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus
from anonymizer_gui.ui.rooms.survey.charts import answer_label, estimate_plot, format_estimate, interval_texts
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.layout import section
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.text_table import MarkedTableModel, marked_table_view
from anonymizer_gui.workspace.document import Document

_MOST = 1_000_000


class PoisoningPanel(QWidget):
    """Chooses a value and a number of fakes, and says what they do."""

    def __init__(self) -> None:
        super().__init__()
        self._release: Release | None = None
        self._result: QuestionEstimates | None = None
        self.value = name_widget(WidePopupComboBox(), "pushed_value", spoken=tr("The answer they push"))
        self.fakes = name_widget(QSpinBox(), "made_up_reports", spoken=tr("Made-up reports"))
        self.fakes.setRange(1, _MOST)
        self.fakes.setValue(10)
        self.words = name_widget(QLabel(wordWrap=True), "poisoning_words")
        row = QHBoxLayout()
        for widget in (self.fakes, self.value):
            label = QLabel(widget.accessibleName())
            label.setBuddy(widget)
            row.addWidget(label)
            row.addWidget(widget)
        self._value_label = label
        row.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(row)
        layout.addWidget(self.words)
        self.fakes.valueChanged.connect(lambda _n: self._tell())
        self.value.activated.connect(lambda _at: self._tell())

    def show_result(self, release: Release | None, result: QuestionEstimates | None) -> None:
        """Show another result; a mean has no value to choose."""
        is_other = result is not self._result
        self._release, self._result = release, result
        self.setVisible(result is not None)
        for widget in (self.value, self._value_label):
            widget.setVisible(result is not None and bool(result.question.domain))
        if is_other:
            self.value.clear()
            self.value.addItems([cell.value for cell in result.cells] if result is not None else [])
            self.value.make_room()
        self._tell()

    def _tell(self) -> None:
        if self._release is None or self._result is None:
            return
        protocol = self._release.collection.protocols[self._result.question.name]
        at, fakes = max(self.value.currentIndex(), 0), self.fakes.value()
        if not isinstance(protocol, FrequencyProtocol):
            self.words.setText(_of_mean(protocol, self._result, fakes))
            return
        support = [cell.support for cell in self._result.cells]
        found = poison_counts(protocol, support, self._result.n, at, fakes)
        self.words.setText(
            tr(
                "{fakes:made-up report raises|made-up reports raise} “{value}” from {before} to {after}. The bound is "
                "{bound} more, where as many honest people raise it by {honest}; each can also lower an answer by "
                "{loss} at most. Whoever can send reports can do this: hand out the form so that nobody sends many.",
                fakes=fakes,
                value=self._result.cells[at].value,
                before=format_significant(found.before, 6),
                after=format_significant(found.after, 6),
                bound=format_significant(found.bound, 6),
                honest=format_integer(fakes),
                loss=format_significant(max_loss(protocol), 4),
            )
        )


def _of_mean(protocol: MeanProtocol, result: QuestionEstimates, fakes: int) -> str:
    question, before = result.question, result.cells[0].estimate
    after, bound = poison_mean(protocol, before, result.n, (question.low, question.high), fakes)
    return tr(
        "{fakes:made-up report raises|made-up reports raise} the mean from {before} to {after}. The bound is {bound}, "
        "up or down. Whoever can send reports can do this: hand out the form so that nobody sends many.",
        fakes=fakes,
        before=format_significant(before, 6),
        after=format_significant(after, 6),
        bound=format_significant(bound, 6),
    )


_ROOM = "survey"


class EstimatePage(Page):
    """Where the reports come from, the estimates of a question with a chart, and the reports that do not count."""

    name = "estimate"
    title = "Estimate"
    order = 30
    icon = "utility"
    help = "survey/estimate"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say whether there are reports, and whether they were counted."""
        if document.room != _ROOM or not document.project.questions:
            return StepStatus(StepState.EMPTY, tr("Ask something first."))
        release = document.selected
        if release is not None:
            is_stale = document.finished.is_stale(release)
            return (
                StepStatus(StepState.STALE, tr("Changed since"))
                if is_stale
                else StepStatus(StepState.DONE, tr(release.sentence()))
            )
        if not document.files:
            return StepStatus(StepState.EMPTY, tr("There are no reports yet."))
        return StepStatus(StepState.READY, tr("Reports can be counted"))

    def import_file(self) -> None:
        """Ask for a file of reports."""
        ask_file(self, tr("Import Reports"), self.take_reports)

    def import_folder(self) -> None:
        """Ask for a folder of reports."""
        dialog = QFileDialog(self, tr("Import a Folder of Reports"), start_folder(self))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(self.take_reports)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def take_reports(self, path: str) -> None:
        """Let a file or folder be the reports of the survey."""
        self.document.set_file("reports", path, tr("Import reports"), tr("Read the reports"))

    def estimate(self) -> None:
        """Count the reports; without any, they are drawn from the table first."""
        if self.run_button.isEnabled():
            self.document.run(name=tr("Estimates of {name}", name=self.document.project.name or tr("the survey")))

    def _build(self) -> None:
        self._release: Release | None = None
        self.about = name_widget(QLabel(wordWrap=True), "reports_about")
        self.file_button = name_widget(QPushButton(tr("Import Reports…")), "import_reports")
        self.folder_button = name_widget(QPushButton(tr("Import Folder…")), "import_folder")
        self.run_button = name_widget(QPushButton(tr("Estimate"), default=True), "run_estimate")
        self.question = name_widget(WidePopupComboBox(), "estimated_question", spoken=tr("Question"))
        self.notes = InlineMessage()
        self.model, self.problems = MarkedTableModel(1), MarkedTableModel(9)
        self.table = marked_table_view(self.model, "estimates", tr("Estimates"))
        self.problem_table = marked_table_view(self.problems, "not_counted", tr("Reports that do not count"), 1)
        self.chart = ChartPanel(self.document.drawing, "estimate_chart")
        self.poisoning = PoisoningPanel()
        self.biased = name_widget(QLabel(wordWrap=True), "biased_words")
        self.biased.setText(
            tr(
                "Estimates are unbiased; negative ones are kept. The consistent numbers are not negative and add up, "
                "and are biased by that: look at them, but compute with the estimates."
            )
        )
        self.empty = EmptyState(
            tr("Nothing is counted yet."), tr("Go to Collect"), lambda: self.go.emit("collect"), icon="utility"
        )
        self._lay_out()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        for widget in (self.file_button, self.folder_button, self.run_button):
            row.addWidget(widget)
        row.addWidget(self.about, 1)
        row.addWidget(self.question)
        numbers = QWidget()
        column = QVBoxLayout(numbers)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table, 1)
        column.addWidget(self.biased)
        column.addWidget(section(tr("Made-up reports"), self.poisoning))
        self.tabs = name_widget(QTabWidget(documentMode=True), "estimate_tabs")
        self.tabs.addTab(numbers, tr("Estimates"))
        self.tabs.addTab(self.problem_table, tr("Not counted"))
        split = name_widget(QSplitter(childrenCollapsible=False), "estimate_splitter")
        split.addWidget(self.tabs)
        split.addWidget(self.chart)
        split.setStretchFactor(0, 1)
        split.setStretchFactor(1, 1)
        filled = QWidget()
        inside = QVBoxLayout(filled)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(self.notes)
        inside.addWidget(split, 1)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(filled)
        layout = QVBoxLayout(self)
        layout.addLayout(row)
        layout.addWidget(self.stack, 1)

    def _connect(self) -> None:
        self.file_button.clicked.connect(self.import_file)
        self.folder_button.clicked.connect(self.import_folder)
        self.run_button.clicked.connect(self.estimate)
        self.question.activated.connect(lambda _at: self._show_result())

    def _show(self, changed: frozenset[str]) -> None:
        if self.document.room != _ROOM:
            return
        collected, table = reports_among(self.document.files), self.document.table
        can = bool(self.document.project.questions) and (collected is not None or isinstance(table, Table))
        self.run_button.setEnabled(can)
        self.about.setText(_about(collected, table))
        release = self.document.selected
        is_other = release is not self._release
        self._release = release
        self.stack.setCurrentIndex(int(release is not None))
        self.question.setVisible(release is not None)
        if is_other:
            self.question.clear()
            self.question.addItems([each.question.name for each in release.results] if release is not None else [])
            self.question.make_room()
        self.notes.show_note("warn", " ".join(tr(note) for note in release.notes) if release is not None else "")
        heads = [tr("Where"), tr("Why it does not count")]
        listed = [] if release is None else [[each.place, tr(each.sentence)] for each in release.problems]
        self.problems.show_rows(heads, listed)
        self.tabs.setTabText(1, tr("Not counted ({reports})", reports=len(listed)))
        self._show_result()

    def _show_result(self) -> None:
        at = self.question.currentIndex()
        result = self._release.results[at] if self._release is not None and at >= 0 else None
        self.poisoning.show_result(self._release, result)
        if result is None:
            self.model.show_rows([], [])
            self.chart.show_plot(None)
            return
        source = self.document.project.source
        mark = str(source.options.get("decimal", ".")) if source is not None else "."
        true = true_answer(result.question, self.document.table, result.n, mark)
        heads = [tr("Answer"), tr("Estimated"), tr("From"), tr("To"), tr("Consistent (biased)")]
        rows = [
            [answer_label(cell, result), *interval_texts(cell, result), format_estimate(cell.consistent, result)]
            for cell in result.cells
        ]
        if true is not None:
            heads.append(tr("True"))
            rows = [[*row, format_estimate(number, result)] for row, number in zip(rows, true, strict=True)]
        self.model.show_rows(heads, rows)
        self.chart.show_plot(estimate_plot(result, true))


def _about(collected: Any, table: Any) -> str:
    if collected is not None:
        return tr("{reports:report|reports} came back.", reports=len(collected.records) + len(collected.problems))
    if isinstance(table, Table):
        return tr("No reports came back yet; they would be drawn from the table, row by row.")
    return tr("There are no reports yet: hand out the form, and import what comes back.")


def _is_survey(document: Document) -> bool:
    return document.room == _ROOM


def _has_files(document: Document) -> bool:
    return document.room == _ROOM and bool(document.files) and bool(document.project.questions)


ACTIONS = (
    Action(
        "estimate.import", "Import Reports…", lambda page: page.import_file(), "Survey", "reports", "import",
        status_tip="Read reports that came back", enabled=_is_survey, reason="Open a survey first.", page="estimate",
    ),
    Action(
        "estimate.folder", "Import Folder of Reports…", lambda page: page.import_folder(), "Survey", "reports", "open",
        status_tip="Read all reports of a folder", enabled=_is_survey, reason="Open a survey first.", page="estimate",
    ),
    Action(
        "estimate.run", "Estimate", lambda page: page.estimate(), "Survey", "reports", "run", "Ctrl+R",
        "Count the reports and estimate", _has_files, "There are no reports yet.", "estimate",
    ),
)  # fmt: skip
